"""One schema and one printer for every answer of `noise` and `privacy`."""

import copy
import json
import math
from dataclasses import MISSING, fields
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import accounting.problems
import forgetproof
from accounting.problems.answer import shown
from accounting.problems.options import option
from bounds.declared import PROBLEMS
from forgetproof.cli import run
from forgetproof.json_schema import JsonSchema
from tests.whole.cli.test_questions import QUESTIONS, WORDS, ask, files, noise, options, privacy

SCHEMA = json.loads((Path(forgetproof.__file__).parent / "answer.schema.json").read_text("utf-8"))
__all__ = ["files"]  # the questions' own fixture, used here as well


@pytest.mark.parametrize("epsilon", [None, "0"], ids=["the target", "epsilon 0"])
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_answer_fits_the_schema(capsys, question, epsilon):
    group, name, given = QUESTIONS[question]
    if epsilon is not None:
        if "epsilon" not in given or "delta" not in given:
            return
        given = {**given, "epsilon": epsilon}
    code, out, err = ask(capsys, group, name, given)
    assert code == 0, err
    found = json.loads(out, parse_constant=pytest.fail)
    assert list(JsonSchema(SCHEMA).faults(found)) == []
    assert found["algorithm"] == name
    best = found["recommended"]
    if best is not None:
        assert found["accountants"][best]["valid"] is True
        assert found["apply"] == found["accountants"][best]["apply"]
        assert found["conditional_on"] is None
        deviation = found["accountants"][best]["standard_deviation"]
        largest = max(deviation) if isinstance(deviation, list) else deviation
        assert f" {shown(largest)} in every coordinate, to " in found["apply"]
    if found["conditional_on"] is not None:
        assert {entry["valid"] for entry in found["accountants"].values()} <= {None, False}


def test_the_schema_is_strict(capsys):
    question = QUESTIONS["noise online, strong"]
    found = json.loads(ask(capsys, *question)[1])

    def broken(change):
        other = copy.deepcopy(found)
        change(other)
        return list(JsonSchema(SCHEMA).faults(other))

    assert broken(lambda d: None) == []
    assert broken(lambda d: d.pop("target"))
    assert broken(lambda d: d.update(extra=1))
    assert broken(lambda d: d["target"].update(delta=1.0))
    assert broken(lambda d: d["accountants"]["exact"].update(valid="yes"))
    assert broken(lambda d: d["accountants"]["exact"].update(sigma=[]))
    assert broken(lambda d: d["accountants"]["exact"].update(sigma=[1.0, "nan"]))
    assert broken(lambda d: d["accountants"].clear())
    assert broken(lambda d: d["assumptions"].update(adjacency="swap"))
    assert broken(lambda d: d["places"].update(time=[-1]))


@pytest.mark.parametrize("name", WORDS)
def test_the_words_of_the_schema_are_those_of_the_code(name):
    words = [word.value for word in WORDS[name]]
    assert SCHEMA["$defs"]["assumptions"]["properties"][name] == {"enum": words}


@pytest.mark.parametrize("name", PROBLEMS.names())
def test_an_alias_is_the_same_problem(capsys, name):
    kind = PROBLEMS.get(name)
    assert issubclass(kind, accounting.problems.Problem)
    assert kind.algorithm == name
    for alias in kind.aliases:
        assert PROBLEMS.get(alias) is kind
    group, _, given = next(q for q in QUESTIONS.values() if q[1] == name)
    first, *others = (ask(capsys, group, each, given)[1] for each in (name, *kind.aliases))
    assert all(other == first for other in others)


def test_no_name_stands_for_two_problems():
    names = [name for each in PROBLEMS.names() for name in (each, *PROBLEMS.get(each).aliases)]
    assert len(names) == len(set(names))
    assert PROBLEMS.get("nothing of the kind") is None


@pytest.mark.parametrize("group", ["noise", "privacy"])
@pytest.mark.parametrize("name", PROBLEMS.names())
def test_every_field_is_an_option_with_its_help_and_its_range(capsys, name, group):
    assert run([group, name, "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for each in fields(PROBLEMS.get(name)):
        about = option(each)
        written = f"--{each.name.replace('_', '-')} "
        if about.only not in (None, group):
            assert written not in said
            continue
        assert written in said
        for words in (about.help, about.range, about.shown or ""):
            assert " ".join(words.split()) in said
        assert required(name, group, each.name) == (each.default is MISSING)


def required(name, group, field):
    command = {"noise": noise, "privacy": privacy}[group].get_command(None, name)
    return next(each.required for each in command.params if each.name == field)


@given(x=st.floats(1e-300, 1e300), up=st.booleans())
def test_shown_numbers_are_rounded_to_the_safe_side(x, up):
    found = shown(x, up=up)
    assert (float(found) >= x) if up else (float(found) <= x)
    assert abs(float(found) - x) <= 1.001e-3 * x
    assert len(Decimal(found).normalize().as_tuple().digits) <= 4


def test_shown_edges():
    assert [shown(x) for x in (0.0, 0.1, 1.0, 0.30000000000000004, math.inf)] == [
        "0",
        "0.1",
        "1",
        "0.3001",
        "inf",
    ]


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_text_says_what_to_add_and_no_more_digits_than_it_may(capsys, question):
    group, name, given = QUESTIONS[question]
    found = json.loads(ask(capsys, group, name, given)[1])
    written = options(group, name)
    run([group.name, name, *(w for k, v in given.items() for w in (written[k], v))])
    lines = capsys.readouterr().out.splitlines()
    if found["recommended"] is not None:
        assert found["apply"] in lines
        assert sum("<- recommended" in line for line in lines) == 1
    answers = [
        line
        for line in lines
        if line.split(" ")[0] == "" and line.split()[0] in found["accountants"]
    ]
    for line in answers:
        for word in line.replace(",", " ").replace(";", " ").split():
            digits = word.split("e")[0].replace(".", "").lstrip("0")
            assert not digits.isdigit() or len(digits) <= 4, line
    assert "1.00 times" not in "".join(lines)


def test_a_given_noise_is_shown_as_it_is_applied(capsys):
    group, name, asked = QUESTIONS["noise recollection, before the run"]
    found = json.loads(ask(capsys, group, name, asked)[1])
    entry = found["accountants"]["exact"]
    assert entry["sigma"] == entry["standard_deviation"]
    assert found["apply"].endswith("in every coordinate, to the published model")

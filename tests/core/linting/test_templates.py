"""Templates: configuration files of others as mechanism documents."""

import json
from pathlib import Path

import pytest

from accounting.mechanism import Mechanism
from forgetproof.cli import run
from forgetproof.linting.configurations import read
from forgetproof.linting.templates import Template
from tests.core.linting import pabi

FILE = Path(__file__).parent / "pabi.template.json"
MECHANISM = {
    "schema": "forgetproof/mechanism/1",
    "relation": {"adjacency": "maps"},
    "start": "=2*radius",
    "steps": [
        {
            "count": "=rounds",
            "contraction": 1,
            "shift": 0,
            "noise": {"deviation": "=sigma", "on": "iterate"},
        }
    ],
    "released": "last",
    "requests": "oblivious",
    "claims": [{"mu": "=target"}],
}
TEMPLATE = {
    "template": "forgetproof/template/1",
    "each": ["*.yaml", "*.json"],
    "at": "target",
    "names": {
        "kind": "kind",
        "radius": "model.radius",
        "rounds": {"path": "rounds.0", "default": 3},
        "target": "target",
    },
    "when": ["kind == 'ours'"],
    "let": {"sigma": "radius*sqrt(2)"},
    "documents": [
        {"when": ["target >= 1"], "mechanism": MECHANISM},
        {"when": ["target < 1"], "let": {"sigma": "1/target"}, "mechanism": MECHANISM},
    ],
}
BOMB = "a: &a [1, 1]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{name}'] * 9)}]\n"
    for name, after in zip("abcdefgh", "bcdefghi", strict=True)
)
GOOD = "kind: ours\nmodel:\n  radius: 2e-1\nrounds: [5]\ntarget: 2\n"


def template(tmp_path, changes=None, file="t.json"):
    path = tmp_path / file
    path.write_text(json.dumps(TEMPLATE | (changes or {})))
    return path


def filled(tmp_path, text, changes=None, name="a.yaml"):
    (tmp_path / name).write_text(text)
    return list(Template.of(template(tmp_path, changes)).fill(tmp_path / name))


def test_a_file_becomes_a_document_with_its_line(tmp_path):
    (made,) = filled(tmp_path, GOOD)
    assert (made.line, made.document["name"]) == (5, "a")
    assert made.document["start"] == 0.4
    assert made.document["steps"][0]["count"] == 5
    assert made.document["steps"][0]["noise"]["deviation"] == 0.2 * 2**0.5
    Mechanism.of_document(made.document)


def test_json_is_read_without_yaml(tmp_path):
    text = '{"kind": "ours",\n "model": {"radius": 0.2},\n\n "target": 0.5}'
    (made,) = filled(tmp_path, text, name="a.json")
    assert (made.line, made.document["steps"][0]["count"]) == (4, 3)
    assert made.document["steps"][0]["noise"]["deviation"] == 2.0


def test_files_of_another_kind_are_passed_over(tmp_path):
    assert filled(tmp_path, "kind: theirs\n") == []


def test_files_are_those_of_the_patterns(tmp_path):
    for name in ("b.yaml", "a.json", "c.txt", "d.yml"):
        (tmp_path / name).write_text(GOOD)
    folder = tmp_path / "inner"
    folder.mkdir()
    (folder / "e.yaml").write_text(GOOD)
    made = Template.of(template(tmp_path, file="t.txt"))
    assert [path.name for path in made.files(tmp_path)] == ["a.json", "b.yaml"]
    assert made.files(folder / "e.yaml") == [folder / "e.yaml"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("kind: ours\ntarget: 2\n", "template: the file must have model.radius"),
        ("kind: ours\nmodel: {radius: x}\ntarget: 2\n", "'radius*sqrt(2)' must be a number"),
        ("kind: ours\nmodel: {radius: 1}\ntarget: x\n", "must compare numbers"),
        ("kind: ours\nmodel: {radius: 1}\ntarget: 0\n", "'1/target' must be a number"),
        ("kind: ours\nmodel: {radius: 1e308}\nrounds: [1]\ntarget: 2\n", "'2*radius' must be"),
        ("kind: [", "it must be YAML"),
        ("a: 1\na: 2\n", "a must stand once"),
        ("a: &a [*a, *a]\n", "at most 100 levels deep"),
        (BOMB, "at most 100000 fields"),
        ("[" * 1200, "nested less deeply"),
        ("a: !!python/object/apply:os.getcwd []\n", "it must be YAML"),
    ],
    ids=(
        "absent",
        "word",
        "compared",
        "quotient",
        "infinite",
        "torn",
        "twice",
        "alias",
        "aliases",
        "deep",
        "tag",
    ),
)
def test_a_file_that_cannot_be_used_is_named(tmp_path, text, message):
    with pytest.raises(ValueError, match=r"a\.yaml") as refusal:
        filled(tmp_path, text)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"template": "forgetproof/template/2"}, "template must have template"),
        ({"more": 1}, "template must have only"),
        ({"names": {"a b": "x"}}, "template.names.a b must be a name"),
        ({"names": {"a": 1}}, "template.names.a must be a mapping"),
        ({"names": {"a": {"path": "x"}}}, "template.names.a must be a path"),
        ({"let": {"a": 1}}, "template.let.a must be a text"),
        ({"documents": []}, "template.documents must not be empty"),
        ({"documents": [{"mechanism": []}]}, "template.documents[0].mechanism must be a mapping"),
        ({"documents": [{"then": 1}]}, "template.documents[0] must have only"),
        ({"each": "x"}, "template.each must be a list"),
        ({"when": [1]}, "template.when[0] must be a text"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_template_that_is_none_is_refused_by_field(tmp_path, changes, message):
    with pytest.raises(ValueError, match=r"^template") as refusal:
        Template.of(template(tmp_path, changes))
    assert str(refusal.value).startswith(message)


def test_a_condition_is_a_comparison(tmp_path):
    with pytest.raises(ValueError, match=r"a condition is written LEFT == RIGHT, got 'kind'"):
        filled(tmp_path, GOOD, {"when": ["kind"]})


@pytest.mark.parametrize("text", ["a:\n  - b: 1\n    c:\n      2\n", '{"a": [{"b": 1, "c": 2}]}'])
def test_lines_of_a_configuration(tmp_path, text):
    path = tmp_path / ("x.json" if text.startswith("{") else "x.yaml")
    path.write_text(text)
    found = read(path)
    assert found.field("a.0.c") == 2
    places = {"a": 1, "a.0": 2, "a.0.b": 2, "a.0.c": 3}
    assert found.lines == (dict.fromkeys(places, 1) if path.suffix == ".json" else places)
    for absent in ("a.1", "a.x", "b", "a.0.c.d"):
        with pytest.raises(KeyError):
            found.field(absent)


def test_released_configurations_claim_what_does_not_follow(tmp_path, capsys, full):
    """A curve holds in each, and the epsilon that was made of it does not."""
    count = pabi.write(tmp_path, None if full else 60)
    assert run(["lint", str(tmp_path), "--template", str(FILE), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert len(report["documents"]) == count == (289 if full else 60)
    for document in report["documents"]:
        assert [claim["verdict"] for claim in document["claims"]] == ["holds", "false"]
    codes = [finding["code"] for finding in report["findings"]]
    assert codes == ["FP100", "FP208"] * count


def test_the_settings_are_all_that_were_released():
    assert sum(files for *_, files in pabi.SETTINGS) == 289
    assert len({tuple(setting) for *setting, _ in pabi.SETTINGS}) == 53


def test_a_finding_is_at_the_line_of_the_template(tmp_path):
    pabi.write(tmp_path, 1)
    made = Template.of(FILE)
    (path,) = [path for path in made.files(tmp_path) if path.name.startswith("000")]
    assert [filled.line for filled in made.fill(path)] == [pabi.LINE]

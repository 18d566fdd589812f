"""Which way forms go: what lists say, and what contradicts them."""

import json
import math
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest

import bounds
from bounds import trends
from bounds.trends import Trend, away, ends, pairs, step
from forgetproof.testing.trends import agree, arrives, goes, grows
from tools.trends import main, row, write

LEMMA = bounds.get("sglu.lem3.4")
AT = {"alpha": 2.0, "Z": 1.0, "s2": 1.0, "c": 0.9, "K": 5}


def listed(monkeypatch, told):
    monkeypatch.setattr(trends, "_read", lambda package: {LEMMA.id: told})
    return {(t.form.name, t.name): (t.way, t.end) for t in trends.trends(LEMMA)}


def test_a_line_is_of_all_forms_or_of_some(monkeypatch):
    told = {"K": "falls to 0", "alpha": {"tight": "rises"}}
    assert listed(monkeypatch, told) == {
        **{(form, "K"): ("falls", "0") for form in LEMMA.forms},
        ("tight", "alpha"): ("rises", ""),
    }


@pytest.mark.parametrize(
    "told",
    [{"K": "sinks"}, {"K": {"a": "falls"}}, {"K": "falls to nowhere"}, {"a": {"tight": "falls"}}],
    ids=["word", "form", "end", "argument"],
)
def test_words_that_say_nothing_are_refused(told, monkeypatch):
    with pytest.raises(ValueError, match=r"sglu\.lem3\.4"):
        listed(monkeypatch, told)


@pytest.mark.parametrize(
    ("first", "second", "way"),
    [(1, 2, 1), (2, 1, -1), (1, 1 + 1e-12, 0), (math.nan, 1, 0), (1, math.inf, 1), (0, 1e-300, 1)],
    ids=["up", "down", "rounding", "nan", "inf", "tiny"],
)
def test_steps(first, second, way):
    assert step(first, second) == way


def test_a_wrong_way_and_a_wrong_end_are_named():
    falls = Trend(LEMMA["tight"], "K", "falls", "0")
    goes(falls, 20)
    arrives(falls)
    with pytest.raises(AssertionError, match=r"sglu\.lem3\.4 tight rises in K, but is"):
        goes(replace(falls, way="rises"), 20)
    with pytest.raises(AssertionError, match="tight goes to inf as K grows, but is"):
        arrives(replace(falls, end="inf"))
    assert falls.missed({**AT, "alpha": math.inf}) == ""


def test_an_end_is_missed_where_the_form_stays_and_its_argument_matters():
    mean = Trend(bounds.get("olu.eq45.distance")["corrected"], "tau_i", "falls", "0")
    at = {"i": 11, "I1": 10, "I2": 27, "tau_i": 20, "mu": 0.03, "beta": 2.3, "L": 0.01, "D": 2.0}
    assert mean.missed(at)  # it falls to gamma^(I_1 + I_2) D
    assert not mean.missed({**at, "L": 1e-9})  # and starts there, but for a billionth
    noise = Trend(bounds.get("olu.eq18")["printed"], "d", "rises", "inf")
    at = {"T": 30, "d": 11, "epsilon": 0.4, "L": 6.0, "mu": 1.5, "beta": 1.7, "u": [4], "tau": [11]}
    assert not noise.missed(at)  # a small share that grows


def test_pairs_differ_in_one_argument_and_are_admissible():
    found = list(pairs(LEMMA["printed"], "c", np.random.default_rng(0), 30))
    assert len(found) > 10
    for low, high in found:
        assert {n for n in low if low[n] != high[n]} == {"c"}
        assert low["c"] < high["c"]


def test_ends():
    assert ends(LEMMA["tight"], "K", AT) == {"0", "printed"}
    assert "inf" in ends(LEMMA["tight"], "alpha", AT)
    assert set(away(LEMMA["tight"], "K", AT)) == {5e3, 5e6, 5e9, 5e12}
    assert not away(LEMMA["tight"], "c", AT)  # it ends at 1


def test_growth_is_held_far_out():
    order = bounds.get("olu.eq2.convex")
    grows(order)
    with pytest.raises(AssertionError, match="does not grow in T like T"):
        grows(order.changed(growth={"T": "T"}))


def test_symbols_agree_with_ends(monkeypatch):
    agree(LEMMA)
    wrong = (Trend(LEMMA["tight"], "K", "falls", "inf"),)
    monkeypatch.setattr(trends, "trends", lambda statement: wrong)
    with pytest.raises(AssertionError, match="the limit of its symbols is 0"):
        agree(LEMMA)


def test_the_tool_finds_what_is_listed():
    beside = json.loads(json.dumps(row(LEMMA)))
    assert beside == trends._read("bounds.sglu")[LEMMA.id]
    assert beside["K"] == "falls to 0"


def test_writing_one_line_leaves_the_others_and_what_was_removed(tmp_path):
    for paper in bounds.papers():
        beside = files(paper.package) / trends.NAME
        if not beside.is_file():
            continue
        kept, committed = tmp_path / f"{paper.key}.json", beside.read_text("utf-8")
        kept.write_text(committed, "utf-8")
        write(kept, paper.key, {})
        assert kept.read_text("utf-8") == committed
        (id, told), *_ = json.loads(committed).items()
        write(kept, paper.key, {id: {}})
        assert id not in json.loads(kept.read_text("utf-8"))
        write(kept, paper.key, {id: told})
        assert kept.read_text("utf-8") == committed


def test_nothing_is_written_of_statements_that_are_not_named(monkeypatch, capsys):
    monkeypatch.setattr("sys.argv", ["trends", "--write"])
    with pytest.raises(SystemExit):
        main()
    assert "needs the ids" in capsys.readouterr().err

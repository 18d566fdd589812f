"""`forgetproof check-bound` on a file: exit codes, text, JSON, picture, citation."""

import json
from importlib.util import find_spec

import pytest

from forgetproof.cli import run

SHRINK = "W*c**K + s*(1-c**K)/(1-c)"
GIVEN = ("W=1", "c=.9", "s=.01")
TABLE = "K,distance\n" + "".join(
    f"{K},{0.9**K + 0.01 * (1 - 0.9**K) / 0.1!r}\n" for K in range(1, 51)
)


@pytest.fixture
def call(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "run.csv").write_text(TABLE)

    def one(bound, *more):
        code = run(["check-bound", bound, "--over", "K=1:50", "--against", "run.csv", *more])
        return code, *capsys.readouterr()

    return one


def test_a_bound_that_is_attained_stands_and_98_per_cent_of_it_does_not(call):
    code, out, err = call(SHRINK, *GIVEN)
    assert (code, err) == (0, "")
    assert out.startswith(f"check-bound: measured <= {SHRINK}, over K=1:50: not refuted\n")
    assert out.count("not refuted\n") == 51
    code, out, err = call(f".98*({SHRINK})", *GIVEN)
    assert (code, err) == (1, "")
    assert "  50 of 50 points lie above it, the worst at K = 1\n" in out
    assert "  least slack -2.041 % of the bound, at K = 1: measured 0.91, bound 0.8918\n" in out


def test_the_document_has_every_point(call):
    code, out, _ = call(f".98*({SHRINK})", *GIVEN, "--json", "--cite")
    found = json.loads(out)
    assert (code, found["verdict"], found["failed"]) == (1, "false", 50)
    assert [row["K"] for row in found["points"]] == list(range(1, 51))
    assert found["points"][0]["verdict"] == "false"
    assert found["least_slack"]["relative"] == pytest.approx(-1 / 49, rel=1e-9)
    assert found["with"] == {"W": 1, "c": 0.9, "s": 0.01}
    assert "run.csv (sha256 " in found["sentence"]
    assert found["cite"][0].startswith("@software{forgetproof,")


@pytest.mark.skipif(find_spec("matplotlib") is None, reason="needs matplotlib")
@pytest.mark.parametrize("suffix", ["svg", "png"])
def test_a_picture_is_written(call, tmp_path, suffix):
    code, out, _ = call(SHRINK, *GIVEN, "--out", f"b.{suffix}")
    assert (code, out.splitlines()[-1].split()) == (0, ["picture", f"b.{suffix}"])
    assert (tmp_path / f"b.{suffix}").stat().st_size > 1000


def test_a_sentence_and_bibtex_are_printed(call):
    _, out, _ = call(SHRINK, *GIVEN, "--cite")
    assert r"is 100 \% of it (forgetproof check-bound" in out
    assert r"\cite{forgetproof}." in out
    assert "@software{forgetproof,\n  title   = {{forgetproof}},\n" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["W*", "W=1"], "bound must be an expression"),
        ([SHRINK, "W=1"], "c must be given, as c=VALUE"),
        ([SHRINK, *GIVEN, "d=1"], "d must stand in"),
        ([SHRINK, *GIVEN, "K=1"], "K must be left to --over"),
        ([SHRINK, *GIVEN, "W=2"], "W must be given once"),
        ([SHRINK, "W=1", "c=1", "s=1"], "bound must be a finite number at every point"),
        ([SHRINK, *GIVEN, "--out", "b.gif"], "out must end in .svg, .png, .pdf"),
        ([SHRINK, *GIVEN, "--paper", "x"], "paper must not be given without --cite"),
        ([SHRINK, *GIVEN, "--paper", "x", "--cite"], "paper must be one of"),
        ([SHRINK, *GIVEN, "--tolerance", "2"], "tolerance must be"),
        ([SHRINK, *GIVEN, "--level", "0"], "level must be"),
        ([SHRINK, *GIVEN, "--observable", "x"], "observable must not be given with a file"),
        ([SHRINK, *GIVEN, "--column", "x"], "column of run.csv must be one of distance, got 'x'"),
        ([SHRINK, *GIVEN, "--over", "K=60:70"], "over must have points of run.csv"),
        ([SHRINK, *GIVEN, "--against", "langvin"], "did you mean langevin"),
        ([SHRINK, *GIVEN, "--against", "no.csv"], "'no.csv' must be a file that can be read"),
        ([SHRINK, *GIVEN, "--against", "langevin"], "observable must be one that"),
        ([SHRINK, "--against", "langevin", "--each"], "each must not be given with the algorithm"),
    ],
    ids=lambda value: None,
)
def test_what_cannot_be_used_is_refused_in_a_line(call, tmp_path, words, message):
    code, out, err = call(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert message in err
    assert [path.name for path in tmp_path.iterdir()] == ["run.csv"]

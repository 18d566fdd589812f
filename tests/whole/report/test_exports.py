"""CSV and LaTeX: a line for every interpretation and form, and no text that acts as code."""

import csv
import io
import math
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bounds import Interpretation, Statement
from tests.latex import compiles, needs_latex
from verify.evidence import Comparison
from verify.outcome import outcome_of
from verify.report import latex
from verify.report.entries import VerdictEntry, csv_text, entries

ENTRY = VerdictEntry(
    "p.1",
    "p",
    "",
    "Lemma 1",
    "claim",
    "paper",
    "holds",
    "literal",
    "plain",
    "printed",
    "holds",
    "named",
    0.5,
    "exact",
    1.0,
    2.0,
    0.25,
    math.inf,
    3,
    0.1,
    "Lemma 9",
)


def read(table):
    return list(csv.DictReader(io.StringIO(csv_text(table), newline="")))


def test_one_row_for_every_interpretation_and_form(outcomes):
    found = {(r["claim"], r["interpretation"], r["form"]): r for r in read(entries(outcomes))}
    assert len(found) == sum(len(o.verdicts) for o in outcomes)
    lemma = found["sglu.lem3.4", "literal", "printed"]
    assert (lemma["word"], lemma["basis"], lemma["instances"]) == ("holds", "exact", "1")
    assert (float(lemma["slack_low"]), float(lemma["attainment"])) == (2.0, 1.0)
    assert float(lemma["red_below"]) == pytest.approx(0.5)
    assert lemma["red_above"] == "inf"
    refuted = found["x.false", "literal", "printed"]
    assert (refuted["word"], refuted["red_below"]) == ("false", "")
    broken = found["x.broken", "literal", "printed"]
    assert (broken["word"], broken["reason"]) == ("error", "ValueError: no")


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])
def test_a_cell_that_a_spreadsheet_would_run_is_defused(text):
    claim = Statement(
        "p.1", text, "claim", "x", (Interpretation("literal", "", {"printed": "<="}),)
    )
    wrong = Comparison("literal", "printed", text, {}, 2.0, 1.0, tight=-1.0)
    (entry,) = read(entries([outcome_of(claim, [wrong], 0, None)]))
    assert entry["label"] == entry["reason"] == f"'{text}"
    assert float(entry["slack_low"]) == -1.0


@given(st.text())
@example('a,"b"\nc')
def test_any_text_comes_back_from_csv(text):
    (entry,) = read([VerdictEntry(**{**vars(ENTRY), "reason": text})])
    assert entry["reason"].removeprefix("'") == text.removeprefix("'")


def depth(tex):
    """Braces that stay open, after the escaped ones are taken out; fails where one closes early."""
    level = 0
    for c in re.sub(r"\\.", "", tex):
        level += (c == "{") - (c == "}")
        assert level >= 0
    return level


@given(st.text())
@example("\\input{/etc/passwd} $x_1^2$ % # & ~ {")
@example("Rényi ε ≤ 10⁻⁵ — 中")
def test_escaped_text_is_ascii_balanced_and_holds_no_special_character(text):
    found = latex.escape(text)
    assert found.isascii()
    assert found.isprintable()
    assert depth(found) == 0
    outside = re.sub(
        r"\$(\\?[a-zA-Z|]+|\\(hat|tilde|bar)\{\\?[a-zA-Z]+\}|\^\{-\}|[-'^_]?(\{[^{}$]*\})?)\$",
        "",
        found,
    )
    bare = re.sub(r"\\([a-zA-Z]+\{\}|[\\{}$&#%_]|[`'^~=\"rvc]\{[a-zA-Z]\})", "", outside)
    bare = bare.replace("-{}", "").replace("{[}", "").replace("{*}", "")
    assert not re.search(r"[\\{}$&#%_^<>|\"]", bare)


def test_what_latex_has_is_set_and_what_it_lacks_is_named():
    assert latex.escape("Rényi ε") == r"R\'{e}nyi $\varepsilon$"
    assert latex.escape("10⁻⁵") == "10$^{-}$$^{5}$"
    assert latex.escape("中") == "U+4E2D"
    assert latex.escape("w\u0303 μ\u0304") == r"\~{w} $\bar{\mu}$"
    assert latex.escape("[*]") == "{[}{*}]"


def test_the_table_has_a_line_of_nine_cells_for_every_row(outcomes):
    tex = latex.table(entries(outcomes))
    lines = [line for line in tex.splitlines() if line.endswith(r"\\")][1:]
    assert len(lines) == len(entries(outcomes))
    for line in lines:
        assert len(re.findall(r"(?<!\\)&", line)) == 8
    assert depth(tex) == 0
    for name in ("document", "longtable"):
        assert tex.count(rf"\begin{{{name}}}") == tex.count(rf"\end{{{name}}}") == 1


@needs_latex
def test_the_table_compiles(outcomes, tmp_path):
    awkward = "[x] * \\ {} $ & # % _ ~ ^ < > | \" ' ` – — … é ε ≤ ⁻⁵ 中"
    table = [
        VerdictEntry(**{**vars(ENTRY), "label": awkward, "interpretation": awkward}),
        *entries(outcomes),
    ]
    file = tmp_path / "claims.tex"
    file.write_text(latex.table(table), "ascii")
    compiles(file)

"""Errata: everything wrong in what a paper prints, in its order, with what should stand."""

import json
import re

import pytest

import bounds
from bounds import Edit, Interpretation, Statement
from forgetproof.cli import run
from tests.latex import compiles, needs_latex
from verify.evidence import Clash, Comparison, Declaration
from verify.outcome import outcome_of
from verify.report import markdown
from verify.report.errata import errata, gravest_first, remarks, wrong
from verify.report.errata_files import recorded_errata
from verify.report.mathtext import readable
from verify.report.results import of_run
from verify.words import ORDER, kind_of


def judged(id, *evidence, **options):
    forms = tuple(dict.fromkeys(e.form for e in evidence)) or ("printed",)
    edit = Edit("double it", "<= b", "<= 2b")
    interpretations = (
        Interpretation("literal", "on a ball", dict.fromkeys(forms, "<="), edits={"printed": edit}),
    )
    claim = Statement(id, f"Lemma {id[-1]}", "inequality", "a <= b", interpretations, **options)
    return of_run(outcome_of(claim, list(evidence), 0.0, None), {})


def results(outcomes):
    return [of_run(outcome, {}) for outcome in outcomes]


def compared(form, measured, **options):
    return Comparison("literal", form, "a chain.", {"K": 3.0}, measured, 1.0, **options)


def test_only_what_the_paper_prints_counts_and_the_order_is_its_own():
    found = [
        judged("p.3", compared("printed", 2.0)),
        judged("p.1", compared("printed", 0.5)),
        judged("p.4", compared("printed", 0.5), compared("tight", 2.0)),
        judged("q.1", compared("printed", 2.0)),
        judged("p.2", Declaration("literal", "printed", "unspecified", "no rate is given")),
        judged("p.5", Declaration("literal", "printed", "not checkable", "future work")),
        of_run(outcome_of(judged("p.6").claim, [], 0.0, "Traceback"), {}),
    ]
    listed = errata(found, "p")
    assert [e.id for e in listed] == ["p.3", "p.2"]
    assert [e.id for e in gravest_first(reversed(listed))] == ["p.3", "p.2"]
    assert wrong(found[-1]) == []


def test_an_entry_says_what_is_wrong_with_numbers_and_what_should_stand():
    typo = judged(
        "p.1",
        compared("printed", 2.0, script="one"),
        compared("corrected", 0.5),
        correction="Read 2b.",
    )
    (entry,) = errata([typo], "p")
    (finding,) = entry.findings
    assert finding.word == "typo"
    assert finding.case == "A chain at K = 3: measured 2, claimed at most 1 (exact)."
    assert finding.sentence.startswith("One edit mends it: double it.")
    assert finding.file == "counterexamples/p.1.literal.printed.json"
    assert (entry.correction, entry.replay) == ("Read 2b.", "forgetproof replay p.1")
    (standing,) = entry.standing
    assert (standing.name, standing.word, standing.provided) == ("corrected", "not refuted", "")
    assert entry.programs == (("p.1.program-1", "Lemma 1, literal", "print(1)\n"),)


def test_units_that_disagree_are_told_with_what_is_wrong():
    clash = Clash("literal", "printed", ("D in parameter, k in 1", "e^L of L in loss"))
    (entry,) = errata([judged("p.1", compared("printed", 2.0), clash)], "p")
    (finding,) = entry.findings
    assert finding.remarks == "Units disagree: D in parameter, k in 1; e^L of L in loss."
    assert errata([judged("p.1", compared("printed", 0.5), clash)], "p") == []


def test_a_form_that_stands_under_other_hypotheses_names_them():
    interpretations = (
        Interpretation("literal", "on all of R^d", {"printed": "<="}),
        Interpretation(
            "ball", "on a ball", ("printed", "tight"), proofs={"tight": "Lemma 9 on every ball"}
        ),
    )
    claim = Statement("p.1", "Lemma 1", "inequality", "a <= b", interpretations)
    empty = Comparison("literal", "printed", "none", {}, 3.0, 2.0, role="class")
    fine = [Comparison("ball", form, "one", {}, 1.0, 2.0) for form in ("printed", "tight")]
    (entry,) = errata([of_run(outcome_of(claim, [empty, *fine], 0.0, None), {})], "p")
    (standing,) = entry.standing
    assert (standing.name, standing.provided) == ("tight", "on a ball")
    assert standing.proof == "Lemma 9 on every ball"
    assert [f.interpretation for f in entry.findings] == ["literal"]
    text = markdown.markdown("Errata", [entry])
    told = "(exact; provided: on a ball; proof: Lemma 9 on every ball)"
    assert f"tight: holds, named proof {told}" in text


def test_the_formulas_of_both_forms_are_given():
    claim = bounds.get("sglu.thm3.2")
    empty = Comparison("literal", "printed", "none", {}, 3.0, 2.0, role="class")
    fine = Comparison("ball", "corrected", "one", {}, 1.0, 2.0)
    (entry,) = remarks([of_run(outcome_of(claim, [empty, fine], 0.0, None), {})], "sglu")
    assert entry.printed != entry.standing[0].tex
    text = markdown.markdown("Errata", [entry])
    assert f"$$\n{entry.printed.strip()}\n$$" in text
    assert f"$$\n{entry.standing[0].tex.strip()}\n$$" in text


def test_long_lists_are_shown_by_their_ends():
    long = Comparison("literal", "printed", "x", {"u": list(range(20))}, 2.0, 1.0)
    (entry,) = errata([judged("p.1", long)], "p")
    assert "u = 0, 1, … 19 (20 values)" in entry.findings[0].case


def test_markdown_shows_any_text_as_it_is(outcomes):
    text = markdown.markdown("Errata of x", errata(results(outcomes), "x"))
    outside = re.sub(r"^(`{3,})\n.*?\n\1$", "", text, flags=re.S | re.M)
    assert not re.search(r"(?<!\\)[<>]", outside)
    assert r"| 2 | False |" in text
    assert "```\nprint('<i>')\n```" in text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a_b*c", r"a\_b\*c"),
        ("- item", r"\- item"),
        ("1. item", r"1\. item"),
        ("two\nlines", "two lines"),
        ("&lt;", "&amp;lt;"),
        ("-1 is a number", "-1 is a number"),
        ("[x](javascript:1)", r"\[x\](javascript:1)"),
    ],
)
def test_marks_are_escaped(text, shown):
    assert markdown.escape(text) == shown


def test_a_fence_is_longer_than_any_within():
    assert markdown.code("x = '```'\n") == "````\nx = '```'\n````"


def test_a_paper_without_errors_says_so(outcomes):
    assert "Nothing to correct" in markdown.markdown(
        "Errata of sglu", errata(results(outcomes), "sglu")
    )


def test_latex_has_a_summary_with_the_gravest_first_then_the_entries():
    found = recorded_errata(bounds.paper("sglu"))
    text = found.tex()
    assert text.isascii()
    summary, _, entries = text.partition(r"\section*{The entries}")
    lines = re.findall(r"\\item \\textbf\{.*?\} \((.*?)\)\.", summary)
    ranks = [ORDER.index(kind_of(word)) for word in lines]
    assert len(lines) == len(found.entries) == entries.count("It should say:") - len(found.remarks)
    assert ranks == sorted(ranks)
    assert f"{len(lines)} of them need a correction" in summary
    assert r"Program: \texttt{alg5}." in summary


@needs_latex
@pytest.mark.parametrize("paper", ["guo", "safe"])
def test_latex_compiles(tmp_path, paper):
    file = tmp_path / "errata.tex"
    file.write_text(recorded_errata(bounds.paper(paper)).tex(), "ascii")
    compiles(file)


def test_the_command_writes_three_files_the_same_each_time(tmp_path, capsys):
    first, second = tmp_path / "first", tmp_path / "second"
    assert run(["errata", "guo", "--out", str(first)]) == 0
    said = capsys.readouterr().out
    assert said.startswith("2 of 4 statements of Guo et al. (2020)")
    assert run(["errata", "1911.03030", "--out", str(second), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [entry["verdict"] for entry in found["errata"]] == ["false", "mixed"]
    assert found["errata"][0]["program"]
    for suffix in (".tex", ".md", ".pdf"):
        file = first / f"guo{suffix}"
        assert file.read_bytes() == (second / file.name).read_bytes()
        assert str(file) in said
    pdf = (first / "guo.pdf").read_bytes()
    assert pdf.startswith(b"%PDF")
    # Letters, not outlines: the text can be searched for and copied.
    assert b"/Type0" in pdf
    assert b"/Type3" not in pdf


@pytest.mark.parametrize("paper", ["nothing", "", "sglu.alg5"])
def test_a_paper_that_is_none_is_one_line(tmp_path, capsys, paper):
    assert run(["errata", paper, "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("tex", "readable_tex"),
    [
        (r"\frac12x", r"\dfrac{1}{2}x"),
        (r"\tfrac{\frac a2}{b}", r"\dfrac{\frac{a}{2}}{b}"),
        (r"\sqrt d+\sqrt[3]{x}", r"\sqrt{d}+\sqrt[3]{x}"),
        (r"\Big(a\Big)^2", r"\left(a\right)^{2}"),
        (r"\mathbf w_{t}", r"\mathbf{w}_{t}"),
        (r"a\le b", r"a\leq b"),
    ],
)
def test_formulas_in_the_commands_of_mathtext(tex, readable_tex):
    assert readable(tex) == readable_tex


@pytest.mark.parametrize("tex", [r"\begin{cases}a\end{cases}", r"\frac{a}", "{a"])
def test_what_mathtext_has_no_way_to_set_is_refused(tex):
    with pytest.raises(ValueError, match="tex must"):
        readable(tex)

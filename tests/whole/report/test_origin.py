"""Whose claim it is and whose proof: papers by title, levels of proofs, proofs as written."""

import csv
import dataclasses

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import bounds
from bounds import Interpretation, Proof, Statement, certificates, library
from verify import origin, report
from verify.evidence import Comparison
from verify.outcome import outcome_of
from verify.report.prose import prose

PAPER = bounds.paper("guo")
WRITTEN = Proof("by induction", "written", file="proof.md")
TEXT = "First `a < b`,\nthen <b>.\n\nSecond.\n"


@pytest.fixture
def third_party(monkeypatch, tmp_path):
    """A claim of another distribution's paper, with a written proof beside its module."""
    (tmp_path / "lab_claims").mkdir()
    (tmp_path / "lab_claims" / "__init__.py").write_text("")
    (tmp_path / "lab_claims" / "proof.md").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    paper = dataclasses.replace(
        PAPER,
        key="lab",
        title="Lab <notes>",
        authors=("A. Nother",),
        year=2027,
        arxiv="",
        package="lab_claims",
        statements={"lab.a": "a"},
        checks="",
        problems={},
        distribution="lab-dist",
    )
    papers = {each.key: each for each in (PAPER, paper)}
    monkeypatch.setattr(library, "_loaded", lambda: (papers, {}))
    interpretation = Interpretation(
        "literal", "all", {"printed": "=="}, proofs={"printed": WRITTEN}
    )
    claim = Statement("lab.a", "Lemma 1", "equality", "words", (interpretation,))
    return outcome_of(claim, [Comparison("literal", "printed", "one", {}, 1, 1, "==")], 0, None)


def test_a_verdict_that_holds_says_on_what(third_party):
    (verdict,) = third_party.verdicts
    assert (verdict.word, verdict.proof) == ("holds", WRITTEN)
    assert origin.notes(third_party.claim, "holds", 0.25, WRITTEN) == (
        "closest case at 25 %, written proof, by lab-dist"
    )
    assert origin.notes(third_party.claim, "false", None, WRITTEN) == ""
    own = bounds.get("guo.data")
    assert origin.proved(own, own.interpretations[0].proof("printed")) == "named proof"
    assert origin.proof_text(third_party.claim, WRITTEN) == TEXT.strip()
    assert origin.proof_text(third_party.claim, Proof("x", "written", file="none.md")) == ""


def test_papers_are_cited_and_an_unknown_one_is_its_key():
    assert origin.cited("guo") == (
        "Guo et al. (2020), Certified Data Removal from Machine Learning Models, "
        "arXiv:1911.03030 (version: not recorded)"
    )
    assert (origin.cited("x"), origin.source("x"), origin.source("guo")) == ("x", "", "")


def test_the_report_shows_paper_source_level_and_proof(third_party, manifest, tmp_path):
    data = report.write([third_party], [], manifest, tmp_path)
    (paper,) = data["papers"]
    assert (paper["key"], paper["title"], paper["source"]) == ("lab", "Lab <notes>", "lab-dist")
    assert data["claims"][0]["verdicts"][0]["proof"]["level"] == "written"
    (row,) = csv.DictReader((tmp_path / "claims.csv").read_text("utf-8").splitlines())
    assert (row["word"], row["proof"], row["source"]) == ("holds", "written", "lab-dist")
    page = (tmp_path / "claims" / "lab.a.html").read_text("utf-8")
    title = "Nother (2027), Lab &lt;notes&gt;"
    assert f'{title} <span class="soft">(from lab-dist)</span>' in page
    assert "written proof, by lab-dist" in page
    assert "<p>First <code>a &lt; b</code>, then &lt;b&gt;.</p>\n<p>Second.</p>" in page
    index = (tmp_path / "report.html").read_text("utf-8")
    assert title in index
    assert "written proof, by lab-dist" in index
    assert f"Errata of {title}" in (tmp_path / "errata" / "lab.html").read_text("utf-8")


def test_the_report_shows_what_is_checked_and_from_where(manifest, tmp_path):
    claim = bounds.get("sglu.lem3.4")
    found = Comparison("literal", "printed", "one", {}, 1, 2, "<=")
    outcome = outcome_of(claim, [found], 0, None)
    data = report.write([outcome], [], manifest, tmp_path)
    rows = {v["form"]: v for v in data["claims"][0]["verdicts"]}
    proof = rows["printed"]["proof"]
    assert (proof["level"], proof["told"]) == ("checked", "checked from tight (proved)")
    assert "lemma power(c, 1, K)" in proof["certificate"]
    table = csv.DictReader((tmp_path / "claims.csv").read_text("utf-8").splitlines())
    assert "checked from tight (proved)" in {row["proof"] for row in table}
    for name in ("claims/sglu.lem3.4.html", "report.html"):
        text = (tmp_path / name).read_text("utf-8")
        assert "checked by machine from the best possible form (proved by machine)" in text
    assert "lemma power(c, 1, K)" in (tmp_path / "claims/sglu.lem3.4.html").read_text("utf-8")


def test_a_box_stands_beside_the_level_that_the_proof_has():
    claim = bounds.get("safe.phi")
    told = origin.proved(claim, certificates.proof(claim, "literal", "corrected"))
    assert told.startswith("named proof, checked from tight (named) for epsilon in [1/1000, 1]")


@given(st.text())
@example("a `<i>` b")
@example("`open")
@example("a ``` b")
def test_any_text_is_escaped_and_none_is_lost(text):
    found = prose(text)
    assert "<" not in found.replace("<p>", "").replace("</p>", "").replace("<code>", "").replace(
        "</code>", ""
    )
    kept = "".join(found.striptags().split())
    wanted = "".join(text.split())
    assert kept.replace("`", "") == wanted.replace("`", "")


def test_a_backtick_without_its_fellow_is_text():
    assert prose("a `b` c `d") == "<p>a <code>b</code> c `d</p>"

"""The report's folder: complete, linked, escaped, and with nothing from elsewhere."""

import re

import pytest

import bounds
from bounds import Interpretation, Statement
from verify import report
from verify.evidence import Comparison
from verify.outcome import outcome_of
from verify.report import page
from verify.report.document import document
from verify.report.results import of_run
from verify.units import clashes


def claim_page(site, id):
    return (site / "claims" / f"{id}.html").read_text("utf-8")


def test_every_link_leads_somewhere_and_every_element_closes(site, pages, broken_links):
    found = pages(site)
    assert len(found) == 5 + 2 + 1 + 1
    assert not broken_links(site)
    for structure in found.values():
        assert not structure.crossed
        assert not structure.open
        assert len(structure.ids) == len(set(structure.ids))


def test_a_link_that_leads_nowhere_is_noticed(site, broken_links, tmp_path):
    (tmp_path / "a.html").write_text('<a href="b.html">b</a><a href="#c">c</a><p id="d">')
    assert broken_links(tmp_path) == [("a.html", "b.html"), ("a.html", "#c")]


def test_every_page_is_reached_from_the_index(site, pages):
    found = pages(site)
    index = found[(site / "report.html").resolve()]
    linked = {address.partition("#")[0] for address in index.addresses}
    assert {str(p.relative_to(site.resolve())) for p in found} - linked == {"report.html"}
    assert {"results.json", "claims.csv", "claims.tex"} <= linked


def test_pages_need_nothing_from_elsewhere(site, pages):
    for path, structure in pages(site).items():
        assert not [a for a in structure.addresses if ":" in a and a != "data:,"]
        assert not re.search(r"@import|url\((?!#)", path.read_text("utf-8"))
    assert not re.search(r"@import|url\(|http", (site / "assets" / "style.css").read_text("utf-8"))


def test_text_is_escaped_on_every_page(site, pages):
    for path in pages(site):
        text = path.read_text("utf-8")
        assert "<script>alert" not in text, path
        assert "<b>bold" not in text, path
        assert "<i>'" not in text, path
    assert "print(&#39;&lt;i&gt;&#39;)" in claim_page(site, "x.false")
    assert "print(&#39;&lt;i&gt;&#39;)" in (site / "errata" / "x.html").read_text("utf-8")
    assert "&lt;2&gt;" in (site / "report.html").read_text("utf-8")


def test_a_claim_shows_formula_verdict_numbers_and_plot(site):
    text = claim_page(site, "sglu.lem3.4")
    for part in (
        "<math",
        "mfrac",
        "holds",
        "exact",
        "2 times the best bound",
        "Proofs and certificates",
        "<svg",
        "Divide by G_c(K)",
        "experiment",
        "forgetproof replay sglu.lem3.4",
        "<h3>Best possible</h3>",
        'rel="next" href="x.false.html"',
    ):
        assert part in text
    assert 'rel="prev"' not in text
    assert "In the errata" not in text


def test_a_counterexample_stands_in_words_and_numbers(site):
    text = claim_page(site, "x.false")
    assert "<h2>Counterexample</h2>" in text
    assert "Measured 2, claimed at most 1 (exact)" in text
    assert "<dd>= 1\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁵</dd>" in text
    assert "<dd>= [1, 2]</dd>" in text
    assert "forgetproof replay x.false --as-script" in text
    assert "expected holds" in text
    assert 'href="../errata/x.html#x.false"' in text
    assert 'href="../counterexamples/x.false.literal.printed.json"' in text


def test_a_broken_check_shows_its_traceback(site):
    assert "ValueError: no" in claim_page(site, "x.broken")


def test_a_plot_that_fails_gives_its_reason_and_costs_no_page(undrawable, manifest, tmp_path):
    report.write([outcome_of(undrawable, [], 0.0, None)], [], manifest, tmp_path)
    text = claim_page(tmp_path, "sglu.lem3.4")
    assert "No plot: ValueError: K must be" in text
    assert "<svg" not in text


def test_the_preface_stands_after_the_claims(site):
    text = (site / "report.html").read_text("utf-8")
    assert "<svg></svg>" in text
    assert text.index("Two thirds less &lt;noise&gt;") > text.index("All claims")
    assert "<td>exact</td><td>1</td>" in text


@pytest.mark.parametrize(
    ("preface", "message"),
    [({"title": ""}, "must have a title"), ({"title": "x", "colour": 1}, "got 'colour'")],
)
def test_a_preface_that_cannot_be_shown_is_named(outcomes, manifest, tmp_path, preface, message):
    with pytest.raises(ValueError, match=message):
        report.write(outcomes[1:3], [], manifest, tmp_path, preface=preface)


def test_pages_of_an_earlier_run_go_and_files_of_others_stay(outcomes, manifest, tmp_path):
    report.write(outcomes[1:3], [], manifest, tmp_path)
    own = tmp_path / "claims" / "notes.html"
    own.write_text("<p>mine</p>")
    other = outcomes[1].claim.changed(id="y.false")
    report.write([outcome_of(other, [], 0, None)], [], manifest, tmp_path)
    assert {p.name for p in own.parent.iterdir()} == {"y.false.html", own.name}
    assert {p.name for p in (tmp_path / "errata").iterdir()} == {"y.html", "y.md", "y.tex"}
    assert not list(tmp_path.rglob("*.part"))


def test_names_of_claims_and_interpretations_make_plain_paths_and_anchors(
    manifest, tmp_path, broken_links
):
    interpretation = Interpretation('b < "n" / 2', "", {"printed": "<="})
    claim = Statement("x.y", "x", "claim", "x", (interpretation,)).changed(id="x.y/../\"z'")
    wrong = Comparison('b < "n" / 2', "printed", "x", {}, 2.0, 1.0)
    report.write([outcome_of(claim, [wrong], 0, None)], [], manifest, tmp_path)
    assert [p.name for p in (tmp_path / "claims").iterdir()] == ["x.y_..__z_.html"]
    assert not broken_links(tmp_path)


def test_a_place_that_cannot_be_written_is_named(outcomes, manifest, tmp_path):
    with pytest.raises(ValueError, match=r"out must be writable.*no.results\.json"):
        report.write(outcomes, [], manifest, tmp_path / "no")
    (tmp_path / "claims").touch()
    with pytest.raises(ValueError, match=r"out must be writable.*claims"):
        report.write(outcomes, [], manifest, tmp_path)


def test_neighbours_are_those_of_the_run():
    few = [outcome_of(bounds.get(i), [], 0, None) for i in ("sglu.alg6", "sglu.lem3.6")]
    results = [of_run(outcome, {}) for outcome in few]
    first, last = (page.claim_page_text(results, i) for i in (0, 1))
    assert 'rel="next" href="sglu.lem3.6.html"' in first
    assert 'rel="prev" href="sglu.alg6.html"' in last
    assert 'rel="next"' not in last


def test_a_page_says_what_its_forms_are_measured_in():
    claim = bounds.get("olu.thm5")
    outcome = outcome_of(claim, list(clashes(claim)), 0.0, None)
    text = page.claim_page_text([of_run(outcome, {})], 0)
    assert "its terms have different units" in text
    assert "· in loss" in text
    assert "<td>loss/parameter^2</td></tr>" in text
    told = "</span> D in parameter, k^(11/10)*sqrt(d/epsilon) in 1</p>"
    assert text.count(told) == 3
    (row, *_) = document([outcome], [], {})["claims"][0]["verdicts"]
    assert row["clashes"] == ["D in parameter, k^(11/10)*sqrt(d/epsilon) in 1"]


def test_files_of_others_beside_ours_stay(tmp_path):
    from verify.report.folder import OURS, _remove_others

    for folder in ("claims", "errata"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "old.html").write_text(OURS)
        for suffix in ("md", "tex"):
            (tmp_path / folder / f"old.{suffix}").write_text("notes")
    _remove_others(tmp_path, set())
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("old.*")}
    assert left == {"claims/old.md", "claims/old.tex"}

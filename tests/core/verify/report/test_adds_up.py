"""The strip, the list, the errata and the exports of one report count the same claims."""

import csv
import json
import re
from collections import Counter

import pytest

from bounds import Interpretation, Statement
from verify import report
from verify.evidence import Comparison, Declaration
from verify.outcome import outcome_of
from verify.report.errata import WRONG
from verify.words import kind_of

# Statement -> its interpretations with their stances and the word that each is to get.
CLAIMS = {
    "p.fine": [("literal", "plain", "not refuted")],
    "p.wrong": [("literal", "plain", "false")],
    "p.mixed": [("literal", "plain", "not refuted"), ("wide", "plain", "false")],
    "p.turned": [("literal", "plain", "vacuous"), ("narrow", "plain", "not refuted")],
    "p.component": [("literal", "plain", "not refuted"), ("end", "component", "false")],
    "p.amended": [("literal", "plain", "not refuted"), ("wide", "amended", "false")],
    "p.context": [("literal", "out_of_context", "false"), ("meant", "plain", "not refuted")],
    "p.saved": [("literal", "plain", "false"), ("narrow", "amended", "not refuted")],
    "q.open": [("literal", "plain", "unspecified"), ("units", "component", "false")],
    "q.half": [("literal", "plain", "not refuted"), ("order", "component", "unspecified")],
    "q.ours": [("literal", "plain", "not refuted"), ("wide", "amended", "false")],
    "q.failed": [("literal", "plain", "false")],
}
EXPECTED = {
    "p.fine": "not refuted",
    "p.wrong": "false",
    "p.mixed": "mixed",
    "p.turned": "mixed",
    "p.component": "mixed",
    "p.amended": "not refuted",
    "p.context": "not refuted",
    "p.saved": "false",
    "q.open": "mixed",
    "q.half": "not refuted",
    "q.ours": "not refuted",
    "q.failed": "false",
}


OURS = ("q.ours", "q.failed")


def evidence(interpretation, form, word):
    if word == "unspecified":
        return Declaration(interpretation, form, word, "no rate is given")
    role = "class" if word == "vacuous" else "bound"
    measured = 0.5 if word == "not refuted" else 2.0
    return Comparison(interpretation, form, f"under {interpretation}", {}, measured, 1.0, role=role)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    outcomes = []
    for id, interpretations in CLAIMS.items():
        form = "tight" if id in OURS else "printed"
        made = tuple(
            Interpretation(name, f"read {name}", {form: "<="}, stance=s)
            for name, s, _ in interpretations
        )
        claim = Statement(id, f"Lemma {id}", "inequality", "a <= b", made)
        found = [evidence(name, form, word) for name, _, word in interpretations]
        outcomes.append(outcome_of(claim, found, 0.0, None))
    folder = tmp_path_factory.mktemp("sums")
    about = {"seed": 0, "profile": "quick", "scale": 1.0, "device": "cpu"}
    report.write(outcomes, [], about, folder)
    return folder


def entries(page):
    """Words of the entries of a page of errata, and of its remarks."""
    numbered, _, noted = page.partition("<h2>Remarks</h2>")
    entry = r'<h2>[^<]*</h2> <span class="verdict [a-z]+">([^<]+)</span>'
    return tuple(list(map(str.lower, re.findall(entry, part))) for part in (numbered, noted))


def test_every_place_counts_the_same(site):
    index = (site / "report.html").read_text()
    strips = {
        origin: {
            word: int(n)
            for n, word in re.findall(r'<a href="#verdict=[^"]*"><b>(\d+)</b> ([^<]+)</a>', part)
        }
        for origin, part in re.findall(r'data-origin="(\w+)">\n(.*?)</ul>', index, re.DOTALL)
    }
    rows = Counter(re.findall(r'data-verdict="([^"]+)" data-origin="(\w+)"', index))
    document = json.loads((site / "results.json").read_text())
    with (site / "claims.csv").open(newline="") as file:
        exported = {row["claim"]: row["headline"] for row in csv.DictReader(file)}
    assert exported == EXPECTED == {c["id"]: c["headline"] for c in document["claims"]}
    counts = Counter(
        (kind_of(word), "ours" if id in OURS else "paper") for id, word in EXPECTED.items()
    )
    assert rows == counts
    by_origin = {origin: {} for origin in ("paper", "ours")}
    for (word, origin), n in counts.items():
        by_origin[origin][word] = n
    assert strips == document["summary"]["headlines"] == by_origin
    corrected = Counter()
    for paper in "pq":
        listed, _ = entries((site / "errata" / f"{paper}.html").read_text())
        corrected.update(kind_of(word) for word in listed)
        assert re.search(rf'errata/{paper}\.html">{len(listed)} statements?</a>', index)
    assert corrected == {word: n for word, n in strips["paper"].items() if word in WRONG}


def test_whose_a_claim_is_stands_in_every_export_and_page(site):
    document = json.loads((site / "results.json").read_text())
    assert {c["id"] for c in document["claims"] if c["origin"] == "ours"} == set(OURS)
    with (site / "claims.csv").open(newline="") as file:
        assert {r["claim"] for r in csv.DictReader(file) if r["origin"] == "ours"} == set(OURS)
    cells = [line.split(" & ") for line in (site / "claims.tex").read_text().splitlines()]
    marked = [row[1] for row in cells if len(row) > 2 and row[2] == "ours"]
    assert {id.replace(r"\allowbreak{}", "") for id in marked} == set(OURS)
    assert "Ours: the paper prints no form of this." in (site / "claims/q.ours.html").read_text()
    assert "Ours" not in (site / "claims/p.fine.html").read_text()
    assert "1 of 2 statements needs a correction" in (site / "errata" / "q.html").read_text()


def test_the_table_says_how_many_ways_to_read_a_claim_count(site):
    index = (site / "report.html").read_text()
    assert "read in 2 ways: 1 not refuted, 1 false" in index
    assert '<span class="soft">does not count:</span> <span class="bad">1 false</span>' in index


def test_what_fails_only_amended_or_out_of_context_is_a_remark(site):
    listed, remarks = entries((site / "errata" / "p.html").read_text())
    assert Counter(listed) == {"false": 2, "mixed": 3}
    assert remarks == ["not refuted", "not refuted"]
    listed, remarks = entries((site / "errata" / "q.html").read_text())
    assert (listed, remarks) == (["mixed"], ["not refuted", "not refuted", "false"])


def test_a_mixed_claim_names_its_interpretations_wherever_it_stands(site):
    named = "not refuted: literal; false: wide"
    assert named in (site / "errata/p.md").read_text().replace("\\", "")
    for name in ("claims/p.mixed.html", "errata/p.html"):
        text = (site / name).read_text()
        for words in ("read literal", "read wide"):
            assert words in text or (name, words) == ("errata/p.html", "read literal"), name
    document = json.loads((site / "results.json").read_text())
    assert {c["id"]: c["disagreement"] for c in document["claims"]}["p.mixed"] == named
    text = (site / "errata" / "p.md").read_text()
    assert "**False (wide: read wide).**" in text
    assert "Under wide: measured 2, claimed at most 1" in text

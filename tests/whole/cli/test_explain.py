"""`forgetproof explain` and `cite` of every claim: 25 lines that say what is true of it."""

import json
import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import bounds
from forgetproof.cli import COMMANDS, run
from forgetproof.commands._explanation_text import COLUMNS, CUT, LINES, full_text, short_text
from tests.whole.verify.test_failures import PAPERS
from verify import record
from verify.explanation import PROVISOS, explanation, way
from verify.glosses import GLOSSES
from verify.interpretations import is_green
from verify.stored import stored

SIGNS = re.compile(r"\*\*|\\|\bTrue\b|\bFalse\b|= None\b|\bnan\b", re.ASCII)
"""What no line has: code, TeX, and values that a person does not write."""
HEADS = (
    "It says",
    "What fails",
    "Tested",
    "Not tested",
    "Example",
    "Closest",
    "Read as",
    "It stands if",
)
HEADS += ("Every way", "Correction", "Formula", "Parts", "Note", "Cite", "History", "Next")


@pytest.fixture(scope="module")
def explained():
    """Every claim's explanation, by id."""
    return {claim.id: explanation(claim) for claim in bounds.statements()}


def call(capsys, *arguments):
    code = run(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def heads(text):
    """The heads of the lines, in their order."""
    return [line[:13].strip() for line in text.splitlines()[1:] if line[:1].strip()]


def test_every_claim_has_at_most_25_lines_of_92_columns(explained):
    for id, known in explained.items():
        text = short_text(known)
        lines = text.splitlines()
        assert len(lines) <= LINES == 25, id
        assert max(map(len, lines)) <= COLUMNS == 92, id
        assert not SIGNS.search(text), (id, SIGNS.search(text))
        assert [h for h in HEADS if h in heads(text)] == heads(text), id


def test_every_claim_has_its_verdict_what_was_done_and_its_citation(explained):
    for id, known in explained.items():
        first, *lines = short_text(known).splitlines()
        assert f": {known.verdict.upper()}, " in " ".join([first, *lines[:1]]), id
        found = set(heads("\n".join([first, *lines])))
        assert {"It says", "Read as", "Cite", "Next"} <= found, id
        assert len(found & {"What fails", "Tested", "Not tested"}) == 1, id
        assert ("What fails" in found) == stored(bounds.get(id)).wrong, id
        # A citation is whole, or it is none.
        cited = " ".join(" ".join(line.split()) for line in lines)
        assert " ".join(known.cite.split()) in cited.replace("Cite ", ""), id


def test_what_is_not_cut_is_all_there_is(explained):
    for id, known in explained.items():
        if CUT in short_text(known):
            continue
        ways = map(way, stored(bounds.get(id)).interpretations)
        longer = full_text(known, ways).splitlines()
        assert [line for line in short_text(known).splitlines() if line not in longer] == [], id


def test_in_full_nothing_is_cut_and_the_history_is_there(capsys):
    code, out, _ = call(capsys, "explain", "hf.thm4.3", "--full")
    assert code == 0
    assert CUT not in out
    assert {"Every way", "History"} <= set(heads(out))
    assert re.search(r"History +\d{4}-\d\d-\d\d: false", out)


@pytest.mark.parametrize("paper", PAPERS)
def test_a_claim_that_fails_says_what_should_stand(paper, explained):
    failing = [e for e in explained.values() if e.key == paper and e.origin == "paper"]
    failing = [e for e in failing if e.what_fails]
    assert failing or paper == "own"
    assert not [e.id for e in failing if not e.correction]


def test_the_algorithm_that_ends_an_epoch_late(capsys):
    code, out, err = call(capsys, "explain", "sglu.alg5")
    assert (code, err) == (0, "")
    assert out.startswith("Algorithm 5 of sglu: FALSE, a case inside its hypotheses breaks it\n")
    assert "ε = 2.5, δ = 0.01, σ = 1.5 √loss, η = 0.25 parameter²/loss" in out
    assert "min{K ≥ 1 : ε_K ≤ ε̂}" in out
    assert "forgetproof replay sglu.alg5 --as-script" in out


def test_parts_have_one_line_that_says_which_fail(capsys):
    _, out, _ = call(capsys, "explain", "olu", "Theorem 2")
    (line,) = [line for line in out.splitlines() if line.startswith("Parts")]
    assert "2 more under this label, of which 2 fail: olu.thm2.unlearn, olu.thm2.proof" in line


def test_a_document_has_the_same_under_the_same_names(capsys, explained):
    for id in ("olu.thm2", "sglu.lem3.4", "own.opt", "guo.residual", "safe.eq1"):
        code, out, _ = call(capsys, "explain", id, "--json")
        found = json.loads(out)
        known = explained[id].document()
        assert code == 0
        for name in known.keys() - {"parts"}:
            assert json.dumps(found[name]) == json.dumps(_plain(known[name])), name
        assert [part["id"] for part in found["parts"]] == [part["id"] for part in known["parts"]]
        assert found["history"]
        assert found["interpretations"][0]["verdicts"]


def _plain(value):
    """As JSON has it: an infinity is a word."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, float) and abs(value) == float("inf"):
        return "inf" if value > 0 else "-inf"
    return value


def test_a_claim_that_was_edited_after_its_run_says_so(monkeypatch):
    claim = bounds.get("sglu.alg5")
    then = record.of_claim(claim).sources
    monkeypatch.setattr(record, "sources", lambda claim: then)
    assert explanation(claim).changed == ""
    monkeypatch.setattr(record, "sources", lambda claim: "another")
    known = explanation(claim)
    assert "before the file of the formula or of its check was last changed" in known.changed
    assert "Note" in heads(short_text(known))


def test_without_a_record_nothing_is_invented(monkeypatch):
    monkeypatch.setattr(record, "of_claim", lambda claim: None)
    for id in ("sglu.alg5", "sglu.lem3.4", "olu.thm2"):
        known = explanation(bounds.get(id))
        assert known.example is None
        assert known.history == ()
        assert "run of" not in known.cite
        assert short_text(known)


def test_every_verdict_has_a_gloss(explained):
    assert {e.gloss for e in explained.values()} <= {each.meaning for each in GLOSSES.values()}
    assert len(GLOSSES) == 11


def test_the_glossary_has_the_glosses(pytestconfig):
    glossary = (pytestconfig.rootpath / "docs" / "glossary.md").read_text("utf-8")
    for word, each in GLOSSES.items():
        assert f"| `{word}` | {each.meaning} |" in glossary, word


def test_a_citation_is_one_sentence_or_entries(capsys):
    code, out, _ = call(capsys, "cite", "sglu.alg5")
    assert code == 0
    assert re.fullmatch(
        r"Algorithm 5 of Chien et al\. \(2024\), arXiv:2403\.17105v1 is false as stated "
        r"\(forgetproof [\d.]+, claim sglu\.alg5, run of [\d-]+, quick profile, seed 0\)\.\n",
        out,
    )
    code, out, _ = call(capsys, "cite", "hf.thm4.3", "--bibtex")
    assert code == 0
    assert out.count("@") == 2
    assert "note          = {Version of arXiv that was read: v1 or v2}" in out
    code, out, _ = call(capsys, "cite", "hf.thm4.3", "--json")
    found = json.loads(out)
    assert (found["id"], len(found["bibtex"])) == ("hf.thm4.3", 2)
    assert "arXiv:2404.01712 (version: v1 or v2)" in found["sentence"]


def test_what_is_ours_beside_a_paper_is_not_the_papers(explained):
    ours = [e for e in explained.values() if e.origin == "ours" and e.key != "own"]
    assert ours
    assert all("a statement of forgetproof beside" in e.cite for e in ours)
    assert all(", ours: " in short_text(e).replace("\n ", "") for e in ours)


def test_every_paper_says_which_version_was_read():
    """Or what is known of it, where nothing tells with certainty."""
    for paper in bounds.papers():
        if not paper.foreign and paper.arxiv:
            assert bool(paper.version) != bool(paper.edition), paper.key


@pytest.mark.parametrize("command", ["explain", "cite"])
@settings(max_examples=15)
@given(st.text(string.printable + "ε²\ud800", min_size=1, max_size=30))
def test_a_name_of_no_claim_is_refused_in_a_line(command, text):
    try:
        bounds.claim(text)
    except ValueError:
        assert run([command, "--", text]) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["explain", "sglu.alg5", "--latex"], "latex must not be given without --where-lost"),
        (["explain", "sglu.alg5", "--full", "--where-lost"], "full must not be given with"),
        (["explain", "sglu.alg5", "--paper", "olu"], "must name a claim of olu"),
        (["cite", "sglu.algo5"], "did you mean sglu.alg5 (Algorithm 5)"),
    ],
    ids=["latex", "full", "paper", "id"],
)
def test_what_a_question_does_not_use_is_refused(capsys, arguments, said):
    code, out, err = call(capsys, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_five_statements_are_proposed(capsys):
    _, _, err = call(capsys, "explain", "sglu.thm32")
    assert err.count("(Theorem") == 5
    assert "did you mean sglu.thm3.2 (Theorem 3.2) or " in err


def test_a_claim_stands_by_the_fairest_way_to_read_it(explained):
    """What a reader could mean comes before words without their context, and what is ours last."""
    ours = 0
    for id, known in explained.items():
        held = stored(bounds.get(id))
        green = [
            each.stance
            for each in held.interpretations
            if (verdict := each.verdict(held.own_form)) and is_green(verdict.word)
        ]
        assert bool(known.it_stands_if) == (held.wrong and bool(green)), id
        if known.it_stands_if and "plain" not in green:
            ours += known.it_stands_if.startswith("with a hypothesis that we add: ")
            assert known.it_stands_if.startswith(("for ", "with ")), id
        elif known.it_stands_if:
            assert not known.it_stands_if.startswith(tuple(filter(None, PROVISOS.values()))), id
    assert ours


def test_what_to_run_next_are_up_to_three_commands_of_this_claim(explained):
    for id, known in explained.items():
        assert 1 <= len(known.next) <= 3, id
        for each in known.next:
            words = each.command.split()
            assert words[0] == "forgetproof", id
            assert words[1] in COMMANDS, id
            assert words[2] == id, id
        scripts = [each for each in known.next if each.command.endswith("--as-script")]
        assert len(scripts) <= stored(bounds.get(id)).wrong, id

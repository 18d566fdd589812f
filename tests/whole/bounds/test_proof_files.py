"""Proofs beside statements: accepted, bound to forms, hypotheses explained, changes noticed."""

import re
from itertools import islice
from types import SimpleNamespace

import pytest

import bounds
from bounds import certificates
from bounds.kernel import ProofRejected, theorems
from bounds.proof_files import ProofFile, of_claim, of_form, of_paper
from bounds.proof_files.hypotheses import of_its_own, symbols_alone
from bounds.proof_files.mutants import bindings, mutants, reason

FILES = [file for paper in bounds.papers() for file in of_paper(paper)]
NAMES = [f"{file.id}-{file.form}" for file in FILES]
FROM = [file for file in FILES if file.form in bounds.get(file.id).forms]


def accepts(file, text, claim=None):
    changed = ProofFile(file.id, file.form, file.interpretations, file.path, text)
    try:
        changed.checked() if claim is None else changed.bound(claim)
    except ProofRejected:
        return False
    return True


def test_there_are_proofs_of_many_claims():
    assert len({file.id for file in FILES}) >= 75


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_a_proof_is_accepted_and_is_of_the_form(file):
    claim = bounds.get(file.id)
    proof = file.bound(claim)
    assert (proof.id, proof.form) == (file.id, file.form)
    # What is listed without checking is what the checker saw.
    assert proof.theorems == file.theorems
    assert proof.settings == file.settings


@pytest.mark.parametrize("file", FILES, ids=NAMES)
def test_hypotheses_on_symbols_are_ranges_or_required(file):
    claim = bounds.get(file.id)
    own = of_its_own(file.checked(), claim)
    assert not [given for given in own if claim.symbols and symbols_alone(given, claim)]


@pytest.mark.parametrize("file", FROM, ids=[f"{f.id}-{f.form}" for f in FROM])
def test_no_change_of_what_is_bound_is_still_the_form(file):
    claim = bounds.get(file.id)
    changed = list(bindings(file.text))
    assert not [mutant.after for mutant in changed if accepts(file, mutant.text, claim)]


@pytest.mark.parametrize("place", range(3))
def test_a_change_that_is_accepted_has_a_reason(place, full):
    # One of 80 in the default profile, all of them in the full one.
    changed = ((file, mutant) for file in FILES for mutant in mutants(file.text))
    for file, mutant in islice(changed, place, None, 3 if full else 240):
        if accepts(file, mutant.text):
            assert reason(mutant)
            assert not (mutant.kind == "relation reversed" and mutant.before.startswith("show"))


def test_a_form_says_that_it_is_proved_and_from_what():
    claim = bounds.get("own.x3.i")
    proof = certificates.proof(claim, "literal", "tight")
    assert (proof.level, proof.told) == ("proved", "proved from meet, shift, start")
    assert proof.file, "what is written out stays"
    assert proof.formal_text(bounds.paper("own").module(claim.id)).startswith("theorem own.x3.i")
    one_side = certificates.proof(bounds.get("own.dual"), "literal", "tight")
    assert one_side.told == "proved at most, nothing bound, from algebra alone"


def test_another_interpretation_is_not_proved_by_it():
    claim = bounds.get("sglu.eq14_17")
    assert of_form(claim, "literal", "printed")
    assert of_form(claim, "longer", "printed") is None


def test_a_proof_of_another_form_proves_nothing():
    claim = bounds.get("olu.eq2")
    (file,) = [file for file in of_claim(claim) if file.form == "tight"]
    weaker = file.text.replace("L^2/(2*mu)*H(T)", "L^2/mu*H(T)")
    assert weaker != file.text
    assert not accepts(file, weaker, claim)


@pytest.mark.parametrize(
    ("goal", "rule"),
    [
        ("0*(2*epsilon) <= 0", "algebra"),
        ("2*epsilon - 2*epsilon <= 0", "algebra"),
        ("0 <= 1 + 2*epsilon - 2*epsilon", "1"),
        ("for k nat; if 1 <= 0*k: 0 <= 2*epsilon", "[if] + [eps_]"),
    ],
)
def test_a_part_of_the_goal_is_not_what_it_shows(goal, rule):
    claim = bounds.get("olu.rdp2dp")
    text = (
        "theorem olu.rdp2dp printed\nfor epsilon, delta, alpha: real\ngiven eps_: 1 <= epsilon\n"
        f"show {goal}\nhence by {rule}\nbinds 2*epsilon = form\n"
    )
    (file, *_) = of_claim(claim)
    changed = ProofFile(file.id, "printed", file.interpretations, file.path, text)
    with pytest.raises(ProofRejected, match="bound"):
        changed.bound(claim)


def test_a_claim_of_no_installed_paper_has_none():
    assert of_claim(SimpleNamespace(id="x.y", paper="x")) == ()


def test_every_named_theorem_is_used():
    text = "\n".join(file.text for file in FILES)
    assert not [name for name in theorems() if not re.search(rf" by {name}\(", text)]

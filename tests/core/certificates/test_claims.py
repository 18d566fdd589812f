"""A claim of settings is computed anew from those in use, and refused where they need more."""

import json
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from accounting.curves.gaussian import epsilon_gdp
from accounting.problems import SampledDescent
from accounting.problems.contraction import Contraction
from accounting.sampled.privacy import sampled_epsilon
from forgetproof.certificates import UnlearningCertificate, check_settings, claim_document
from forgetproof.certificates.certificate import rounded_up
from forgetproof.certificates.claim import mechanism_digest
from forgetproof.certificates.sheet import markdown
from forgetproof.cli import run
from forgetproof.testing import assert_claim
from tests.core.certificates.made import certified

PROBLEM = SampledDescent(
    n=1437,
    batch_size=62,
    rate=1 / 23,
    steps=460,
    unlearning_steps=53,
    step_size=0.5,
    smoothness=0.25,
    ridge=0.1,
    rows=14,
)
WORSE = {
    "unlearning_steps": 40,
    "ridge": 0.05,
    "rows": 20,
    "n": 100_000,
    "rate": 0.06,
    "sigma": 0.9,
}
"""Of each setting, a value that needs a larger epsilon than 1."""


def released(distance, sigma):
    """A model at most `distance` from the minimiser, released with noise."""
    table = {"contraction": [1.0], "displacement": [0.0], "noise": [sigma]}
    return Contraction(process=table, initial_distance=distance, diameter=np.inf)


@pytest.fixture(scope="module")
def document():
    return claim_document(PROBLEM, 1.0, epsilon=1.0, delta=1e-5, retraining=513)


@pytest.fixture
def claim(document, tmp_path, monkeypatch):
    """The file of the claim, in the working folder."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "unlearning.json"
    UnlearningCertificate(document).write(path)
    return path


def checked(capsys, *words):
    """Exit code and lines of `forgetproof check` on the claim."""
    code = run(["check", "unlearning.json", *words])
    return code, capsys.readouterr().out.splitlines()


def test_as_saved_it_holds(claim, document, capsys):
    assert json.loads(claim.read_text()) == document
    code, lines = checked(capsys)
    assert (code, lines[0]) == (0, "certified: epsilon 1 at delta 1e-05")
    assert "verified: the number" in lines
    assert "not compared: what the ledger says" in lines
    sharper = document["predicate"]["sharper"]
    assert sharper == {"epsilon": 0.948244, "accountant": "noisy SGD on sampled batches"}


@pytest.mark.parametrize("name", WORSE)
def test_a_setting_that_is_worse_is_named_with_both_numbers(claim, capsys, name):
    value = WORSE[name]
    before = 1.0 if name == "sigma" else getattr(PROBLEM, name)
    with pytest.raises(AssertionError) as failure:
        assert_claim(claim, **{name: value})
    words = str(failure.value)
    assert words.startswith("claimed epsilon 1, certified ")
    assert words.endswith(f"; {name} is {value} in the code, {before} in the claim")
    sigma = value if name == "sigma" else 1.0
    other = PROBLEM if name == "sigma" else replace(PROBLEM, **{name: value})
    # By the accountant itself, on a route without documents.
    true = sampled_epsilon(other.setting, sigma, 1e-5)
    assert true <= check_settings(claim, {name: value}).certified <= true * (1 + 1e-9)
    assert checked(capsys, f"{name}={value}") == (1, [f"refused: {words}"])


EDITS = {
    "unlearning_steps": lambda m: m["steps"][1].update(count=40),
    "ridge": lambda m: [each.update(decay=0.05) for each in m["steps"]],
    "rows": lambda m: m["relation"].update(rows=20),
    "n": lambda m: m.update(n=100_000),
    "rate": lambda m: [each["batches"].update(rate=0.06) for each in m["steps"]],
    "sigma": lambda m: [each["noise"].update(deviation=0.9) for each in m["steps"]],
}


@pytest.mark.parametrize("name", EDITS)
def test_a_document_whose_settings_are_worse_is_refused(claim, document, capsys, name):
    other = json.loads(json.dumps(document))
    mechanism = other["predicate"]["mechanism"]
    EDITS[name](mechanism)
    other["subject"][0]["digest"]["sha256"] = mechanism_digest(mechanism)
    claim.write_text(json.dumps(other))
    code, lines = checked(capsys)
    assert code == 1
    assert len(lines) == 1
    assert lines[0].startswith("refused: claimed epsilon 1, certified ")


def test_the_messages_of_the_specification(claim):
    with pytest.raises(AssertionError, match=r"claimed epsilon 1, certified 2\.024") as failure:
        assert_claim(claim, unlearning_steps=40, ridge=0.1)
    assert str(failure.value).endswith("; unlearning_steps is 40 in the code, 53 in the claim")
    assert check_settings(claim, {"ridge": 0.05}).certified == pytest.approx(7.0255, abs=1e-4)
    assert check_settings(claim, {"rows": 20}).certified == pytest.approx(1.4050, abs=1e-4)


def test_settings_that_are_better_hold_and_are_said(claim, capsys):
    check = assert_claim(claim, unlearning_steps=60, sigma=1.0)
    assert check.certified < 0.65
    assert check.differences == ("unlearning_steps is 60 in the code, 53 in the claim",)
    code, lines = checked(capsys, "unlearning_steps=60", "--json")
    assert code == 0
    told = json.loads("\n".join(lines))
    assert told["certified"] is True
    assert told["settings"]["certified"] == check.certified
    assert told["lines"][-1].startswith("settings in use: claimed epsilon 1, certified 0.636")


def test_a_claim_below_the_checkers_number_rests_on_the_accountant(claim, capsys):
    # The checker certifies .9668, the accountant .94825.
    tight = claim_document(PROBLEM, 1.0, epsilon=0.95, delta=1e-5)
    UnlearningCertificate(tight).write(claim)
    code, lines = checked(capsys)
    assert code == 0
    assert lines[:2] == [
        "certified: epsilon 0.95 at delta 1e-05",
        "verified: the number, by noisy SGD on sampled batches, and not by the checker",
    ]
    assert lines[-1] == "by the checker: refused: claim: epsilon is 0.966821 by the mechanism"
    with pytest.raises(ValueError, match=r"epsilon must be at least 0\.948244, which is certified"):
        claim_document(PROBLEM, 1.0, epsilon=0.94, delta=1e-5)


def test_a_certificate_with_a_ledger_rests_on_the_checker_alone(tmp_path, capsys):
    _, path = certified(tmp_path)
    document = json.loads(path.read_text())
    claim = document["predicate"]["claim"]
    assert check_settings(path, {}).certified < claim["epsilon"] * 0.999
    claim["epsilon"] *= 0.9995
    path.write_text(json.dumps(document))
    assert run(["check", str(path)]) == 1
    assert "refused: claim: epsilon is" in capsys.readouterr().out
    # Without its ledger it is a claim of settings, and the lines say so.
    document["predicate"] |= {"ledger": None, "requests": []}
    path.write_text(json.dumps(document))
    assert run(["check", str(path)]) == 0
    assert "and not by the checker" in capsys.readouterr().out
    with pytest.raises(ValueError, match="requests must be empty without a ledger, got 1"):
        UnlearningCertificate(
            {**document, "predicate": {**document["predicate"], "requests": [REQUEST]}}
        )


REQUEST = {"sequence": 1, "time": 0, "steps": 3, "rows": 1}


def test_a_minimiser_with_noise_is_a_claim_of_its_distance(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    document = claim_document(released(1e-4, 1e-3), 1.0, epsilon=1.0, delta=1e-5)
    UnlearningCertificate(document).write("unlearning.json")
    assert checked(capsys)[0] == 0
    exact = float(epsilon_gdp(0.1, 1e-5))
    assert check_settings(document, {}).certified == pytest.approx(exact, rel=1e-9)
    assert assert_claim(document, distance=2e-4).certified <= 1
    with pytest.raises(AssertionError, match=r"distance is 0\.0004 in the code, 0\.0001 in the cl"):
        assert_claim(document, distance=4e-4)
    with pytest.raises(AssertionError, match=r"sigma is 0\.0 in the code, 0\.001 in the claim"):
        assert_claim(document, sigma=0)
    assert checked(capsys, "sigma=1e-5")[0] == 1


def test_a_digest_of_another_mechanism_is_refused(claim, document, capsys):
    other = json.loads(json.dumps(document))
    other["subject"][0]["digest"]["sha256"] = "0" * 64
    claim.write_text(json.dumps(other))
    words = "refused: mechanism: the digest of the subject is another's"
    assert checked(capsys) == (1, [words])


WRONG = {
    "x=1": "x must be one of n, batch_size, steps, unlearning_steps",
    "sigma=-1": "sigma must be >= 0 and finite, got -1.0",
    "unlearning_steps=0.5": "unlearning_steps must be an integer in [0, 1000000], got 0.5",
    "sampling=sorted": "sampling must be one of 'poisson', 'fixed'",
    "ridge": "arguments are written NAME=VALUE, got 'ridge'",
    "ridge=1 ridge=2": "ridge must be given once, got 1 and 2",
    "rows=14 --ledger unlearning.json": "ledger must be left out for a claim without one",
}


@pytest.mark.parametrize("words", WRONG)
def test_a_setting_that_is_none_is_refused_in_one_line(claim, capsys, words):
    assert run(["check", "unlearning.json", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"forgetproof: {WRONG[words]}")


def test_a_target_that_is_no_claim_is_refused(tmp_path):
    with pytest.raises(ValueError, match=r"target must be a certificate or a claim: .*none\.json"):
        assert_claim(tmp_path / "none.json")
    with pytest.raises(ValueError, match=r"target must be a certificate or a claim: .*got 3"):
        assert_claim(3)
    with pytest.raises(ValueError, match="certificate must have _type, got none"):
        assert_claim({})


def test_a_sheet_says_that_nothing_was_recorded(document):
    text = markdown(UnlearningCertificate(document))
    assert "this is a claim of settings, about any request in which 14 records left" in text
    assert "| claimed | 1 | 1e-05 |" in text
    assert "Training anew takes 513 steps." in text
    assert "the same steps with these records masked" in text
    other = claim_document(released(1e-4, 1e-3), 1.0, epsilon=1.0, delta=1e-5)
    assert "the model trained anew without these" in markdown(UnlearningCertificate(other))


def test_rounding_never_takes_a_claim_below_what_is_certified(document):
    sharper = document["predicate"]["sharper"]["epsilon"]
    certified_epsilon = check_settings(document, {}).certified
    assert certified_epsilon <= sharper == rounded_up(certified_epsilon)
    assert claim_document(PROBLEM, 1.0, epsilon=sharper, delta=1e-5)


def test_nothing_of_torch_is_imported(claim):
    program = (
        "import sys\n"
        "from forgetproof.testing import assert_claim\n"
        "assert_claim('unlearning.json', unlearning_steps=53)\n"
        "from forgetproof.cli import run\n"
        "assert run(['check', 'unlearning.json', 'ridge=0.1']) == 0\n"
        "assert 'torch' not in sys.modules, 'torch'\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


SHAPES = [3, "x", None, [], [None], [3], {}, {"rows": "x"}, {"rows": None}, [{"contraction": 1}]]


@pytest.mark.parametrize("place", ["relation", "steps"])
def test_a_sheet_takes_any_mechanism(document, place):
    """The schema says nothing of what a mechanism holds: what is wrong there says the checker."""
    for shape in SHAPES:
        predicate = document["predicate"]
        mechanism = {**predicate["mechanism"], place: shape}
        other = {**document, "predicate": {**predicate, "mechanism": mechanism}}
        assert "Unlearning certificate" in markdown(UnlearningCertificate(other))

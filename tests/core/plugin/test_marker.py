"""The marker `claim` and the fixtures, in a user's own tests."""

MARKED = """
import pytest

@pytest.mark.claim("olu.thm2")
def test_marked(claim, forgetproof_claims):
    assert claim.forms == ("printed", "corrected", "tight")
    assert claim.label == "Theorem 2"
    assert forgetproof_claims.get("OLU.THM2").claim is claim.claim

@pytest.mark.claim("sglu.lem3.4")
def test_failing():
    assert 1 == 2
"""


def test_a_marker_that_names_no_claim_is_an_error_of_collection(project):
    run = project({"test_m.py": MARKED.replace("olu.thm2", "olu.thm99")}, "-q")
    assert run.returncode == 2
    line = (
        "test_m.py::test_marked: the marker must name a claim (see `forgetproof claims`), "
        "got 'olu.thm99'"
    )
    assert line in run.stdout
    assert "1 error" in run.stdout
    two = project({}, "-q", "-n", "1", plugins=("xdist",))
    assert two.returncode == 1
    assert line in two.stdout


def test_a_marker_without_an_id_is_one_too(project):
    run = project({"test_m.py": MARKED.replace('"olu.thm2"', "")}, "-q")
    assert run.returncode == 2
    assert 'the marker is claim("ID"), got 0 ids' in run.stdout


def test_the_fixture_asks_for_its_marker(project):
    run = project({"test_m.py": "def test_bare(claim):\n    pass\n"}, "-q")
    assert "fixture claim needs a marker: @pytest.mark.claim('ID')" in run.stdout
    assert "1 error" in run.stdout

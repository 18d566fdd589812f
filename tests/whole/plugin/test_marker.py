"""A test that is marked with a claim."""

from tests.core.plugin.test_marker import MARKED


def test_a_marked_test_has_its_claim_and_ends_with_it_when_it_fails(project):
    run = project({"test_m.py": MARKED}, "--strict-markers", "-q")
    assert "1 failed, 1 passed" in run.stdout, run.stdout
    end = run.stdout.partition("- claim sglu.lem3.4 -")[2].partition("= short test summary")[0]
    label, replay, *_ = end.splitlines()[1:]
    assert label.startswith("Lemma 3.4: ")
    assert replay == "forgetproof replay sglu.lem3.4"

"""The tables of mini, as `reproduce` runs them: small, on scikit-learn's digits."""

import numpy as np
import pytest

from verify.mini.reproduced.setting import BATCH, learned
from verify.showcases import showcase
from verify.showcases.data import Chosen

CHOSEN = {"stand_in": "digits", "quick": True}


def cells(name, **options):
    document = showcase(f"mini.{name}").show(Chosen(**CHOSEN | options), 0).document
    return {(c["row"], c["column"]): c for c in document["cells"]}, document["bounds"]


@pytest.mark.parametrize("name", ["table1", "table3"])
def test_accuracies_and_the_bound_of_rewinding(name):
    found, held = cells(name)
    mnist = {key: c for key, c in found.items() if key[0].startswith("MNIST")}
    assert mnist
    for (_, column), cell in mnist.items():
        for value in cell["ours"].values():
            assert value["mean"] >= 0
            assert "distance" in column or value["mean"] <= 1
    assert {b["claim"] for b in held} == {"mini.rewind"}
    assert all(0 < b["attainment"] <= 1 for b in held)


def test_the_shadow_attack_on_retrained_models():
    """No better on unlearned rows than on test rows, but on retained ones."""
    found, _ = cells("table2")
    for interpretation in ("eta .01, as printed", "eta 1"):
        ours = {
            column: found["10%, MNIST, Retraining", column]["ours"][interpretation]["mean"]
            for column in ("AUC, unlearned", "AUC, retained")
        }
        assert abs(ours["AUC, unlearned"] - 0.5) < 5 / np.sqrt(12 * 48)
        assert ours["AUC, retained"] > ours["AUC, unlearned"]


def test_other_data_are_asked_for_by_their_file(tmp_path):
    found, _ = cells("table3")
    assert "covtype.npz" in found["Covtype", "k = 2"]["cause"]
    random = np.random.default_rng(0)
    rows, labels = random.standard_normal((400, 5)), random.integers(1, 4, 400)
    rows[np.arange(400), labels] += 3.0
    np.savez(tmp_path / "covtype.npz", X=rows, y=labels)
    found, _ = cells("table3", stand_in="", mnist=str(tmp_path))
    assert found["Covtype", "k = 10"]["ours"]["eta 1"]["mean"] > 0.5
    assert "higgs.npz" in found["HIGGS", "k = 2"]["cause"]


def test_methods_end_where_they_should():
    problem = learned(Chosen(**CHOSEN), "MNIST", 0, 1.0)
    gone = problem.forget(0.1)
    assert len(gone) == 48
    retrained = problem.unlearned("Retraining", gone)
    walked = problem.training.run(problem.model, gone, "mean").last
    np.testing.assert_array_equal(retrained, walked)
    steps = problem.training.length
    np.testing.assert_allclose(
        problem.unlearned("Mini", gone, 0), problem.unlearned("nothing", gone)
    )
    assert steps == 4 * -(-480 // BATCH)
    # Following all steps comes closer than following none.
    far, near = (np.linalg.norm(problem.unlearned("Mini", gone, k) - retrained) for k in (0, steps))
    assert near < far / 2

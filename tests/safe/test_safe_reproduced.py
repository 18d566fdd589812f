"""The figures and tables of safe, as `reproduce` runs them: small, on scikit-learn's digits."""

import numpy as np
import pytest

from verify.safe.reproduced.setting import averaged, stream
from verify.safe.settings import kurtosis_p
from verify.showcases import showcase
from verify.showcases.data import Chosen

CHOSEN = {"stand_in": "digits", "quick": True}


def cells(name):
    document = showcase(f"safe.{name}").show(Chosen(**CHOSEN), 0).document
    return {(c["row"], c["column"]): c for c in document["cells"]}, document["bounds"]


@pytest.mark.parametrize("name", ["table2", "fig2"])
def test_runs_keep_to_their_bounds_and_the_rest_says_why(name):
    found, held = cells(name)
    for (row, column), cell in found.items():
        assert bool(cell["ours"]) != cell["cause"].startswith(("not built", "a CNN", "a ResNet"))
        for value in cell["ours"].values():
            top = 1.0 if column in ("AUC", "precision", "recall") else 100.0
            assert 0 <= value["mean"] <= top, (row, column)
    assert {b["claim"] for b in held} == {"safe.thm2iii.ridge", "safe.vt.ridge"}
    assert all(0 < b["attainment"] <= 1 for b in held)


def test_after_the_last_round_no_retrained_model_knows_the_class():
    found, _ = cells("table10")
    for column in ("FA", "TA(F)"):
        ours = found["MNIST, Retrain", column]["ours"]
        assert ours["after the last round"]["mean"] == 0
        assert ours["mean over rounds"]["mean"] > 60
    assert found["MNIST, keep w_0", "FA"]["ours"]["after the last round"]["mean"] > 90


def test_tabular_data_come_from_a_file(tmp_path):
    random = np.random.default_rng(0)
    labels = random.integers(1, 4, 400)
    rows = random.standard_normal((400, 5))
    rows[np.arange(400), labels] += 3.0
    np.savez(tmp_path / "covtype.npz", X=rows, y=labels)
    document = showcase("safe.table4").show(Chosen(mnist=str(tmp_path), quick=True), 0).document
    found = {(c["row"], c["column"]): c for c in document["cells"]}
    for name in ("Retrain", "Desc", "SAFE"):
        assert found[f"CoverType, {name}", "TA"]["ours"]["ours"]["mean"] > 50
    assert "sst2.npz" in found["SST-2, SAFE", "TA"]["cause"]
    assert {b["claim"] for b in document["bounds"]} == {"safe.thm2iii.ridge", "safe.vt.ridge"}


def test_accuracies_are_of_who_is_kept_who_left_and_who_was_never_there():
    found = stream(Chosen(**CHOSEN), 1)
    models = found.published("keep w_0")[0]
    learn, test = found.parts
    right = (learn.features @ models[0]).argmax(axis=1) == learn.targets
    kept = found.deletions.kept(2)[0]
    wanted = [
        right[kept].mean(),
        right[~kept].mean(),
        ((test.features @ models[0]).argmax(axis=1) == test.targets).mean(),
    ]
    np.testing.assert_allclose(found.accuracies(models)[1], 100 * np.array(wanted))
    means = averaged(found, models)
    assert means["RA"] == pytest.approx(found.accuracies(models)[:, 0].mean())
    # Without a forgetting term the step is along the retention gradient alone, in both
    # interpretations.
    a, b = (found.published("SAFE", weight=0.0, variant=v)[0] for v in ("printed", "corrected"))
    np.testing.assert_allclose(a, b)
    np.testing.assert_allclose(
        np.linalg.norm((a - found.start).reshape(len(a), -1), axis=1), found.step_length(2.5)
    )


def test_the_p_values_of_kurtosis():
    """Uniform under normal rows (mean 1/2 within five standard errors), small under others."""
    random = np.random.default_rng(0)
    values = [kurtosis_p(random.standard_normal((400, 3))) for _ in range(200)]
    assert abs(np.mean(values) - 0.5) < 5 * 0.29 / np.sqrt(200)
    assert kurtosis_p(random.exponential(size=(400, 3))) < 1e-6


@pytest.mark.parametrize("name", ["fig3", "fig4", "fig5", "table6", "table7", "table8"])
def test_what_is_out_of_reach_prints_the_numbers_and_the_reason(name):
    found, _ = cells(name)
    assert found
    assert all(c["cause"] and not c["ours"] for c in found.values())
    assert showcase(f"safe.{name}").why

"""Corrected bounds hold on logistic regression over real digits: scikit-learn's and MNIST's."""

import os
from pathlib import Path

import numpy as np
import pytest

from accounting.noisy_sgd.langevin import NoisySGD, mu_unlearning
from bounds.declared import views
from simulators.runs.langevin import MNIST_VARIABLE, LangevinUnlearning
from verify.measurements import sample

BESIDE = Path(__file__).resolve().parents[4] / "shared" / "data"
FOLDER = Path(os.environ.get(MNIST_VARIABLE, BESIDE))
DIGITS = "logistic loss on digits"


@pytest.fixture(scope="module", params=["digits", "mnist"])
def found(request):
    """One run of the task; 256 trials of MNIST take about two seconds."""
    if request.param == "digits":
        return _viewed(sample("langevin", DIGITS, 0))
    if not (FOLDER / "t10k-images-idx3-ubyte.gz").is_file():
        pytest.skip(f"no MNIST files in {FOLDER} (set {MNIST_VARIABLE})")
    mnist = {"data": "mnist", "data_folder": str(FOLDER), "batch_size": 128, "sigma": 0.0005}
    return _viewed(
        LangevinUnlearning(**{**LangevinUnlearning.samples[DIGITS], **mnist, "trials": 256}).run()
    )


def _viewed(run):
    """The run, which measures what papers add to it as well."""
    for view in views("langevin"):
        run.view(view)
    return run


def setting_of(run):
    k = run.constants
    return NoisySGD(k["n"], k["b"], k["L"], k["m"], k["M"], step_size=k["eta"], radius=k["R"])


def test_the_task_is_what_the_reports_say(found):
    k = found.constants
    assert k["n"] % k["b"] == 0
    assert np.linalg.norm(found.data.features, axis=1) == pytest.approx(1)
    assert k["M"] == pytest.approx(0.5, rel=1e-12)  # a flipped label moves the gradient by |x|
    # The bound on the distance is far from the trivial one: the guarantee is not vacuous.
    assert setting_of(found).distance() < 0.1 * 2 * k["R"]


def test_coupled_distances_are_below_lemma_3_5_and_within_reach(found):
    """No statistical error: the inequality holds for every path, and is all but attained."""
    bound = float(setting_of(found).distance(1))
    assert 0.5 * bound < found["learned_distance"].values[0] <= bound * (1 + 1e-9)
    after = found.paths.largest[-1]
    assert 0 < after < found["learned_distance"].values[-1]


@pytest.mark.parametrize(("target", "name"), [("T", "retrained_mu"), ("T+K", "aligned_mu")])
def test_the_measured_mu_is_below_the_exact_accountant_and_above_zero(found, target, name):
    """At level 1e-10 the lower limit of mu is positive (power) and below the guarantee (truth)."""
    k = found.constants
    bound = mu_unlearning(setting_of(found), k["sigma"], k["K"], learn_epochs=k["T"], target=target)
    assert 0 < found[name].values <= bound


def test_the_epochs_run_are_the_epochs_billed(found):
    n, T, K = (found.constants[name] for name in ("n", "T", "K"))
    assert found.result.gradient_evaluations == {"learn": T * n, "request 1": K * n}

"""Every argument of every public function of `accounting`: see `contract`.

Public is what `accounting.__all__` names, and the public methods of its classes.
"""

import pytest

import accounting
from accounting import DeletionSchedule, NoisySGD, OnlineDescent, RenyiCurve, SampledSGD
from tests.core.invalid_input.entries import Made, Table, exported
from tests.core.invalid_input.values import FUNCTIONS

RECORDS = {"Allocation", "SequencePrivacy", "Transport"}
"""Answers, which no caller makes."""

SAMPLES = {
    "accountant": "spread",
    "alpha": 5.0,
    "batch_size": 2,
    "batches": 3,
    "contraction": 0.5,
    "curve": Made(lambda: RenyiCurve.linear(0.1)),
    "curve1": Made(lambda: RenyiCurve.linear(0.1)),
    "curve2": Made(lambda: RenyiCurve.linear(0.2)),
    "delta": 1e-5,
    "descent": Made(lambda: OnlineDescent(0.5, 2.0, 1.0, 0.3)),
    "diameter": 2.0,
    "distance": 1.0,
    "epochs": [1, 2],
    "epsilon": 1.0,
    "errors": [1.0, 0.0],
    "fresh_distance": 1.0,
    "function": Made(lambda: lambda alpha: 0.1 * alpha),
    "hits": {0: 1},
    "indices": [1, 2],
    "initial_distance": 3.0,
    "index": 1,
    "k": 2,
    "sensitivity": 1.0,
    "kind": "linear",
    "learn_epochs": 2,
    "lipschitz": 1.0,
    "log_factors": [0.0],
    "log_shifts": [0.0],
    "mu": 1.0,
    "mus": [1.0, 2.0],
    "n": 9,
    "noise": 1.0,
    "path": [[1.0, 0.0]],
    "privacy": Made(lambda: lambda s: 1 / s),
    "removed": 2,
    "requests": 2,
    "rho": 0.1,
    "rounds": 3,
    "schedule": Made(lambda: DeletionSchedule([1, 2], [3, 5])),
    "setting": Made(lambda: NoisySGD(6, 2, 1.0, 0.5, 1.0, 0.8, 2.0)),
    "sigma": 0.3,
    "sizes": [2, 3],
    "smoothness": 1.0,
    "step_size": 0.5,
    "steps": 3,
    "strong_convexity": 0.1,
    "target": 1.0,
    "time": 3,
    "times": [3, 5],
    "type_i": 0.1,
    "unlearn_epochs": 1,
}
CHAIN = {"contraction": [0.5, 0.5], "shift": [1.0, 0.0], "noise": [1.0, 1.0]}
SAMPLED = {
    "n": 8,
    "batch_size": 4,
    "steps": 4,
    "unlearning_steps": 2,
    "step_size": 0.5,
    "smoothness": 0.2,
}
ASKED = {"setting": Made(lambda: SampledSGD(**SAMPLED)), "accountant": "mixture"}
LEARNED = {"learn_epochs": 2, "target": "T"}
CALLS = {
    "NoisyContraction": CHAIN,
    "NoisySGD": {"n": 6},
    "OnlineDescent": {"strong_convexity": 0.5, "step_size": 0.3},
    "RenyiCurve": {"rho": 0.1},
    "RenyiCurve.of": {"function": Made(lambda: lambda alpha: 0.1 * alpha)},
    "NoisyContraction.scaled_noise": {"factor": 2.0},
    "NoisySGD.distance": {"position": 0},
    "NoisySGD.position": {"position": 0},
    "SampledSGD": {
        **SAMPLED,
        "ridge": 0.1,
        "noise_profile": 1.0,
        "rate": 0.5,
        "rows": 1,
        "row_share": 0.5,
        "published": (4, 5),
    },
    "SampledSGD.contraction": {"rows": 2},
    "SampledSGD.moved": {"kappa": 2.0},
    "SampledSGD.most_rows": {"delta": 1e-5},
    "SampledSGD.with_unlearning": {"unlearning_steps": 3},
    "sampled_epsilon": {**ASKED, "sigma": 1.0},
    "sampled_noise": ASKED,
    "least_unlearning_steps": {**ASKED, "epsilon": 3.0, "sigma": 1.0},
    "chain_gdp": {"mus": [1.0, 2.0]},
    "compose": {"curves": [RenyiCurve.linear(0.1)]},
    "compose_gdp": {"mus": [1.0, 2.0]},
    "epsilon_gdp": {"delta": 0.1},
    "epsilon_mixture": {"delta": 0.1},
    "sigma_mixture": {"delta": 0.1},
    "epsilon_optimal": {"delta": 0.1},
    "inverse_time": {"strong_convexity": 0.5},
    "least_epochs": {"privacy": Made(lambda: lambda k: 1 / (k + 1)), "target": 0.5},
    "mu_gdp": {"delta": 1e-5},
    "mu_stationary_bounded": {"diameter": 2.0},
    "pabi_allocation": CHAIN,
    "pabi_mu": CHAIN,
    "rho_optimal": {"delta": 1e-5},
    "tracking_errors": {"steps": 2},
}


INSTANCES = {
    "SequencePrivacy": Made(
        lambda: accounting.sequence_verify(NoisySGD(6, 2, 1.0, 0.5, 1.0, 0.8), 0.3, [1, 2], 1e-5)
    )
}
TAKEN = {"RenyiCurve.of.function": FUNCTIONS}
"""Judged where the curve is used."""
TABLE = Table(SAMPLES, CALLS, INSTANCES, TAKEN)


@pytest.mark.parametrize(
    "entry", exported(accounting.__all__, accounting, RECORDS), ids=lambda entry: entry.name
)
def test_every_argument(entry, full):
    found = entry.violations(TABLE, full)
    assert not found, "\n".join(found)

"""Sampled batches at the ends: rows that are hardly ever drawn, very much and very little noise."""

import json

import pytest

from accounting import SampledSGD, sampled_epsilon, sampled_noise
from forgetproof.cli import run

RARE = {
    "n": 100_000,
    "batch_size": 64,
    "steps": 10,
    "unlearning_steps": 5,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}
CHANCE = 1 - (1 - 64 / 100_000) ** 10


@pytest.mark.parametrize("name", ["mixture", "patterns", "exact"])
def test_a_row_that_is_drawn_less_often_than_delta_needs_no_noise(name):
    setting = SampledSGD(**RARE)
    assert sampled_epsilon(setting, 1e-5, CHANCE * (1 + 1e-6), name) == 0
    assert sampled_epsilon(setting, 1e-5, CHANCE * (1 - 1e-6), name) > 0
    for delta in (0.01, 0.5):
        assert sampled_noise(setting, 1.0, delta, name) < 1e-11


@pytest.mark.parametrize("name", ["mixture", "patterns"])
def test_little_noise_leaves_the_floats_without_an_error(name):
    setting = SampledSGD(**RARE)
    for sigma in (1e-5, 1e-3, 1e-2):
        assert sampled_epsilon(setting, sigma, CHANCE / 2, name) > 100


def test_more_noise_than_rounding_bears_is_counted_as_less(capsys):
    setting = SampledSGD(**RARE)
    found = [sampled_epsilon(setting, sigma, 1e-9, "training") for sigma in (1e3, 1e7, 1e20, 1e40)]
    assert found == sorted(found, reverse=True)
    assert found[-1] < 1e-6
    words = [w for k, v in RARE.items() for w in (f"--{k.replace('_', '-')}", str(v))]
    assert run(["privacy", "dp-sgd", "--sigma", "1e40", "--delta", "1e-5", *words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["accountants"]["exact"]["epsilon"] < 1e-4

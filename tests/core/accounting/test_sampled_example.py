"""The example of docs/sampled-batches.md: reference values, and how far bounds are from them."""

import pytest

from accounting import SampledSGD, sampled_epsilon
from accounting.sampled.accountants import accounts

BASE = {
    "n": 569,
    "batch_size": 64,
    "steps": 180,
    "step_size": 0.5,
    "smoothness": 0.25,
    "ridge": 0.05,
}


def example(after, **changes):
    return SampledSGD(unlearning_steps=after, **{**BASE, **changes})


REFERENCE = {
    "no unlearning": (0, {}, 5.4555088350377), "five": (5, {}, 4.5733535440603),
    "ten": (10, {}, 3.8532953311274), "twenty": (20, {}, 2.7711228235965),
    "fifty": (50, {}, 1.1062478870151), "hundred": (100, {}, 0.26611743254326),
    "fixed size": (50, {"sampling": "fixed", "adjacency": "delete"}, 2.5478384359791),
    "six rows": (50, {"rows": 6}, 8.61677323176),
    "six rows, longer": (100, {"rows": 6}, 1.90035465358),
    "exchange at once": (0, {"adjacency": "replace"}, 9.7830956805217),
}  # fmt: skip


@pytest.mark.parametrize("name", REFERENCE)
def test_lower_bounds_of_the_example(name):
    steps, changes, value = REFERENCE[name]
    assert sampled_epsilon(example(steps, **changes), 1.0, 1e-5, "lower") == pytest.approx(
        value, rel=3e-12
    )


MIXTURES = {  # K -> what was certified by patterns alone, and what is now
    0: (10.71682, 5.86), 5: (6.4685, 4.62), 10: (4.2874, 3.923), 20: (3.0628, 2.77114),
    50: (1.12456, 1.10624788712), 100: (0.266427, 0.26611743259),
}  # fmt: skip


@pytest.mark.parametrize("steps", MIXTURES, ids=lambda steps: f"K-{steps}")
def test_the_gap_of_the_example_is_more_than_halved(steps):
    before, most = MIXTURES[steps]
    setting = example(steps)
    lower = sampled_epsilon(setting, 1.0, 1e-5, "lower")
    found = sampled_epsilon(setting, 1.0, 1e-5, "mixture")
    assert lower <= found <= most
    assert found - lower <= (before - lower) / 2


TRUE = {
    "fifty": (50, {}),
    "hundred": (100, {}),
    "more rows": (100, {"rows": 6}),
    "a row that joins": (50, {"adjacency": "add", "rate": 64 / 569}),
    "exchange": (100, {"adjacency": "replace"}),
    "a thousand steps": (50, {"steps": 950}),
    "small batches": (50, {"n": 60000, "batch_size": 256, "steps": 950}),
}


@pytest.mark.parametrize("name", TRUE)
def test_the_certificate_is_the_truth_of_the_class(name):
    steps, changes = TRUE[name]
    setting = example(steps, **changes)
    found = sampled_epsilon(setting, 1.0, 1e-5, "mixture")
    # The linear instance of deletion is a member; unlearning with the other row blurs less there.
    least = example(steps, **{**changes, "adjacency": "zero-out"})
    if changes.get("adjacency") != "replace":
        lower = sampled_epsilon(least, 1.0, 1e-5, "lower")
        assert lower <= found <= lower * (1 + 1e-8)
    else:
        assert found == pytest.approx(0.55811804825982, rel=1e-7)


def test_tiny_delta():
    setting = example(50)
    assert sampled_epsilon(setting, 1.0, 1e-12, "lower") == pytest.approx(2.06710557289, rel=1e-11)
    assert sampled_epsilon(setting, 1.0, 1e-12, "mixture") == pytest.approx(2.06710557289, rel=1e-9)
    assert 0 < sampled_epsilon(setting, 1.0, 1e-200, "mixture") < 30


def test_training_is_never_beaten_by_exact():
    for steps, changes in ((0, {}), (0, {"adjacency": "replace"}), (50, {})):
        setting = example(steps, **changes)
        values = {n: sampled_epsilon(setting, 1.0, 1e-5, n) for n in ("exact", "training")}
        assert values["exact"] <= values["training"]
    assert sampled_epsilon(example(0), 1.0, 1e-5, "training") == pytest.approx(10.71682, rel=1e-5)
    # More steps than the recursion follows, and none that is forgotten.
    long = example(0, adjacency="replace", steps=400, ridge=0.0)
    assert accounts(long, 1e-5).exact(1.0)[1] == "training"

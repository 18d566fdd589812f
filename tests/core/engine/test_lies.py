"""Engines that lie about what they run, and who notices: samples, the mechanism, or nobody.

One run is many trials.  With every row in every batch the outputs of a head do not touch: each is
clipped by itself and has noise of its own.  So a run of T outputs is T independent runs of one
output whose multiplier is sqrt(T) times that of the settings.  The first row stands alone in its
direction and is always clipped, so that one row moves an output as far as the account says.
"""

import math

import numpy as np
import pytest
import torch

from accounting.mechanism import Mechanism
from forgetproof.certificates.certificate import TRUSTED
from forgetproof.engine import EngineSettings, Interval, RecordedTraining
from forgetproof.engine.planning import certified
from forgetproof.engine.record import executed_mechanism, mechanism_template
from verify.audit import audit

TRIALS, STEPS, UNLEARN, WIDTH = 4000, 6, 3, 4
DELTA = 0.05  # so much that a few thousand samples say something about epsilon
# Multipliers of the clip.  Little noise shows a row best, much noise its own scale.
LITTLE, MUCH = 0.25, 2.0
ROWS = torch.zeros(5, WIDTH, dtype=torch.float64)
ROWS[0, 0] = 1.0
ROWS[1:, 1] = torch.tensor([0.5, -0.5, 0.25, 0.75], dtype=torch.float64)
TARGETS = torch.tensor([9.0, 0.1, -0.1, 0.2, -0.2], dtype=torch.float64)


def settings(outputs=1, noise=LITTLE, **changes):
    fields = {
        "rows": 5,
        "rate": 1.0,
        "divisor": 5,
        "noise": noise / math.sqrt(outputs),
        "step_size": 1.0,
        "decay": 0.5,
        "steps": STEPS,
        "loss": "squares",
        "outputs": outputs,
        "epsilon": 1.0,
        "delta": DELTA,
    }
    return EngineSettings(**{**fields, **changes})


def fresh(lie, noise, seed):
    model = torch.nn.Linear(WIDTH, TRIALS, bias=False, dtype=torch.float64)
    torch.nn.init.zeros_(model.weight)
    targets = TARGETS[:, None].expand(5, TRIALS)
    run = RecordedTraining(settings(TRIALS, noise), model, ROWS, targets, seed=seed)
    if lie is not None:
        lie(run)
    return run


def unlearned(lie, noise, seed):
    """Outputs of the engine: training, then steps without the first row."""
    run = fresh(lie, noise, seed)
    run.train()
    run.execute([0], UNLEARN, 1)
    assert run.intervals == [Interval(STEPS), Interval(UNLEARN, 1)]
    return run.model.weight.detach().numpy()


def retrained(lie, noise, seed):
    """Outputs of an engine that never had the row."""
    run = fresh(lie, noise, seed)
    run.table.remove([0])
    run.train(STEPS + UNLEARN)
    return run.model.weight.detach().numpy()


def report(lie, noise=LITTLE, of_retraining=None):
    """The audit of an engine against retraining, by default an honest one."""

    def learn(data, rng, trials):
        return np.zeros((trials, 1))

    def unlearn(state, data, request, rng):
        return unlearned(lie, noise, int(rng.integers(2**31)))[: len(state)]

    def retrain(data, request, rng, trials):
        return retrained(of_retraining, noise, int(rng.integers(2**31)))[:trials]

    intervals = [Interval(STEPS), Interval(UNLEARN, 1)]
    epsilon = certified(settings(noise=noise), intervals)
    options = {"epsilon": epsilon, "delta": DELTA, "trials": TRIALS, "batched": True}
    return audit(learn, unlearn, retrain, ROWS.numpy(), 0, **options)


def no_noise(run):
    run.source.normals = torch.zeros_like


def rows_still_sampled(run):
    run.table.remove = lambda positions: None


def a_step_less(run):
    """Makes one unlearning step less, and counts it."""
    steps, first = run.steps.run, []

    def fewer(count, present):
        steps(count - len(first), present)
        run.steps.executed += len(first)
        first.append(count)

    run.steps.run = fewer


def divided_by_the_batch(run):
    """Divides by the rows that a batch happens to have."""
    step = run.steps.step

    def divided(batch):
        object.__setattr__(run.settings, "divisor", len(batch))
        step(batch)

    run.steps.step = divided


def noise_as_on_the_mean(run):
    """Adds the noise of a mean of five rows to their sum."""
    normals = run.source.normals
    run.source.normals = lambda like: normals(like) / 5


def noise_used_again(run):
    """Draws noise once, and adds it at every step."""
    normals, kept = run.source.normals, []

    def again(like):
        kept.append(normals(like) if not kept else kept[0])
        return kept[0]

    run.source.normals = again


@pytest.mark.parametrize("noise", [LITTLE, MUCH])
def test_an_honest_engine_is_not_refuted(noise):
    honest = report(None, noise)
    assert not honest.refuted
    # The setting has power: what samples show is not far below the claim.
    assert honest.epsilon_lower > honest.claim.level / 2 or noise == MUCH


@pytest.mark.parametrize(
    ("lie", "noise"),
    [
        (no_noise, LITTLE),
        (rows_still_sampled, LITTLE),
        (a_step_less, LITTLE),
        (divided_by_the_batch, MUCH),
        (noise_as_on_the_mean, LITTLE),
        (noise_used_again, MUCH),
    ],
)
def test_samples_refute_an_engine_that_lies(lie, noise):
    assert report(lie, noise).refuted


def test_who_lies_in_both_runs_alike_is_on_trust():
    # Noise that every step uses again is the same in law for both; no sample of models shows it.
    assert not report(noise_used_again, MUCH, of_retraining=noise_used_again).refuted
    assert any("fresh" in each for each in TRUSTED)


def test_the_trusted_list_says_what_no_record_shows():
    text = " ".join(TRUSTED)
    for word in ("as recorded", "secret", "requests", "no other state", "without looking"):
        assert word in text


CLAIM = certified(settings(), [Interval(STEPS), Interval(UNLEARN, 1)])


def recorded(steps=UNLEARN, **values):
    """The mechanism of an engine that says what it does, and claims what an honest one may."""
    template = mechanism_template(settings(epsilon=CLAIM * (1 + 1e-9)), secret=True)
    document = executed_mechanism(template, [Interval(STEPS), Interval(steps, 1)])
    return Mechanism.of_document(document).with_values(values)


@pytest.mark.parametrize(
    ("mechanism", "word"),
    [
        (recorded(), "holds"),
        (recorded(UNLEARN - 1), "false"),
        (recorded(**{"steps.noise.deviation": 0.0}), "false"),
        (recorded(**{"steps.noise.deviation": LITTLE / 5}), "false"),
        (recorded(**{"steps.sees": 1}), "false"),
    ],
    ids=["honest", "a step less", "no noise", "noise as on the mean", "still sampled"],
)
def test_the_mechanism_of_an_engine_that_admits_it_is_refuted(mechanism, word):
    (verdict,) = mechanism.verdicts()
    assert verdict.word == word


@pytest.mark.parametrize(
    "values",
    [{"steps.divisor.is": "batch"}, {"steps.noise.drawn": "repeated"}],
    ids=["divided by the batch", "noise used again"],
)
def test_what_no_accountant_speaks_of_is_not_certified(values):
    (verdict,) = recorded(**values).verdicts()
    assert verdict.word in ("open", "false")
    assert verdict.comparison.upper > CLAIM

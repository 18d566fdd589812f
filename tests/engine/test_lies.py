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
from forgetproof.engine import Interval, Settings, UnlearningRun
from forgetproof.engine.planning import certified
from forgetproof.engine.record import executed_mechanism, mechanism_template
from forgetproof.engine.statement import TRUSTED
from verify.audit import audit

TRIALS, STEPS, UNLEARN, NOISE = 4000, 6, 3, 0.25
WIDTH = 20  # two scales of the noise differ more in more coordinates
ROWS = torch.zeros(5, WIDTH, dtype=torch.float64)
ROWS[0, 0] = 1.0
ROWS[1:, 1] = torch.tensor([0.5, -0.5, 0.25, 0.75], dtype=torch.float64)
TARGETS = torch.tensor([9.0, 0.1, -0.1, 0.2, -0.2], dtype=torch.float64)


def settings(outputs=1, **changes):
    fields = {
        "rows": 5,
        "rate": 1.0,
        "divisor": 5,
        "noise": NOISE / math.sqrt(outputs),
        "step_size": 1.0,
        "decay": 0.5,
        "steps": STEPS,
        "loss": "squares",
        "outputs": outputs,
        "epsilon": 1.0,
        "delta": 1e-3,
    }
    return Settings(**{**fields, **changes})


def fresh(lie, seed):
    model = torch.nn.Linear(WIDTH, TRIALS, bias=False, dtype=torch.float64)
    torch.nn.init.zeros_(model.weight)
    targets = TARGETS[:, None].expand(5, TRIALS)
    run = UnlearningRun(settings(TRIALS), model, ROWS, targets, seed=seed)
    if lie is not None:
        lie(run)
    return run


def unlearned(lie, seed):
    """Outputs of the engine: training, then steps without the first row."""
    run = fresh(lie, seed)
    run.train()
    run.execute([0], UNLEARN)
    assert run.intervals == [Interval(STEPS), Interval(UNLEARN, 1)]
    return run.model.weight.detach().numpy()


def retrained(seed, lie=None):
    """Outputs of an engine that never had the row, by default of an honest one."""
    run = fresh(lie, seed)
    run.table.remove([0])
    run.train(STEPS + UNLEARN)
    return run.model.weight.detach().numpy()


def report(lie, of_retraining=None):
    def others(data, request, rng, trials):
        return retrained(int(rng.integers(2**31)), of_retraining)[:trials]

    return audit(
        lambda data, rng, trials: np.zeros((trials, 1)),
        lambda state, data, request, rng: unlearned(lie, int(rng.integers(2**31)))[: len(state)],
        others,
        ROWS.numpy(),
        0,
        epsilon=certified(settings(), [Interval(STEPS), Interval(UNLEARN, 1)]),
        delta=1e-3,
        trials=TRIALS,
        batched=True,
    )


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


def test_an_honest_engine_is_not_refuted():
    honest = report(None)
    assert not honest.refuted
    # The setting has power: the claim is not far above what samples show.
    assert honest.epsilon_lower > 0


@pytest.mark.parametrize(
    "lie",
    [
        no_noise,
        rows_still_sampled,
        a_step_less,
        divided_by_the_batch,
        noise_as_on_the_mean,
        noise_used_again,
    ],
)
def test_samples_refute_an_engine_that_lies(lie):
    assert report(lie).refuted


def test_who_lies_in_both_runs_alike_is_on_trust():
    # Noise that every step uses again is the same in law for both; no sample of models shows it.
    assert not report(noise_used_again, noise_used_again).refuted
    assert any("fresh" in each for each in TRUSTED)


def test_the_trusted_list_says_what_no_record_shows():
    text = " ".join(TRUSTED)
    for word in ("ran as recorded", "secret", "requests", "no other state", "without the rows"):
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
        (recorded(**{"steps.noise.deviation": NOISE / 5}), "false"),
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

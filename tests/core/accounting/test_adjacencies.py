"""What retraining without a row is: the row masked, or a table without it that sampling follows."""

import itertools
import math

import numpy as np
import pytest
from scipy.special import ndtr

from accounting import SampledSGD, sampled_epsilon
from accounting.problems import SampledDescent
from accounting.sampled._unlike_rates import binomial
from accounting.sampled.changed_data import dropped, given_batch, on_average
from tools import sampled_laws
from tools.sampled_laws import apart, means

EXAMPLE = {
    "n": 569,
    "batch_size": 64,
    "steps": 180,
    "unlearning_steps": 100,
    "step_size": 0.5,
    "smoothness": 0.02,
    "ridge": 0.05,
}
SMALL = {**EXAMPLE, "n": 50, "batch_size": 10, "steps": 40, "unlearning_steps": 30}


def linear_delta(setting, row, other, epsilon):
    """delta of linear losses at sigma = 1, all other rows alike: the laws by their transforms."""
    after = 0.975 ** np.arange(setting.length)[::-1] * 0.5 / setting.batch_size
    deviation, size = math.sqrt(float((after**2).sum())), 2**13
    reach = 200 * deviation
    u = 2 * np.pi * np.arange(350) / reach  # beyond, the noise leaves nothing
    common, turn = setting.n - 1, np.expm1(1j * u * after[:, None] * other)
    middle = common * float((setting.rates_without * after).sum()) * other

    def density(rates, more):
        log = common * np.log1p(rates[:, None] * turn).sum(axis=0) + more
        log = log - (deviation * u) ** 2 / 2 - 1j * u * (middle - reach / 2)
        return np.fft.irfft(np.exp(log), size) * size

    seen = slice(setting.steps)
    inclusions = np.expm1(1j * u * after[seen, None] * row)
    p = density(setting.rates, np.log1p(setting.rates[seen, None] * inclusions).sum(axis=0))
    r = density(setting.rates_without, 0.0)
    gamma = math.exp(min(epsilon, 10.0))  # beyond, rounding is all that is left
    return max(np.maximum(p - gamma * r, 0).sum(), np.maximum(r - gamma * p, 0).sum()) / size


@pytest.mark.parametrize("late", [True, False], ids=["rate of training", "rate of retraining"])
@pytest.mark.parametrize("base", [EXAMPLE, SMALL], ids=["569 rows", "50 rows"])
def test_no_delta_of_linear_losses_is_above_that_of_a_deletion(base, late, full):
    rate = base["batch_size"] / base["n"] if late else None
    deleted = SampledSGD(**base, adjacency="delete", unlearning_rate=rate)
    masked = sampled_epsilon(SampledSGD(**base), 1.0, 1e-5, "mixture")
    names = ("mixture", "patterns") if full else ("patterns",) if late else ("mixture",)
    found = [sampled_epsilon(deleted, 1.0, 1e-5, name) for name in names]
    assert masked < min(found)
    pairs = ((1, 1), (1, -1), (0, 1), (1, 0))
    for each in found:
        assert max(linear_delta(deleted, *pair, each) for pair in pairs) <= 1e-5
    if late:
        # Retraining at the rate of fewer rows, unlearning at that of all: masking is another thing.
        assert max(linear_delta(deleted, *pair, masked) for pair in pairs) > 1e-4


@pytest.mark.parametrize("accountant", ["mixture", "patterns"])
def test_every_way_to_draw_a_few_rows_at_rates_that_follow(accountant):
    found = [sampled_laws.rates(np.random.default_rng(n), accountant) for n in range(4)]
    assert max(found) <= 1


def test_a_given_rate_does_not_follow_and_the_answers_are_those_of_masking():
    rate = 64 / 569
    masked = SampledSGD(**EXAMPLE, rate=rate)
    for adjacency in ("delete", "add"):
        given = SampledSGD(**EXAMPLE, rate=rate, adjacency=adjacency)
        for name in ("mixture", "patterns"):
            answers = [sampled_epsilon(each, 1.0, 1e-5, name) for each in (given, masked)]
            assert answers[0] == answers[1]


def test_rates_follow_the_rows_that_a_run_has():
    deleted = SampledSGD(**EXAMPLE, adjacency="delete", rows=3)
    assert (deleted.rates[:180] == 64 / 569).all()
    assert (deleted.rates[180:] == 64 / 566).all()
    assert (deleted.rates_without == 64 / 566).all()
    added = SampledSGD(**EXAMPLE, adjacency="add")
    assert (added.rates == 64 / 569).all()
    assert (added.rates_without[:180] == 64 / 568).all()
    assert (added.rates_without[180:] == 64 / 569).all()
    left = np.repeat([2, 1, 0], [180, 50, 50])
    several = SampledSGD(**EXAMPLE, adjacency="delete", rows=left)
    assert (several.rates == 64 / (567 + left)).all()
    assert (several.rates_without == 64 / 567).all()


def test_requests_whose_models_are_all_published_change_the_rate_of_both_runs():
    base = {**SMALL, "unlearning_steps": 5, "requests": 3, "rows": 2, "published": "all"}
    base["privacy_unit"] = "one"
    problem = SampledDescent(**base, adjacency="delete")
    rows = 50 - 2 * np.repeat([0, 1, 2, 3], [40, 5, 5, 5])
    assert (problem.setting.rates == 10 / rows).all()
    after = 50 - 2 * np.repeat([1, 2, 3, 3], [40, 5, 5, 5])
    assert (problem.setting.rates_without == 10 / after).all()
    masked = SampledDescent(**base)
    one, other = (p.setting for p in (problem, masked))
    for name in ("mixture", "patterns"):
        assert sampled_epsilon(one, 9.0, 1e-5, name) > sampled_epsilon(other, 9.0, 1e-5, name)


def binomial_tail(trials, rate, number):
    return sum(
        math.comb(trials, k) * rate**k * (1 - rate) ** (trials - k)
        for k in range(number, trials + 1)
    )


def test_numbers_of_extra_rows_are_above_binomial_laws():
    setting = SampledSGD(**SMALL, adjacency="delete")
    q, more = 10 / 50, 10 / 49
    average, given, less = (each(setting, 1e-5) for each in (on_average, given_batch, dropped))
    for numbers in (average, given, less):
        assert numbers.owed <= 1e-10
        assert (numbers.tail[40:] == 0).all()
    for number in range(1, average.tail.shape[1] + 1):
        assert average.tail[0, number - 1] >= binomial_tail(49, more - q, number) * (1 - 1e-12)
    # Given a batch of the usual size, and one that lacks many rows.
    for batch in (5, 10):
        law = [binomial_tail(49 - batch, (more - q) / (1 - q), number) for number in range(1, 5)]
        assert (given.tail[0, :4] >= np.array(law) * (1 - 1e-12)).all()
    for batch in (10, 20):
        law = [binomial_tail(batch, 1 - q / more, number) for number in range(1, 5)]
        assert (less.tail[0, :4] >= np.array(law) * (1 - 1e-12)).all()


def test_binomial_chances_are_floats_for_many_rows():
    number = np.arange(5001)
    chance = binomial(np.asarray(5000), number, np.asarray(0.3))
    assert chance.sum() == pytest.approx(1, rel=1e-12)
    assert chance[1500] == pytest.approx(math.exp(_log_chance(5000, 1500, 0.3)), rel=1e-11)
    assert binomial(np.asarray(0), np.arange(2), np.asarray(0.5)).tolist() == [1.0, 0.0]
    assert binomial(np.asarray(2), np.arange(3), np.asarray(1.0)) == pytest.approx([0, 0, 1])


def _log_chance(n, k, q):
    whole = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return whole + k * math.log(q) + (n - k) * math.log1p(-q)


@pytest.mark.parametrize("sampling", ["fixed", "shuffled"])
def test_a_masked_row_in_batches_of_fixed_size_is_not_hidden_by_chance(sampling):
    setting = SampledSGD(
        n=4,
        batch_size=2,
        steps=1,
        unlearning_steps=0,
        step_size=1.0,
        smoothness=0.0,
        sampling=sampling,
    )
    laws = [np.array(means(sampling, (row, -1.0, -1.0, -1.0), 1, 1.0)).T for row in (1.0, 0.0)]
    delta = 1e-3
    names = ("lower", "exact")
    lower, upper = (sampled_epsilon(setting, 1.0, delta, name) for name in names)
    assert apart(laws, 1.0, lower) == pytest.approx(delta, rel=1e-6)
    assert apart(laws, 1.0, upper) <= delta
    assert upper <= lower * 1.01
    # The average over the places at a common level, which holds for Poisson sampling, is too low.
    inclusions = SampledSGD(
        n=4, batch_size=2, steps=1, unlearning_steps=0, step_size=1.0, smoothness=0.0
    )
    assert apart(laws, 1.0, sampled_epsilon(inclusions, 1.0, delta, "mixture")) > 4 * delta


SHUFFLED = {**EXAMPLE, "n": 641, "sampling": "shuffled"}


def test_a_batch_fewer_in_every_epoch_is_refused_or_counted_in_full():
    with pytest.raises(ValueError, match=r"steps must be whole epochs of 10, .* got 198"):
        SampledSGD(**{**SHUFFLED, "steps": 198}, adjacency="delete")
    for sampling, adjacency, steps in itertools.product(
        ("shuffled", "cyclic"), ("delete", "add"), (200, 220)
    ):
        base = {**SHUFFLED, "sampling": sampling, "steps": steps}
        if adjacency == "add" and steps == 200:
            with pytest.raises(ValueError, match="whole epochs of 11"):
                SampledSGD(**base, adjacency=adjacency)
            continue
        found = [
            sampled_epsilon(
                SampledSGD(**{**base, "unlearning_steps": after}, adjacency=adjacency), 1.0, 1e-5
            )
            for after in (100, 300)
        ]
        assert found[0] > 29.04 > found[1] > 0
    # All gradients are one: means differ wherever one of the runs has a batch of a single row.
    setting = SampledSGD(**{**SHUFFLED, "steps": 200}, adjacency="delete")
    weight = 0.975 ** np.arange(300)[::-1]
    alone = (np.arange(300) % 11 == 10) & (np.arange(300) < 200)
    mu = 63 * weight[alone].sum() / math.sqrt((weight**2).sum())
    lower = sampled_epsilon(setting, 1.0, 1e-5, "lower")
    gauss = ndtr(mu / 2 - lower / mu) - math.exp(lower) * ndtr(-mu / 2 - lower / mu)
    assert gauss == pytest.approx(1e-5, rel=1e-6)
    assert sampled_epsilon(SampledSGD(**SHUFFLED), 1.0, 1e-5) < 1


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_cyclic_order_closes_the_gap(size):
    rng = np.random.default_rng(size)
    n, steps = 7, 6
    setting = SampledSGD(
        n=n + (size == 3),
        batch_size=size,
        steps=steps if size != 1 else 12,
        unlearning_steps=0,
        step_size=float(size),
        smoothness=0.0,
        ridge=0.1 / size,
        sampling="cyclic",
        adjacency="delete",
    )
    epsilon = sampled_epsilon(setting, 1.0, 1e-3, "mixture")
    weight = 0.9 ** np.arange(setting.steps)[::-1]
    for _ in range(200):
        rows, place = rng.choice([-1.0, 1.0], setting.n), int(rng.integers(setting.n))
        runs = []
        for data in (rows, np.delete(rows, place)):
            batches = [data[i : i + size].sum() for i in range(0, data.size, size)]
            runs.append(sum(w * batches[k % len(batches)] for k, w in enumerate(weight)))
        mu = abs(runs[0] - runs[1]) / math.sqrt((weight**2).sum())
        if mu > 0:
            gauss = ndtr(mu / 2 - epsilon / mu) - math.exp(epsilon) * ndtr(-mu / 2 - epsilon / mu)
            assert gauss <= 1e-3 * (1 + 1e-9)


@pytest.mark.parametrize("published", [(), (2,)], ids=["last", "both"])
def test_what_seldom_happens_counts_the_rows_that_both_runs_have(published):
    base = {**EXAMPLE, "n": 1000, "batch_size": 1, "steps": 3, "unlearning_steps": 2}
    # The row is in some batch with less than 0.003, and an extra row in some other with as much.
    for delta, none in ((0.0031, False), (0.0062, True)):
        masked, deleted = (
            sampled_epsilon(
                SampledSGD(**base, published=published, adjacency=adjacency),
                0.05,
                delta,
                "patterns",
            )
            for adjacency in ("zero-out", "delete")
        )
        assert masked == 0
        assert (deleted == 0) == none


REFUSED = {
    "a rate above 1": ({"batch_size": 569}, "batch_size must be at most 568 with adjacency delete"),
    "a batch of all rows": (
        {"batch_size": 569, "sampling": "fixed"},
        "batch_size must be at most 568 with adjacency delete",
    ),
    "full batches": (
        {"batch_size": 569, "sampling": "full"},
        "batch_size must be at most 568 with adjacency delete",
    ),
    "two rates that follow": ({"rate_without": 0.1}, "rate_without must be given with rate"),
    "a late rate beside a rate": (
        {"rate": 0.1, "unlearning_rate": 0.1},
        "unlearning_rate must be given with sampling poisson",
    ),
    "several rows": ({"sampling": "fixed", "rows": 3}, "rows must be 1 with sampling fixed, got 3"),
    "rows that change": (
        {"sampling": "shuffled", "rows": [2] * 180 + [1] * 100},
        "rows must be 1 with sampling shuffled, got numbers that change",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_answer_is_refused_by_name(name):
    changes, message = REFUSED[name]
    with pytest.raises(ValueError, match=message):
        SampledSGD(**{**EXAMPLE, "adjacency": "delete", **changes})


def test_requests_in_sequence_are_refused_by_their_own_name():
    for sampling in ("fixed", "shuffled"):
        with pytest.raises(ValueError, match=f"requests must be 1 with sampling {sampling}, got 3"):
            SampledDescent(**EXAMPLE, sampling=sampling, requests=3)
    with pytest.raises(ValueError, match="batch_size must be at most 539 with adjacency delete"):
        SampledDescent(**{**EXAMPLE, "batch_size": 540}, adjacency="delete", requests=30)
    with pytest.raises(ValueError, match="batches an epoch"):
        SampledDescent(
            **EXAMPLE, sampling="cyclic", adjacency="delete", requests=60, published="all"
        )


def test_the_answer_says_what_retraining_is_and_what_the_other_meaning_costs():
    masked = SampledDescent(**SMALL)
    (told,) = [c for c in masked.assumptions.conditions if "retraining" in c]
    assert told.startswith("retraining masks the requested rows: it keeps n, the sampling rate")
    answers = masked.privacy(1.0, 1e-5, ["mixture"])
    other = answers.details["other_retraining"]["delete"]
    deleted = SampledDescent(**SMALL, adjacency="delete")
    back = deleted.privacy(1.0, 1e-5, ["mixture"])
    assert other == pytest.approx(float(back.by["mixture"].epsilon), rel=1e-12)
    assert other > 1.3 * float(answers.by["mixture"].epsilon)
    assert back.details["other_retraining"]["zero-out"] == float(answers.by["mixture"].epsilon)
    late = back.details["other_retraining"]["delete, further steps at the rate of training"]
    assert late > 2 * other
    assert any(line.startswith("were retraining to draw from the rows") for line in answers.remarks)
    assert any("n - 1 rows" in each for each in deleted.assumptions.conditions)
    given = SampledDescent(**EXAMPLE, adjacency="delete", rate=0.1)
    assert any("does not follow n" in each for each in given.assumptions.conditions)
    refused = SampledDescent(**{**EXAMPLE, "batch_size": 569, "sampling": "full"})
    why = refused.privacy(200.0, 1e-5, ["mixture"]).details["other_retraining"]["delete"]
    assert why.startswith("batch_size must be at most 568")

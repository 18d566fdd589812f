"""The checker's number: against many digits, against what linear losses need, and by itself."""

import copy
import itertools
import math
import subprocess
import sys
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting import SampledSGD, sampled_epsilon
from accounting.curves.gaussian import mu_gdp
from accounting.problems.contraction import Contraction
from forgetproof import checker
from tests.core.certificates.made import STEP, mechanism


def document(segments, *, n=1437, rows=1, smoothness=0.25, **step):
    """A mechanism of (count, rows seen) with one step's constants."""
    whole = mechanism()
    parts = [{**STEP, **step, "count": count, "sees": seen} for count, seen in segments if count]
    relation = {"adjacency": "zero", "rows": rows}
    return {**whole, "n": n, "smoothness": smoothness, "relation": relation, "steps": parts}


def exact_profile(weights, rate, epsilon):
    """delta of N(0, 1) against the mixture over all patterns of inclusions, both ways, in 40
    digits."""
    patterns = list(itertools.product((0, 1), repeat=len(weights)))
    shifts = [mpmath.fdot(pattern, weights) for pattern in patterns]
    chances = [rate ** sum(p) * (1 - rate) ** (len(p) - sum(p)) for p in patterns]
    pairs = list(zip(chances, shifts, strict=True))

    def log_ratio(x):
        return mpmath.log(sum(c * mpmath.exp(s * x - s**2 / 2) for c, s in pairs))

    def crossing(level):
        low, high = mpmath.mpf(-60), mpmath.mpf(60)
        for _ in range(120):
            middle = (low + high) / 2
            low, high = (middle, high) if log_ratio(middle) < level else (low, middle)
        return high

    x, steep = crossing(epsilon), mpmath.exp(epsilon)
    forth = sum(c * mpmath.ncdf(s - x) for c, s in pairs) - steep * mpmath.ncdf(-x)
    x = crossing(-epsilon)
    back = mpmath.ncdf(x) - steep * sum(c * mpmath.ncdf(x - s) for c, s in pairs)
    return max(forth, back)


@pytest.mark.parametrize(
    ("steps", "after", "rate", "noise", "decay", "delta"),
    [
        (5, 0, 0.25, 2.0, 0.1, 1e-5),
        (5, 4, 0.1, 1.0, 0.05, 1e-9),
        (5, 20, 0.5, 3.0, 0.0, 1e-3),
        (4, 9, 0.02, 0.5, 0.3, 1e-12),
    ],
)
def test_the_number_is_that_of_many_digits_rounded_up(steps, after, rate, noise, decay, delta):
    with mpmath.workdps(40):
        c = 1 - mpmath.mpf(decay)
        products = [c ** (steps + after - 1 - k) for k in range(steps + after)]
        # Each move over the root of the energy of the noise from its own step on.
        clocks = [mpmath.sqrt(sum(p**2 for p in products[k:])) * noise for k in range(steps)]
        weights = [p / clock for p, clock in zip(products, clocks, strict=False)]
        step = {"batches": {"drawn": "poisson", "rate": rate}, "decay": decay}
        step["noise"] = {"deviation": noise, "on": "sum"}
        bound, _ = checker.epsilon_of(
            document(
                [(steps, 1), (after, 0)],
                smoothness=0,
                divisor={"value": 1, "is": "constant"},
                clip={"norm": 1.0, "each": "row"},
                **step,
            ),
            delta,
        )
        assert exact_profile(weights, rate, bound) <= delta
        assert exact_profile(weights, rate, bound * 0.985) > delta


def drawn(rng):
    """A setting as an engine may have it, with its noise and delta."""
    n, rate = int(10 ** rng.uniform(2, 5)), float(10 ** rng.uniform(-2.5, -0.3))
    eta, steps = float(10 ** rng.uniform(-1, 0)), int(10 ** rng.uniform(1.3, 3))
    decay = float(10 ** rng.uniform(-2.5, -1) / eta)
    after = min(3 * steps, int(rng.uniform(0.5, 4) / (eta * decay)))
    setting = SampledSGD(
        n=n,
        batch_size=max(1, round(rate * n)),
        rate=rate,
        steps=steps,
        unlearning_steps=after,
        step_size=eta,
        smoothness=0.25,
        ridge=decay,
        rows=min(int(rng.choice([1, 1, 2, 5, 20])), n - 1),
    )
    return setting, float(10 ** rng.uniform(-0.3, 1)), float(10 ** rng.uniform(-8, -4))


def of_setting(setting, noise):
    """The mechanism of a setting at a noise multiplier."""
    return document(
        [(setting.steps, True), (setting.unlearning_steps, False)],
        n=setting.n,
        rows=setting.rows,
        smoothness=setting.smoothness,
        batches={"drawn": "poisson", "rate": setting.rate},
        divisor={"value": setting.batch_size, "is": "constant"},
        noise={"deviation": noise, "on": "sum"},
        step_size=setting.step_size,
        decay=setting.ridge,
    )


def test_it_is_never_below_what_linear_losses_need(full):
    rng = np.random.default_rng(28)
    ratios = []
    for _ in range(1000 if full else 6):
        setting, noise, delta = drawn(rng)
        needed = sampled_epsilon(setting, noise, delta, "lower")
        bound, conditions = checker.epsilon_of(of_setting(setting, noise), delta)
        assert bound >= needed, (setting, noise, delta)
        assert conditions == []
        ratios.append(bound / needed if needed > 1e-6 else 1.0)
    assert np.median(ratios) <= 1.10


def released(distance, deviation, *, maps=((1, 1.0, 0.0),), **changes):
    """A document of maps (count, contraction, shift) with one noise, from a first distance."""
    noise = {"deviation": deviation, "on": "iterate"}
    steps = [{"count": k, "contraction": c, "shift": w, "noise": noise} for k, c, w in maps]
    return {
        "schema": "forgetproof/mechanism/1",
        "name": "a minimiser with noise",
        "relation": {"adjacency": "delete", "rows": 20, "reference": "minimiser"},
        "start": {"value": distance, "origin": "enforced"},
        "steps": steps,
        "released": "last",
        "requests": "oblivious",
        "claims": [],
        **changes,
    }


@settings(max_examples=60)
@given(
    epsilon=st.floats(1e-3, 20),
    power=st.floats(-100, -0.5),
    scale=st.floats(-11, 11),
)
def test_a_minimiser_with_noise_is_a_gaussian_mechanism(epsilon, power, scale):
    """At the distance that the noise hides, and one part in a thousand beyond it."""
    delta, sigma = 10.0**power, 10.0**scale
    most = sigma * float(mu_gdp(epsilon, delta))
    assert checker.epsilon_of(released(0.999 * most, sigma), delta)[0] <= epsilon
    assert checker.epsilon_of(released(1.00001 * most, sigma), delta)[0] > epsilon


def test_a_drawn_chain_of_maps_is_never_below_its_exact_number(full):
    rng = np.random.default_rng(4)
    for _ in range(200 if full else 20):
        count = int(rng.integers(1, 6))
        c, w = rng.uniform(0.3, 1.1, count), rng.uniform(0, 1, count) * rng.integers(0, 2, count)
        start, noise, delta = rng.uniform(0.1, 2), rng.uniform(0.5, 2), 10.0 ** rng.uniform(-8, -2)
        exact = Contraction(
            process={"contraction": c, "displacement": w, "noise": np.full(count, noise)},
            initial_distance=start,
        )
        epsilon = float(exact.certified("exact", 1.0, delta).epsilon)
        maps = [(1, float(a), float(b)) for a, b in zip(c, w, strict=True)]
        found = checker.epsilon_of(released(float(start), float(noise), maps=maps), delta)[0]
        assert epsilon <= found
        if count == 1:
            assert found <= epsilon * (1 + 1e-4) + 1e-9


def test_units_do_not_matter():
    """A step size of 1e-60 moves as little as its noise does."""
    step = {"decay": 0.0, "smoothness": 0, "noise": {"deviation": 4.0, "on": "sum"}}
    plain = checker.epsilon_of(document([(5, True)], **step), 1e-5)[0]
    tiny = document([(5, True)], step_size=1e-60, **step)
    assert 0.1 < plain < 5
    assert checker.epsilon_of(tiny, 1e-5)[0] == pytest.approx(plain, rel=1e-6)
    assert checker.epsilon_of(released(1e-60, 1e-59), 1e-5)[0] == pytest.approx(
        checker.epsilon_of(released(1.0, 10.0), 1e-5)[0], rel=1e-6
    )


REFUSED_MAPS = {
    "outputs": {"outputs": 2},
    "released": {"released": "every"},
    "relation.adjacency": {"relation": {"adjacency": "replace"}},
    "relation.reference": {"relation": {"adjacency": "delete", "reference": "N+K"}},
    "step.noise.seed": {"noise": {"deviation": 1.0, "on": "iterate", "seed": "chosen"}},
    "step.noise.drawn": {"noise": {"deviation": 1.0, "on": "iterate", "drawn": "public"}},
    "step.noise.on": {"noise": {"deviation": 1.0, "on": "sum"}},
    "missing or no number": {"start": "far"},
    "out of range": {"noise": {"deviation": 0.0, "on": "iterate"}},
    "step.clip": {"clip": {"norm": 1.0}},
}


@pytest.mark.parametrize("field", REFUSED_MAPS)
def test_maps_that_it_does_not_cover_are_refused_by_the_field(field):
    whole, changes = released(1.0, 2.0), REFUSED_MAPS[field]
    if {"noise", "clip"} & {*changes}:
        changes = {"steps": [{**whole["steps"][0], **changes}]}
    with pytest.raises(checker.Refused, match=field):
        checker.epsilon_of({**whole, **changes}, 1e-5)


def test_steps_of_two_kinds_have_no_number():
    gradient = document([(5, True)])
    relation = {"adjacency": "zero", "rows": 1}
    both = {**gradient, "relation": relation, "steps": [*gradient["steps"], MAP]}
    with pytest.raises(checker.Refused, match="smoothness: not covered"):
        checker.epsilon_of(both, 1e-5)


MAP = {
    "count": 1,
    "contraction": 1.0,
    "shift": 0.0,
    "noise": {"deviation": 1.0, "on": "iterate"},
}


def test_a_distance_whose_origin_proves_nothing_is_a_condition():
    whole = released(1.0, 2.0, start={"value": 1.0, "origin": "rows"})
    assert checker.epsilon_of(whole, 1e-5)[1] == ["start is rows, and right"]


def test_rows_that_left_earlier_count_less():
    both = checker.epsilon_of(document([(300, 3), (60, 3), (100, 0)], rows=3), 1e-5)[0]
    one = checker.epsilon_of(document([(300, 3), (60, 2), (100, 0)], rows=3), 1e-5)[0]
    none = checker.epsilon_of(document([(300, 3), (60, 0), (100, 0)], rows=3), 1e-5)[0]
    assert none < one < both


SAME = {
    "noise on the mean": {"noise": {"deviation": 1 / 359, "on": "mean"}},
    "noise on the iterate": {"noise": {"deviation": 1 / 359, "on": "iterate"}},
    "a projection": {"radius": 2.0},
}


@pytest.mark.parametrize("name", SAME)
def test_what_is_the_same_has_the_same_number(name):
    segments = [(30, True), (20, False)]
    number = checker.epsilon_of(document(segments), 1e-5)[0]
    assert checker.epsilon_of(document(segments, **SAME[name]), 1e-5)[0] == pytest.approx(number)


WORSE = {
    "less noise": {"noise": {"deviation": 0.9, "on": "sum"}},
    "a larger clip": {"clip": {"norm": 1.1, "each": "row"}},
    "a higher rate": {"batches": {"drawn": "poisson", "rate": 0.3}},
    "less decay": {"decay": 0.01},
}


@pytest.mark.parametrize("name", WORSE)
def test_what_is_worse_has_a_larger_number(name):
    segments = [(100, True), (60, False)]
    number = checker.epsilon_of(document(segments), 1e-5)[0]
    assert checker.epsilon_of(document(segments, **WORSE[name]), 1e-5)[0] > number * 1.01


def test_large_batches_that_expand_are_paid_for():
    segments = [(100, True), (60, False)]
    numbers = [
        checker.epsilon_of(document(segments, smoothness=curvature), 1e-5)[0]
        for curvature in (0.25, 1.0, 1.38, 8.0)
    ]
    # As long as no batch that is counted on expands, curvature costs nothing.
    assert numbers[0] == numbers[1] < numbers[2] < numbers[3] == math.inf


REFUSED = {
    "losses": {"losses": "any"},
    "requests": {"requests": "adaptive"},
    "released": {"released": "every"},
    "schema": {"schema": "forgetproof/mechanism/2"},
    "outputs": {"outputs": 2},
    "start": {"start": 0.1},
    "layers": {"layers": ["BatchNorm"]},
    "tuned_on_rows": {"tuned_on_rows": ["step size"]},
    "relation.adjacency": {"relation": {"adjacency": "replace", "rows": 1}},
    "relation.reference": {"relation": {"adjacency": "zero", "rows": 1, "reference": "N"}},
    "steps: n, rows": {"relation": {"adjacency": "zero", "rows": 0}},
    "unheard_of": {"unheard_of": 1},
    "steps: missing": {"n": None},
}


@pytest.mark.parametrize("field", REFUSED)
def test_what_it_does_not_cover_is_refused_by_its_name(field):
    with pytest.raises(checker.Refused, match=field):
        checker.epsilon_of({**document([(5, True), (5, False)]), **REFUSED[field]}, 1e-5)


REFUSED_STEPS = {
    "batches.drawn": {"batches": {"drawn": "shuffled", "rate": 0.25}},
    "batches.size": {"batches": {"drawn": "poisson", "size": 359}},
    "clip.each": {"clip": {"norm": 1.0, "each": "batch"}},
    "clip.decay": {"clip": {"norm": 1.0, "each": "row", "decay": "inside"}},
    "divisor.is": {"divisor": {"value": 359, "is": "from_n"}},
    "noise.drawn": {"noise": {"deviation": 1.0, "on": "sum", "drawn": "public"}},
    "noise.seed": {"noise": {"deviation": 1.0, "on": "sum", "seed": "chosen"}},
    "noise.on": {"noise": {"deviation": 1.0, "on": "total"}},
    "optimizer": {"optimizer": "adam"},
    "step.momentum": {"momentum": 0.9},
    "out of range": {"noise": {"deviation": 0.0, "on": "sum"}},
    "missing or no number": {"step_size": -1.0},
}


@pytest.mark.parametrize("field", REFUSED_STEPS)
def test_steps_that_it_does_not_cover_are_refused_by_their_name(field):
    with pytest.raises(checker.Refused, match=field):
        checker.epsilon_of(document([(5, True), (5, False)], **REFUSED_STEPS[field]), 1e-5)


@pytest.mark.parametrize("origin", ["assumed", "estimated", "rows", 7])
def test_a_constant_that_proves_nothing_is_a_condition(origin):
    step = copy.deepcopy(STEP["clip"])
    step["norm"]["origin"] = origin
    _, conditions = checker.epsilon_of(document([(5, True), (5, False)], clip=step), 1e-5)
    assert conditions == [f"step.clip.norm is {origin}, and right"]


@pytest.mark.parametrize("delta", [0.0, 1.0, -1.0, float("nan"), "1e-5", True, None])
def test_delta_is_a_number_between_0_and_1(delta):
    with pytest.raises(checker.Refused, match="delta"):
        checker.epsilon_of(document([(5, True)]), delta)


def test_it_is_one_file_that_needs_nothing_of_ours(tmp_path):
    source = Path(checker.__file__)
    assert len(source.read_text("utf-8").splitlines()) <= 250
    alone = tmp_path / "checker.py"
    alone.write_bytes(source.read_bytes())
    code = f"""
import sys
sys.path[:0] = [{str(Path(np.__file__).parents[1])!r}]
import numpy
before = set(sys.modules)
import runpy
runpy.run_path({str(alone)!r})
names = {{name.partition(".")[0] for name in set(sys.modules) - before}}
print(sorted(names - set(sys.stdlib_module_names)))
"""
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("['numpy']\n", "") or done.stdout == "[]\n", done

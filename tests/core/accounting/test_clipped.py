"""Clipped gradients of any model: exact laws on the line never exceed the bound, and where met."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.contraction.common_steps import least_certified, log_delta_after
from accounting.contraction.noisy_contraction import pabi_mu
from accounting.curves.gaussian import delta_gdp, epsilon_gdp
from accounting.problems import Clipped, Target
from simulators.exact import line_divergence, transfer
from tests.examples import examples

TARGET = Target(1.0, 1e-5)
EXAMPLE = {"n": 4, "clip": 1.0, "step_size": 0.1, "weight_decay": 1.0}


def bumpy(rng, clip):
    """A clipped gradient of no convex loss: waves, steps and a sign."""
    a, b, at = rng.uniform(-3, 3, 2), rng.uniform(0.5, 6, 2), rng.uniform(-0.5, 0.5)
    return lambda x: np.clip(
        a[0] * np.cos(b[0] * x) + a[1] * np.sin(b[1] * x) + np.where(x > at, 2, -2), -clip, clip
    ), at


def laws(rng, n, clip, eta, decay, radius, sigma, T, K, adjacency, most=math.inf):
    """Learned with a row and unlearned without, against without: exact laws after projection.

    most: of the gradients of the row and of the one that it is exchanged for.
    """
    made = [bumpy(rng, clip) for _ in range(n + 1)]
    rows, breaks = [g for g, _ in made], [at for _, at in made]
    for place in (0, n):
        rows[place] = lambda x, g=rows[place]: np.clip(g(x), -most, most)
    noise = eta * sigma * clip / n
    grid = transfer.Grid.make(radius, max(150, math.ceil(16 * radius / noise)), breaks)
    other = rows[n] if adjacency == "replace" else (lambda x: 0 * x)

    def step(*gradients):
        def psi(x):
            return (1 - eta * decay) * x - eta / n * sum(g(x) for g in gradients)

        return transfer.Step.make(grid, psi, noise)

    old, new = step(*rows[:n]), step(*rows[1:n], other)
    start = transfer.Atoms.at(0.0)
    first = transfer.evolve(start, [old] * T + [new] * K)
    return first, transfer.evolve(start, [new] * (T + K))


@pytest.mark.parametrize("share", [None, 0.3], ids=["clip", "less"])
@pytest.mark.parametrize("adjacency", ["delete", "replace"])
def test_exact_laws_stay_below_the_bound(adjacency, share):
    rng = np.random.default_rng(5)
    for _ in range(20 if share is None else 10):
        n, T, K = (int(x) for x in rng.integers([1, 1, 0], [4, 4, 4]))
        clip, eta, decay = rng.uniform(0.3, 2), rng.uniform(0.05, 0.6), rng.uniform(0, 1)
        radius, sigma = rng.uniform(0.2, 1.0), rng.uniform(0.8, 4) * n
        most = clip * share if share else None
        p, q = laws(rng, n, clip, eta, decay, radius, sigma, T, K, adjacency, most or math.inf)
        problem = Clipped(
            n=n,
            clip=clip,
            row_gradient=most,
            step_size=eta,
            weight_decay=decay,
            radius=radius,
            learn_epochs=T,
            unlearn_epochs=K,
            adjacency=adjacency,
        )
        for epsilon in (0.0, 0.3, 1.0):
            exact = max(line_divergence.hockey_stick(*pair, epsilon) for pair in ((p, q), (q, p)))
            assert exact <= math.exp(problem._log_delta(sigma, epsilon)) * (1 + 1e-7) + 1e-12


def test_one_step_from_the_ends_of_the_domain_is_met():
    """Trained to opposite ends, opposite clipped gradients: two Gaussians, exactly that far."""
    problem = Clipped(**EXAMPLE, radius=2.0)
    far = 0.9 * 4 + 2 * 0.1  # c D + 2 eta C
    for sigma in (0.5, 40.0, 300.0):
        noise = float(problem.certified("least", sigma, 1e-5).deviation)
        assert noise == pytest.approx(0.1 * sigma / 4)
        found = problem.certified("least", sigma, 1e-5).epsilon
        assert found == pytest.approx(float(epsilon_gdp(far / noise, 1e-5)), rel=1e-11)
        assert found >= epsilon_gdp(far / noise, 1e-5) * (1 - 1e-15)


def test_two_signs_as_specified():
    """Two steps from +-0.5 with c = .9, s = .4, the better of both ends; then d/s = 1.3."""
    assert pabi_mu([0.9, 0.9], 0.4, 1.0, 1.0) == pytest.approx(1.1669718096080512, rel=1e-12)
    assert delta_gdp(1.1669718096080512, [0, 1]) == pytest.approx([0.440433757, 0.188724896])
    known = [math.log(0.35663569145691576), 0.0, 0.0, 0.0]
    for steps, value in enumerate((0.08313360280208704, 0.005348132278143348, 1.6672977961636e-6)):
        found = math.exp(log_delta_after(known[: steps + 2], 1.3, 0.5))
        assert value <= found <= value * (1 + 1e-11)


@examples(4, full=10)
@given(
    T=st.none() | st.integers(0, 9),
    K=st.integers(1, 9),
    eta=st.floats(0.01, 1),
    decay=st.floats(0, 1),
    radius=st.floats(0.01, 10),
    L=st.none() | st.floats(0.1, 3),
    losses=st.sampled_from(["any", "scalar"]),
)
def test_least_is_least_and_falls_with_what_helps(T, K, eta, decay, radius, L, losses):
    def epsilon(**changes):
        given_ = {
            "n": 6,
            "batch_size": 3,
            "clip": 1.0,
            "step_size": eta,
            "weight_decay": decay,
            "radius": radius,
            "learn_epochs": T,
            "unlearn_epochs": K,
            "smoothness": L,
            "losses": losses if L else "any",
        } | changes
        problem = Clipped(**given_)
        claims = [problem.certified(name, 9.0, 1e-5) for name in ("training", "contraction")]
        least = float(problem.certified("least", 9.0, 1e-5).epsilon)
        assert least <= min(float(claim.epsilon) for claim in claims) * slack
        return least

    slack = 1 + 1e-9
    found = epsilon()
    assert epsilon(unlearn_epochs=K + 1) <= found * slack
    assert epsilon(radius=radius / 2) <= found * slack
    assert found <= epsilon(adjacency="replace") * slack
    assert found <= epsilon(smoothness=None, losses="any") * slack


def test_many_steps_in_common_need_less_noise_and_say_why():
    few, many = (Clipped(**EXAMPLE, radius=0.1, unlearn_epochs=k) for k in (1, 30))
    one, more = few.noise("least", TARGET), many.noise("least", TARGET)
    assert more.noise < one.noise / 2
    assert more.details == {"attained_by": "steps in common"}
    assert one.details == {"attained_by": "contraction"}
    training = Clipped(**EXAMPLE, learn_epochs=3).noise("least", TARGET)
    assert training.details == {"attained_by": "training"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, "radius must be finite without learn_epochs"),
        ({"learn_epochs": 1, "losses": "scalar"}, "smoothness must be given with losses scalar"),
        ({"learn_epochs": 1, "batch_size": 3}, "batch_size must be a divisor of n = 4"),
        ({"learn_epochs": 10**9}, "learn_epochs and unlearn_epochs must give at most"),
        ({"radius": 1e308, "step_size": 1e-300}, "radius must keep steps in the floats"),
    ],
    ids=["radius", "smoothness", "batch size", "steps", "floats"],
)
def test_what_does_not_go_together_is_refused(changes, message):
    with pytest.raises(ValueError, match=message):
        Clipped(**(EXAMPLE | changes))


def test_the_search_for_the_least_finds_an_edge():
    for edge in (0.0, 1e-9, 0.3, 1.0):
        found = least_certified(lambda x, at=edge: x >= at, 0.0, 1.0)
        assert edge <= found <= edge * (1 + 1e-12)


def test_a_row_that_moved_less_counts_less():
    given_ = {"n": 12, "clip": 2.0, "step_size": 0.5, "smoothness": 0.5, "learn_epochs": 5}
    plain = Clipped(**given_)
    for name in ("training", "contraction", "least"):
        noise = float(plain.noise(name, TARGET).noise)
        same, half = (Clipped(**given_, row_gradient=g).noise(name, TARGET) for g in (2.0, 1.0))
        assert float(same.noise) == noise
        assert float(half.noise) == pytest.approx(noise / 2, rel=1e-9)
    found = Clipped(**given_, row_gradient=1.0).assumptions
    assert found.from_data == ("row_gradient",)
    assert any("row_gradient is released" in condition for condition in found.conditions)
    with pytest.raises(ValueError, match="row_gradient must be"):
        Clipped(**given_, row_gradient=2.1)
    with pytest.raises(ValueError, match="row_gradient must not be given without learn_epochs"):
        Clipped(**EXAMPLE, radius=1.0, row_gradient=0.5)


def test_a_row_that_was_never_seen_needs_no_noise():
    problem = Clipped(**EXAMPLE, radius=1.0, learn_epochs=0)
    assert problem.least_noise(TARGET).best.noise == 0
    assert problem.certified("least", 0.0, 1e-5).epsilon == 0

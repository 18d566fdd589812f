"""The almost-sure inequality of Lemmas 3.5 and 3.6: no statistical error at any step."""

import numpy as np
import pytest

from simulators.data.adjacency import replaced
from simulators.data.synthetic import opposite_labels, two_gaussians, worst_pair
from simulators.domains import Ball
from simulators.langevin.coupling import coupled_paths, coupled_schedules
from simulators.losses.logistic import Logistic
from simulators.losses.quadratic import Quadratic, linear
from tests.equality import same_bits

DATA = two_gaussians(24, 4, seed=2).normalised()
ADJACENT = replaced(DATA, 17, -DATA.features[3], 1.0)
COMMON = {"sigma": 0.2, "batch_size": 4, "trials": 200, "seed": 5}


def recursion(paths, contraction, shift, start):
    """d_{k+1} = c d_k + q where the batches differ."""
    bound = [start]
    for differs in paths.differs:
        bound.append(contraction * bound[-1] + shift * differs)
    return np.array(bound)


@pytest.mark.parametrize("order", ["fixed", "random"])
@pytest.mark.parametrize("eta_times_smoothness", [0.5, 1.0, 1.9])
def test_recursion_holds_for_every_trial_and_step(order, eta_times_smoothness):
    loss, domain = Logistic(0.05), Ball(1.5)
    constants = loss.constants(DATA, ADJACENT, domain=domain)
    eta = eta_times_smoothness / constants.smoothness
    paths = coupled_paths(
        loss,
        DATA,
        ADJACENT,
        learn_epochs=4,
        unlearn_epochs=3,
        step_size=eta,
        domain=domain,
        batch_order=order,
        keep_each=True,
        **COMMON,
    )
    c = constants.contraction(eta)
    q = eta * constants.gradient_difference / 4
    ahead = c * paths.each[:, :-1] + q * paths.differs
    assert (paths.each[:, 1:] <= ahead * (1 + 1e-12) + 1e-15).all()
    assert (paths.each.max(axis=0) == paths.largest).all()
    assert (paths.largest <= recursion(paths, c, q, 0.0) * (1 + 1e-12)).all()
    assert paths.differs.sum() == 4
    assert paths.differs[24:].sum() == 0
    assert paths.largest[24] > 0.01 * recursion(paths, c, q, 0.0)[24]
    assert set(paths.batch[paths.differs]) == {paths.settings["batch_positions"][0][0]}


@pytest.mark.parametrize("batch", [0, 2, 5])
def test_quadratics_attain_the_recursion(batch):
    """Equality to 1e-12: q a little smaller, another j0 or K + 1 epochs would be violated."""
    m, eta, bound = 0.4, 0.9, 1.3
    data, adjacent = worst_pair(24, 4, bound=bound, batch_size=4, batch=batch)
    paths = coupled_paths(
        Quadratic(m),
        data,
        adjacent,
        learn_epochs=3,
        unlearn_epochs=2,
        step_size=eta,
        keep_each=True,
        **COMMON,
    )
    c, q = 1 - eta * m, 2 * eta * bound / 4
    expected = recursion(paths, c, q, 0.0)
    assert paths.each == pytest.approx(np.broadcast_to(expected, paths.each.shape), abs=1e-12)
    learned = q * c ** (5 - batch) * (1 - c**18) / (1 - c**6)
    assert paths.largest[18] == pytest.approx(learned, rel=1e-12)
    assert paths.largest[30] == pytest.approx(learned * c**12, rel=1e-12)


def test_contraction_from_two_starts():
    """Lemma 3.6: same data, different starts; diag(m, L) attains max(|1 - eta m|, |1 - eta L|)."""
    for curvature, eta in (([0.2, 0.8, 0.5, 0.3], 1.0), ([0.2, 0.8, 0.5, 0.3], 2.3)):
        loss = Quadratic(np.array(curvature))
        c = loss.constants(DATA).contraction(eta)
        axis = np.argmax(np.abs(1 - eta * np.array(curvature)))
        paths = coupled_paths(
            loss,
            DATA,
            DATA,
            learn_epochs=2,
            step_size=eta,
            second_initial=3 * np.eye(4)[axis],
            **COMMON,
        )
        assert paths.largest == pytest.approx(3 * c ** np.arange(13), rel=1e-9)
        assert not paths.differs.any()


def test_sequential_requests_attain_theorem_3_11():
    """Z^(s+1) = c^{K_s J} Z^(s) + Z with unequal K_s, from the coupled schedules."""
    first, second = worst_pair(8, 2, bound=1.0, batch_size=4)
    third = replaced(second, 5, [-1.0, 0.0])
    base = replaced(first, 5, [1.0, 0.0])
    middle = replaced(base, 4, second.features[4])
    third = replaced(middle, 5, [-1.0, 0.0])
    m, eta, burn = 0.5, 1.0, 40
    paths = coupled_schedules(
        Quadratic(m),
        [(base, burn), (middle, 2), (third, 1)],
        [(third, burn + 3)],
        step_size=eta,
        **COMMON,
    )
    c, q = 0.5, 0.5
    z = q / (1 - c**2)
    assert paths.largest[-1] == pytest.approx(c**2 * (c**4 * z + z), rel=1e-9)


def test_linear_losses_add_up():
    data, adjacent = worst_pair(8, 1, bound=1.0, batch_size=2)
    paths = coupled_paths(
        linear(), data, adjacent, learn_epochs=5, step_size=0.1, **{**COMMON, "batch_size": 2}
    )
    assert paths.largest[-1] == pytest.approx(5 * 0.1, rel=1e-12)


def test_equal_runs_stay_equal():
    paths = coupled_paths(Logistic(0.1), DATA, DATA, learn_epochs=2, step_size=1.0, **COMMON)
    assert (paths.largest == 0).all()
    same_bits(paths.first, paths.second)


def test_invalid_schedules():
    with pytest.raises(ValueError, match="second must have as many epochs as first"):
        coupled_schedules(Logistic(), [(DATA, 2)], [(DATA, 3)], step_size=1.0, **COMMON)
    with pytest.raises(ValueError, match="first must hold at least one"):
        coupled_schedules(Logistic(), [], [(DATA, 3)], step_size=1.0, **COMMON)
    with pytest.raises(ValueError, match="data must have targets"):
        opposite_labels(worst_pair(4, 1, bound=1.0, batch_size=2)[0], 0)

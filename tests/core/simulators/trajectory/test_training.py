"""SGD on fixed batches and slot-deletion retraining."""

import numpy as np
import pytest

from simulators.trajectory.training import Training, batches_of, geometric_steps
from tests.equality import same_bits


def naive(c, training, forget, scaling):
    """SGD on l_i = (w - c_i)^2/2, sample by sample."""
    w = float(training.start[0])
    path = [w]
    for rows, eta in zip(training.batches, training.steps, strict=True):
        kept = [i for i in rows if i not in forget]
        share = len(rows) if scaling == "linear" else len(kept)
        if kept:
            w -= eta / share * sum(w - c[i] for i in kept)
        path.append(w)
    return np.array(path)


@pytest.mark.parametrize("scaling", ["linear", "mean"])
@pytest.mark.parametrize("forget", [(), (0,), (1, 2, 3)])
def test_retraining_keeps_its_slots(problems, scaling, forget):
    c = np.array([3.0, -1, 2, 5, 0.5])
    training = Training(
        ([0, 1], [2, 3], [4, 0], [1, 2, 3]), np.array([0.5, 0.4, 0.3, 0.2]), np.array([0.7])
    )
    found = training.run(problems.points_on_a_line(c), forget, scaling)
    np.testing.assert_allclose(found.points[:, 0], naive(c, training, forget, scaling), rtol=1e-14)


def test_first_steps_of_mini(problems):
    """mini eqs 1-4: (eta, w_0, kept, unlearned) -> w_1, w_1* and their difference."""
    for eta, start, kept, gone, learned, retrained in (
        (0.5, 0.0, [1], [3], 1.0, 0.5),
        (0.1, 2.0, [0, 1, 4], [7], 2.1, 1.966666667),
        (0.01, -1.0, [1, 2, 3, 4, 5], [10, -4, 6], -0.95625, -0.96),
    ):
        model = problems.points_on_a_line(kept + gone)
        n = len(kept) + len(gone)
        training = Training((np.arange(n),), np.array([eta]), np.array([start]))
        assert training.run(model).last[0] == pytest.approx(learned, rel=1e-9)
        forget = range(len(kept), n)
        assert training.run(model, forget, "mean").last[0] == pytest.approx(retrained, rel=1e-9)


def test_clipping_shrinks_and_the_printed_rule_does_not(problems):
    """hf Algorithm 1 prints max(1, C/|g|): l = w^2/2, w_0 = .1 then jumps -.4, .1 for ever."""
    model = problems.points_on_a_line([0.0])
    steps, batches = np.full(4, 0.5), ([0],) * 4
    printed = Training(batches, steps, np.array([0.1]), clip=1.0, clip_rule="max")
    found = printed.run(model)
    np.testing.assert_allclose(found.points[:, 0], [0.1, -0.4, 0.1, -0.4, 0.1], rtol=1e-14)
    assert found.clip_active
    small = Training(batches, steps, np.array([0.1]), clip=1.0).run(model)
    assert not small.clip_active
    assert small.last[0] == pytest.approx(0.1 * 0.5**4)
    large = Training(batches, steps, np.array([5.0]), clip=1.0).run(model)
    np.testing.assert_allclose(large.points[:, 0], [5, 4.5, 4, 3.5, 3], rtol=1e-14)
    assert large.clip_active
    np.testing.assert_allclose(large.largest_gradients, [5, 4.5, 4, 3.5], rtol=1e-14)


def test_the_clip_is_seen_on_the_retrained_path_too(problems):
    """Only the forgotten sample makes the learned step long; only the kept one the other."""
    model = problems.points_on_a_line([-3.0, 3.0])
    training = Training(([0, 1],), np.array([0.1]), np.array([0.0]), clip=1.0)
    assert not training.run(model).clip_active
    assert training.run(model, [0], "linear").clip_active


def test_batches_visit_every_sample_once_an_epoch():
    batches = batches_of(10, 4, 3, seed=1)
    assert [len(rows) for rows in batches] == [4, 4, 2] * 3
    for epoch in range(3):
        np.testing.assert_array_equal(
            np.sort(np.concatenate(batches[3 * epoch : 3 * epoch + 3])), np.arange(10)
        )
    assert not np.array_equal(batches[0], batches[3])
    np.testing.assert_array_equal(batches_of(10, 4, 1, shuffle=False)[0], [0, 1, 2, 3])
    np.testing.assert_allclose(geometric_steps(0.4, 0.5, 3), [0.4, 0.2, 0.1], rtol=1e-15)


def test_part_continues_the_run(problems):
    problem = problems.logistic()
    whole = problem.training.run(problem.model)
    part = problem.training.part(5, 9, whole.points[5]).run(problem.model)
    same_bits(part.points, whole.points[5:10])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"batches": ()}, "batches must be at least one"),
        ({"batches": ([0, 0],)}, "batches must be lists of distinct rows"),
        ({"batches": ([-1],)}, "batches must be an integer >= 0"),
        ({"steps": np.array([0.0])}, "steps must be"),
        ({"steps": np.array([0.1, 0.1])}, "steps must have shape"),
        ({"start": np.array([np.nan])}, "start must be"),
        ({"clip": 0.0}, "clip must be > 0"),
        ({"clip_rule": "mean"}, "clip_rule must be one of"),
    ],
)
def test_bad_trainings(change, message):
    good = {"batches": ([0, 1],), "steps": np.array([0.1]), "start": np.zeros(1)}
    with pytest.raises(ValueError, match=message):
        Training(**{**good, **change})


def test_runs_that_do_not_fit_the_model(problems):
    model = problems.points_on_a_line([0.0, 1.0])
    good = Training(([0, 1],), np.array([0.1]), np.zeros(1))
    with pytest.raises(ValueError, match="batches must be rows below 2, got 2"):
        Training(([0, 2],), np.array([0.1]), np.zeros(1)).run(model)
    with pytest.raises(ValueError, match="start must have 1 entries"):
        Training(([0],), np.array([0.1]), np.zeros(3)).run(model)
    with pytest.raises(ValueError, match="scaling must be one of"):
        good.run(model, (), "sum")
    with pytest.raises(ValueError, match="forget must be an integer in"):
        good.run(model, [2])
    wild = Training(([0],) * 60, np.full(60, 1e9), np.ones(1) * 1e30)
    with pytest.raises(ValueError, match="steps must be small enough"):
        wild.run(model)

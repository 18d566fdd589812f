"""Descent in place, with norms carried along, beside the plain loop with a pass for each part."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from accounting.deletions.schedule import DeletionSchedule
from simulators.domains import Ball, WholeSpace
from simulators.losses.huber import Huber
from simulators.losses.logistic import Logistic
from simulators.losses.ridge import Ridge
from simulators.online.in_place import EXACT, InPlace
from simulators.online.learners import run
from simulators.online.requests import Retrain
from simulators.online.rows import Rows
from simulators.online.steps import inverse_time

ROUNDS, DIMENSION = 140, 3
LOSSES = {"logistic": Logistic(0.3), "ridge": Ridge(0.2), "huber": Huber(0.1)}
DOMAINS = {
    "never left": Ball(50.0),
    "left at times": Ball(1.2),
    "left always": Ball(0.05),
    "everything": WholeSpace(),
}


def stream_of(loss, domain, seed=0):
    random = np.random.default_rng(seed)
    rows = random.normal(size=(ROUNDS, DIMENSION))
    return Rows(loss, rows, random.normal(size=ROUNDS), random.uniform(0, 2, ROUNDS), domain)


@pytest.mark.parametrize("convention", ["A", "C"])
@pytest.mark.parametrize("domain", DOMAINS.values(), ids=DOMAINS)
@pytest.mark.parametrize("loss", LOSSES.values(), ids=LOSSES)
def test_same_run_as_the_plain_loop(loss, domain, convention):
    """An observer makes the loop take its steps one part at a time."""
    stream = stream_of(loss, domain)
    steps = 0.05 if domain == WholeSpace() else inverse_time(0.3)
    settings_ = {
        "requests": DeletionSchedule([7, 30], [80, 120], convention),
        "steps": steps,
        "sigmas": 0.1,
        "trials": 5,
        "seed": 3,
        "block": 4,
        "runs": (0, 1, 2),
        "unlearner": Retrain(),
        "compare": domain.radius == 50.0 and isinstance(loss, Ridge),
    }
    fast = run(stream, **settings_)
    plain = run(stream, **settings_, observer=lambda *told: None)
    assert fast.gradient_evaluations == plain.gradient_evaluations
    for name in ("final", "published", "losses", "total_loss", "regret", "constant_regret"):
        found, wanted = getattr(fast, name), getattr(plain, name)
        if wanted is not None:
            assert found == pytest.approx(wanted, rel=1e-11, abs=1e-11), name


@settings(max_examples=20, deadline=None)
@given(
    loss=st.sampled_from(list(LOSSES.values())),
    radius=st.sampled_from([0.05, 1.2, 50.0]),
    eta=st.floats(1e-3, 0.5),
    seed=st.integers(0, 99),
)
def test_carried_norms_are_the_norms(loss, radius, eta, seed):
    """After every round: the squares to 1e-12, the bound above all of them, all in the ball."""
    stream = stream_of(loss, Ball(radius), seed)
    state = torch.zeros(6, DIMENSION, dtype=torch.float64)
    state[1:] = torch.tensor(np.random.default_rng(seed).normal(size=(5, DIMENSION))) * radius / 9
    mover = InPlace(stream, state)
    for t in range(1, ROUNDS + 1):
        value = mover.step(t, eta / t, valued=t % 2 == 0)
        assert (value is None) == bool(t % 2)
        norms = torch.linalg.vector_norm(state, dim=1)
        assert float(norms.max()) <= min(mover.reach, radius) * (1 + 1e-9)
        if mover.squares is not None:
            room = 1e-12 * max(1.0, float(norms.max()) ** 2)
            assert float((mover.squares - norms**2).abs().max()) <= room
    assert ROUNDS > 2 * EXACT

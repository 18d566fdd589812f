"""Input that makes no sense is refused by name, everywhere, before anything is computed."""

import numpy as np
import pytest

from simulators.trajectory.amnesiac import amnesiac
from simulators.trajectory.deltagrad import deltagrad
from simulators.trajectory.lbfgs import mini_lbfgs
from simulators.trajectory.membership import loss_scores
from simulators.trajectory.mini import mini, printed_sign
from simulators.trajectory.newton import infinitesimal_jackknife, minimiser, newton_step
from simulators.trajectory.recollection import Recollection
from simulators.trajectory.recursion import differences
from simulators.trajectory.removal import CertifiedRemoval, residual
from simulators.trajectory.rewind import rewind

BAD_ROWS = {
    "none": None, "no rows": [], "a half": [0.5], "negative": [-1], "beyond": [23],
    "not a number": [np.nan], "text": "ab", "no lists": [[0, 1]] * 0, "a number": 7,
}  # fmt: skip
BAD_VECTORS = {
    "none": None, "short": np.zeros(3), "not a number": np.full(4, np.nan),
    "infinite": np.full(4, np.inf), "text": "w", "a row": [[0.0] * 4],
}  # fmt: skip


@pytest.mark.parametrize("rows", BAD_ROWS.values(), ids=BAD_ROWS)
def test_rows(worlds, rows):
    world = worlds.logistic()
    model, training = world.model, world.training
    w = np.zeros(4)
    store = Recollection.learn(model, training, record_norms=True)
    server = CertifiedRemoval(model, 0.1, 1.0, 1e-5)
    for call in (
        lambda: mini(model, training, rows, 2),
        lambda: printed_sign(model, training, rows, 2),
        lambda: mini_lbfgs(model, training, rows, 2),
        lambda: amnesiac(model, training, rows),
        lambda: deltagrad(model, training, rows, period=2, burn_in=1),
        lambda: newton_step(model, w, rows),
        lambda: infinitesimal_jackknife(model, w, rows),
        lambda: differences(model, training, [rows]),
        lambda: store.forget(rows),
        lambda: store.norm_bound(rows),
        lambda: server.remove(rows),
        lambda: residual(model, w, w, rows, 1),
        lambda: loss_scores(model, w, rows),
    ):
        with pytest.raises(ValueError, match=r"(forget|rows|kept) must be"):
            call()


@pytest.mark.parametrize("vector", BAD_VECTORS.values(), ids=BAD_VECTORS)
def test_vectors(worlds, vector):
    world = worlds.logistic()
    model, training, every = world.model, world.training, np.arange(23)
    for call in (
        lambda: newton_step(model, vector, [0]),
        lambda: residual(model, vector, np.zeros(4), every, 1),
        lambda: residual(model, np.zeros(4), vector, every, 1),
        lambda: loss_scores(model, vector, every),
        lambda: minimiser(model, start=[np.nan] * 4 if vector is None else vector),
        lambda: minimiser(model, linear=[np.nan] * 4 if vector is None else vector),
        lambda: rewind(
            model, training, [0], 2, from_point=[np.nan] * 4 if vector is None else vector
        ),
    ):
        with pytest.raises(ValueError, match=r"(w|step|start|linear) must (be|have)"):
            call()

"""Algorithm 1 of sglu: the shipped simulator follows its lines, against exact laws."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product

import numpy as np

from simulators.exact.maps import batch_map, quadratic
from simulators.exact.transfer import Atoms, Grid, Step, evolve
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence

Setting = dict[str, float]
SETTINGS: tuple[Setting, ...] = (
    {"eta": 0.8, "m": 0.5, "sigma": 0.4, "R": 0.7, "T": 3, "K": 2, "b": 2},
    {"eta": 0.3, "m": 1.2, "sigma": 0.8, "R": 0.9, "T": 2, "K": 1, "b": 1},
)
OLD, NEW = (1.0, 0.4, -0.6, 0.9), (1.0, 0.4, -0.6, -0.9)


def sample(setting: Setting, trials: int, seed: int) -> np.ndarray:
    """Sorted unlearned iterates of the shipped simulator, on four points in 4/b batches."""
    from simulators.data.dataset import Dataset
    from simulators.domains import Ball
    from simulators.langevin import learn_unlearn
    from simulators.losses.quadratic import Quadratic

    data, adjacent = (Dataset(np.array(points)[:, None], np.zeros(4)) for points in (OLD, NEW))
    run = learn_unlearn(
        Quadratic(setting["m"]), data, adjacent, learn_epochs=int(setting["T"]),
        unlearn_epochs=int(setting["K"]), sigma=setting["sigma"], step_size=setting["eta"],
        batch_size=int(setting["b"]), trials=trials, seed=seed, domain=Ball(setting["R"]),
    )  # fmt: skip
    assert run.unlearned is not None
    return np.sort(run.unlearned[:, 0])


def exact_cdf(
    setting: Setting, points: np.ndarray, factor: float = 2.0, last: tuple[float, ...] = NEW
) -> np.ndarray:
    """Distribution function with noise variance factor eta sigma^2, unlearning on `last`."""
    eta, R, b = setting["eta"], setting["R"], int(setting["b"])
    grid = Grid.make(R, 120)
    deviation = math.sqrt(factor * eta) * setting["sigma"]
    epochs = {
        data: [
            Step.make(
                grid,
                batch_map([quadratic(setting["m"], d) for d in data[j : j + b]], eta),
                deviation,
            )
            for j in range(0, len(data), b)
        ]
        for data in {OLD, last}
    }
    learned = evolve(Atoms.at(0.0), epochs[OLD], int(setting["T"]))
    return evolve(learned, epochs[last], int(setting["K"])).cdf(points)


def check(ctx: Context) -> Iterator[Evidence]:
    trials = ctx.pick(20_000, 200_000)
    # Dvoretzky, Kiefer and Wolfowitz with Massart's constant.
    radius = math.sqrt(math.log(2 / ctx.level) / (2 * trials))
    for setting in SETTINGS:
        found = sample(setting, trials, ctx.seed)
        points = np.linspace(-setting["R"], setting["R"], 401)[:-1]
        empirical = np.searchsorted(found, points + 1e-12, side="right") / trials
        for factor, last in product((2.0, 1.0), (NEW, OLD)):
            law = exact_cdf(setting, points, factor, last)
            right = (factor, last) == (2.0, NEW)
            yield ctx.compare(
                "literal", "printed", float(np.abs(empirical - law).max()),
                {**setting, "variance / (eta sigma^2)": factor},
                "distribution function of the simulator against the transfer operator"
                if right
                else f"noise variance {factor:g} eta sigma^2, unlearning on "
                f"{'D' if last == OLD else 'the adjacent data'}: told apart",
                bound=radius, basis="statistical", role="bound" if right else "control",
            )  # fmt: skip
    yield ctx.declare(
        "state", "printed", "unspecified",
        "the paper does not say whether the batch sequence is stored, released or secret",
    )  # fmt: skip


CHECKS = (Check("sglu.alg1", evidence=check),)

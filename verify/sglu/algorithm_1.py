"""Algorithm 1 of sglu: the shipped simulator follows its lines, against exact laws."""

import math
from itertools import product
from typing import Any

import numpy as np

from simulators.data.dataset import Dataset
from simulators.domains import Ball
from simulators.exact.maps import batch_map, quadratic
from simulators.exact.transfer import Atoms, Grid, Step, evolve
from verify.checks import Check, Context, Findings

Setting = dict[str, float]
SETTINGS: tuple[Setting, ...] = (
    {"eta": 0.8, "m": 0.5, "sigma": 0.4, "R": 0.7, "T": 3, "K": 2, "b": 2},
    {"eta": 0.3, "m": 1.2, "sigma": 0.8, "R": 0.9, "T": 2, "K": 1, "b": 1},
)
OLD, NEW = (1.0, 0.4, -0.6, 0.9), (1.0, 0.4, -0.6, -0.9)


def sample(at: Setting, trials: int, seed: int) -> np.ndarray:
    """Sorted unlearned iterates of the shipped simulator, on four points in 4/b batches."""
    from simulators.langevin.unlearning import learn_unlearn
    from simulators.losses.quadratic import Quadratic

    data, adjacent = (Dataset(np.array(points)[:, None], np.zeros(4)) for points in (OLD, NEW))
    epochs = {"learn_epochs": int(at["T"]), "unlearn_epochs": int(at["K"])}
    step = {"sigma": at["sigma"], "step_size": at["eta"], "batch_size": int(at["b"])}
    options: dict[str, Any] = {**epochs, **step, "domain": Ball(at["R"])}
    run = learn_unlearn(Quadratic(at["m"]), data, adjacent, trials=trials, seed=seed, **options)
    assert run.unlearned is not None
    return np.sort(run.unlearned[:, 0])


def exact_cdf(
    setting: Setting, points: np.ndarray, factor: float = 2.0, last: tuple[float, ...] = NEW
) -> np.ndarray:
    """Distribution function with noise variance factor eta sigma^2, unlearning on `last`."""
    eta, R, b = setting["eta"], setting["R"], int(setting["b"])
    grid = Grid.make(R, 120)
    deviation = math.sqrt(factor * eta) * setting["sigma"]

    def steps(data: tuple[float, ...]) -> list[Step]:
        batches = ([quadratic(setting["m"], d) for d in data[j : j + b]] for j in range(0, 4, b))
        return [Step.make(grid, batch_map(batch, eta), deviation) for batch in batches]

    learned_law = evolve(Atoms.at(0.0), steps(OLD), int(setting["T"]))
    return evolve(learned_law, steps(last), int(setting["K"])).cdf(points)


def check(ctx: Context) -> Findings:
    """Empirical distribution functions of the simulator's trials against the transfer operator's.

    The band is that of Dvoretzky, Kiefer and Wolfowitz. Half the noise variance, or a law of the
    other data set, has to fall outside of it.
    """
    trials = ctx.pick(20_000, 200_000)
    # Dvoretzky, Kiefer and Wolfowitz with Massart's constant.
    radius = math.sqrt(math.log(2 / ctx.level) / (2 * trials))
    for setting in SETTINGS:
        samples = sample(setting, trials, ctx.seed)
        points = np.linspace(-setting["R"], setting["R"], 401)[:-1]
        empirical = np.searchsorted(samples, points + 1e-12, side="right") / trials
        for factor, last in product((2.0, 1.0), (NEW, OLD)):
            off = float(np.abs(empirical - exact_cdf(setting, points, factor, last)).max())
            options = {"bound": radius, "basis": "statistical"}
            instance = "distribution function of the simulator against the transfer operator"
            if (factor, last) != (2.0, NEW):
                where, options["role"] = "D" if last == OLD else "the adjacent data", "control"
                instance = (
                    f"noise variance {factor:g} eta sigma^2, unlearning on {where}: told apart"
                )
            inputs = {**setting, "variance / (eta sigma^2)": factor}
            yield ctx.compare("literal", "printed", off, inputs, instance, **options)
    reason = "the paper does not say whether the batch sequence is stored, released or secret"
    yield ctx.declare("state", "printed", "unspecified", reason)


CHECKS = (
    Check("sglu.alg1", evidence=check)
    .measured_by("langevin", "law_off", interpretations=("literal",), sides={"printed": "allowed"})
    .beside("mean of 1 and -1, the longest steps"),
)

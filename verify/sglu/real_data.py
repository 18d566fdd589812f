"""Logistic regression on real digits: one run, shared by the checks of several bounds of sglu.

The adjacent data set flips the label of one image in the last batch, which changes its gradient by
exactly its norm at every parameter. Learning, unlearning and retraining are simulated in many
independent trials; what is measured is (a) the almost-sure distance of synchronously coupled
paths, with no statistical error, and (b) lower confidence limits of the Gaussian-DP parameter and
of Rényi divergences between the unlearned and the retrained law, from the trade-off curve.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from verify.context import Context, Findings

if TYPE_CHECKING:
    from verify.audit.gdp_limit import LowerLimit

MNIST_VARIABLE = "FORGETPROOF_MNIST"
# Noise so small that the two laws can be told apart with the trials at hand.
SIGMA = {"digits": 0.002, "mnist": 0.001}
TRIALS = {"digits": (4096, 65536), "mnist": (1024, 8192)}
RADIUS = 4.0
LEARN, UNLEARN = 12, 1
_REGRESSION = "logistic regression on"


@dataclass(frozen=True, eq=False)
class Task:
    """A data set with an adjacent one, its loss, and the constants that were certified for it."""

    name: str
    loss: Any
    data: Any
    adjacent: Any
    batch_size: int
    eta: float
    m: float
    L: float
    M: float

    @property
    def sigma(self) -> float:
        return SIGMA[self.name]

    @property
    def inputs(self) -> dict[str, Any]:
        """The symbols of sglu's formulas, with the hash of the data."""
        n, b = len(self.data), self.batch_size
        sizes = {"n": n, "b": b, "J": n // b, "j0": n // b - 1, "T": LEARN, "K": UNLEARN}
        constants = {"eta": self.eta, "m": self.m, "L": self.L, "M": self.M, "sigma": self.sigma}
        return {**sizes, **constants, "R": RADIUS, "data_sha256": self.data.sha256}


@dataclass(frozen=True, eq=False)
class Measured:
    """What one run showed: distances of coupled paths, and lower limits for each target law."""

    task: Task
    learned_distance: float
    unlearned_distance: float
    limits: dict[str, LowerLimit]
    trials: int
    gradient_evaluations: dict[str, int]


def mnist_folder() -> Path | None:
    """Folder with MNIST files in IDX form, from the environment variable FORGETPROOF_MNIST."""
    named = os.environ.get(MNIST_VARIABLE)
    return Path(named) if named else None


def names() -> tuple[str, ...]:
    """Data sets at hand: scikit-learn's digits, and MNIST where its folder is named."""
    return ("digits", "mnist") if mnist_folder() else ("digits",)


@cache
def task(name: str) -> Task:
    """The 3-versus-8 task on one of the data sets, rows scaled to norm 1, n trimmed.

    Raises:
        ValueError: the data set is not known; FileNotFoundError where its files are missing.
    """
    from simulators.data.adjacency import row_in_batch
    from simulators.data.idx import mnist
    from simulators.data.sklearn_sets import digits
    from simulators.data.synthetic import opposite_labels
    from simulators.domains import Ball
    from simulators.losses.logistic import Logistic
    from simulators.losses.regularisation import choose_regularisation

    if name == "digits":
        data, batch = digits().normalised(), 32
    elif name == "mnist":
        folder = mnist_folder()
        if folder is None:
            raise ValueError("FORGETPROOF_MNIST must name the folder of the MNIST files, got none")
        data, batch = mnist(folder, part="t10k").normalised(), 128
    else:
        raise ValueError(f"data must be digits or mnist, got {name!r}")
    data = data.trimmed(batch)
    chosen = choose_regularisation(
        len(data), batch_size=batch, bound=1.0, curvature=0.25, radius=RADIUS, fraction=0.05
    )
    loss = Logistic(chosen.value)
    row = row_in_batch(len(data) // batch - 1, batch)
    adjacent = opposite_labels(data, row)
    constants = loss.constants(data, adjacent, domain=Ball(RADIUS))
    smoothness, convexity = constants.smoothness, constants.strong_convexity
    M = constants.half_gradient_difference
    return Task(name, loss, data, adjacent, batch, 1 / smoothness, convexity, smoothness, M)


@cache
def measure(name: str, seed: int, trials: int, level: float, memory: int) -> Measured:
    """Simulates the task once per process; see the module's text for what is measured."""
    from simulators.coupling import coupled_paths
    from simulators.domains import Ball
    from simulators.langevin import learn_unlearn
    from simulators.retraining import retrain
    from verify.audit.gdp_limit import mu_lower_limit

    chosen = task(name)
    J = len(chosen.data) // chosen.batch_size
    settings: dict[str, Any] = {"sigma": chosen.sigma, "step_size": chosen.eta, "seed": seed}
    settings |= {"batch_size": chosen.batch_size, "domain": Ball(RADIUS), "memory": memory}
    both: dict[str, Any] = {**settings, "learn_epochs": LEARN, "unlearn_epochs": UNLEARN}
    coupled = coupled_paths(chosen.loss, chosen.data, chosen.adjacent, trials=64, claim=1, **both)
    both |= {"retrain": "T+K", "trials": trials, "claim": 2}
    run = learn_unlearn(chosen.loss, chosen.data, chosen.adjacent, **both)
    shorter = retrain(
        chosen.loss, chosen.adjacent, retrain_epochs=LEARN, trials=trials, claim=3, **settings
    )
    assert run.unlearned is not None
    direction = (coupled.first - coupled.second).mean(axis=0)
    laws: dict[str, Any] = {"T+K": run.retrained, "T": shorter.retrained}
    return Measured(
        chosen,
        learned_distance=float(coupled.largest[LEARN * J]),
        unlearned_distance=float(coupled.largest[-1]),
        limits={
            target: mu_lower_limit(law, run.unlearned, level, direction=direction)
            for target, law in laws.items()
        },
        trials=trials,
        gradient_evaluations=dict(run.gradient_evaluations),
    )


def at(ctx: Context) -> Iterator[Measured]:
    """One measurement per data set at hand, at the run's seed and the budget's level."""
    for name in names():
        trials = ctx.pick(*TRIALS[name])
        yield measure(name, ctx.seed, trials, ctx.level, ctx.memory)


def distances(ctx: Context, reading: str, forms: tuple[str, ...]) -> Findings:
    """Coupled distance after learning, against bounds on W-infinity (Lemma 3.5)."""
    for found in at(ctx):
        said = f"{_REGRESSION} {found.task.name}: largest distance of coupled paths after learning"
        for form in forms:
            yield ctx.compare(reading, form, found.learned_distance, found.task.inputs, said)


def renyi(ctx: Context, reading: str, forms: tuple[str, ...], target: str) -> Findings:
    """Lower limit of the Rényi divergence of order 2 from the target law, against bounds on it."""
    for found in at(ctx):
        inputs, limit = {**found.task.inputs, "alpha": 2.0}, found.limits[target].renyi(2.0)
        said = f"{_REGRESSION} {found.task.name}: lower limit of D_2(unlearned || {target} epochs "
        said += f"of retraining) from {found.trials} trials"
        for form in forms:
            yield ctx.compare(reading, form, limit, inputs, said, basis="statistical")

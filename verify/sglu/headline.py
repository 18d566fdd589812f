"""The headline of sglu: the same guarantee with far less noise, and what that buys on real images.

Three parts: Table 3 as printed beside the exact accounting; the linear instance that shows that
less noise is impossible (for the class of Remark 3.7: gradients of two points differ by at most
2M, and the projection is inactive); and the accuracy of unlearned models on handwritten digits
with either noise.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import bounds
from accounting.noisy_sgd.langevin import NoisySGD
from bounds.sglu.accountants import TrainingScenario, noise
from bounds.sglu.table_3 import EPSILONS, PRINTED, SIZES
from simulators.data.synthetic import opposite_labels
from simulators.domains import Ball
from simulators.losses.regularisation import choose_regularisation


@dataclass(frozen=True)
class NoiseRow:
    """One entry of Table 3: the paper's number, its formula's, and the exact least noise."""

    data: str
    batch_size: int
    epsilon: float
    paper: float
    printed: float
    exact: float

    @property
    def ratio(self) -> float:
        """How many times too large the paper's noise is."""
        return self.paper / self.exact


def table() -> list[NoiseRow]:
    """All 24 entries of Table 3."""
    formula = bounds.get("sglu.table3")
    rows = []
    for (data, batch), sigmas in PRINTED.items():
        n = SIZES[data]
        for epsilon, paper in zip(EPSILONS, sigmas, strict=True):
            inputs = {"n": n, "b": batch or n, "epsilon": epsilon}
            printed, exact = (float(formula(form, **inputs)) for form in ("printed", "tight"))
            rows.append(NoiseRow(data, batch or n, epsilon, paper, printed, exact))
    return rows


@dataclass(frozen=True)
class Tightness:
    """delta(epsilon) of the linear instance at the least noise, and at 0.1 % less."""

    row: NoiseRow
    target: float
    at_least: float
    below: float


def tightness(row: NoiseRow) -> Tightness:
    """Exact hockey-stick divergence on quadratics, for one entry of the table."""
    from verify.sglu.table_3 import instance_delta

    n = SIZES[row.data]
    return Tightness(
        row,
        1 / n,
        instance_delta(n, row.batch_size, row.epsilon, row.exact),
        instance_delta(n, row.batch_size, row.epsilon, row.exact * 0.999),
    )


@dataclass(frozen=True)
class Utility:
    """Test accuracy of unlearned models on real images, by accountant and epsilon."""

    data: str
    n: int
    batch_size: int
    delta: float
    regularisation: float
    epsilons: tuple[float, ...]
    sigma: dict[str, tuple[float, ...]]
    accuracy: dict[str, tuple[float, ...]]
    noiseless: float
    trials: int
    data_sha256: str


def utility(
    data: Any,
    *,
    name: str,
    batch_size: int,
    train: int,
    epsilons: Sequence[float] = (0.1, 0.3, 1.0, 3.0, 10.0),
    trials: int = 64,
    learn_epochs: int = 20,
    radius: float = 8.0,
    seed: int = 0,
) -> Utility:
    """Learns on `train` rows, unlearns one, and tests on the rest, at each accountant's noise.

    Args:
        data: a two-class data set (targets -1 and 1); rows are shuffled and scaled to norm 1.
        batch_size: divides `train`.
    """
    from simulators.langevin.unlearning import learn_unlearn
    from simulators.losses.logistic import Logistic

    whole = data.normalised().shuffled(seed)
    learn = whole.first(train)
    test_x = whole.features[train:]
    test_y = whole.targets[train:]
    chosen = choose_regularisation(
        train, batch_size=batch_size, bound=1.0, curvature=0.25, radius=radius, fraction=0.05
    )
    loss = Logistic(chosen.value)
    last = train - batch_size
    adjacent = opposite_labels(learn, last)
    constants = loss.constants(learn, adjacent, domain=Ball(radius))
    setting = NoisySGD(
        train,
        batch_size,
        constants.smoothness,
        constants.strong_convexity,
        constants.half_gradient_difference,
        radius=radius,
    )
    scenario = TrainingScenario(setting)
    delta = 1 / train

    def accuracy(sigma: float) -> float:
        run = learn_unlearn(
            loss,
            learn,
            adjacent,
            sigma=sigma,
            step_size=setting.step,
            batch_size=batch_size,
            learn_epochs=learn_epochs,
            unlearn_epochs=1,
            domain=Ball(radius),
            trials=trials,
            seed=seed,
        )
        assert run.unlearned is not None
        return float(np.mean(np.sign(run.unlearned @ test_x.T) == test_y))

    sigmas = [noise(scenario, epsilon, delta) for epsilon in epsilons]
    names = ("printed", "exact")
    return Utility(
        data=name,
        n=train,
        batch_size=batch_size,
        delta=delta,
        regularisation=chosen.value,
        epsilons=tuple(epsilons),
        sigma={a: tuple(s[a] for s in sigmas) for a in names},
        accuracy={a: tuple(accuracy(s[a]) for s in sigmas) for a in names},
        noiseless=accuracy(0.0),
        trials=trials,
        data_sha256=whole.sha256,
    )


def figure(rows: Sequence[NoiseRow], found: Sequence[Utility]) -> Any:
    """Noise against epsilon (Table 3) beside accuracy against epsilon (real images).

    Returns a matplotlib figure in the colours of the report's plots.
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from verify.plots.style import GRID, STYLES, settings

    colours = {"printed": STYLES["printed"]["color"], "exact": STYLES["tight"]["color"]}
    with mpl.rc_context(settings("headline")):
        drawing = Figure(figsize=(4.4 * (1 + len(found)), 3.4), layout="constrained")
        FigureCanvasAgg(drawing)
        axes = drawing.subplots(1, 1 + len(found), squeeze=False)[0]
        for batch, style in ((128, "-"), (SIZES["MNIST"], "--")):
            mine = [r for r in rows if r.data == "MNIST" and r.batch_size == batch]
            x = [r.epsilon for r in mine]
            for name, values in (
                ("paper", [r.paper for r in mine]),
                ("exact", [r.exact for r in mine]),
            ):
                colour = colours["printed" if name == "paper" else "exact"]
                label = f"{name}, b = {'n' if batch > 128 else batch}"
                axes[0].loglog(x, values, style, marker="o", ms=3.6, color=colour, label=label)
        axes[0].set(title="Noise for one request (Table 3, MNIST)", ylabel="noise scale σ")
        for axis, one in zip(axes[1:], found, strict=True):
            for name, colour in colours.items():
                label = f"{name} noise"
                axis.semilogx(
                    one.epsilons, one.accuracy[name], marker="o", ms=3.6, color=colour, label=label
                )
            axis.axhline(
                one.noiseless, color=STYLES["experiment"]["color"], lw=1, ls=":", label="no noise"
            )
            axis.set(title=f"After unlearning, {one.data}", ylabel="test accuracy")
        for axis in axes:
            axis.set_xlabel("target ε at δ = 1/n")
            axis.spines[["top", "right"]].set_visible(False)
            axis.grid(True, color=GRID, linewidth=0.6)
            axis.legend(frameon=False, fontsize=8)
    return drawing

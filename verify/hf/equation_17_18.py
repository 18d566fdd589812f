"""(17) and (18) of hf: the Newton step is exact on quadratics at the minimiser, IJ never is."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure(n: float, m: float, G: float) -> float:
    """Way between the means of n points and of the last n - m, the others pulling with G in all."""
    points = np.zeros(int(n))
    points[: int(m)] = 1.0
    pull = float((points.mean() - points[: int(m)]).sum())
    return float((points[int(m) :].mean() - points.mean()) / pull * G)


def random_problem(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Positive definite Hessians (n, p, p), minima (n, p), and a set to forget."""
    n, p = int(rng.integers(4, 12)), int(rng.integers(1, 5))
    half = rng.normal(size=(n, p, p))
    H = half @ half.swapaxes(1, 2) + 0.2 * np.eye(p)
    return H, rng.normal(size=(n, p)), rng.choice(n, size=int(rng.integers(1, n)), replace=False)


def best(H: np.ndarray, c: np.ndarray) -> np.ndarray:
    """argmin of sum (w - c_i)^T H_i (w - c_i)/2."""
    return np.linalg.solve(H.sum(axis=0), np.einsum("nij,nj->i", H, c))


def check_newton(ctx: Context) -> Findings:
    """Newton steps of random quadratics against their minimisers, at the minimum and elsewhere.

    The approximator tends to the same step after 300 steps on equal Hessians.
    """
    from simulators.trajectory.newton import newton_step
    from verify.hf.quadratic_problems import QuadraticModel, departure

    for rng in ctx.draws(30, 300, block=1):
        H, c, U = random_problem(rng)
        kept_rows = np.setdiff1d(np.arange(len(c)), U)
        model, w = QuadraticModel(H, c), best(H, c)
        sizes = {"n": len(c), "m": len(U)}
        target = best(H[kept_rows], c[kept_rows])
        lhs, right = departure(newton_step(model, w, U), target - w)
        at = "quadratics, at the minimiser"
        yield ctx.compare("literal", "printed", lhs, sizes, at, bound=right)
        away = w + rng.normal(size=len(w))
        lhs, right = departure(newton_step(model, away, U, whole_gradient=True), target - away)
        at = "quadratics, from anywhere, with the gradient over S in place"
        yield ctx.compare("literal", "printed", lhs, sizes, at, bound=right)
    for inputs, model, w, U in equal_hessians(rng, ctx.pick(10, 100)):
        lhs = approximator(model, w, U, "kept")
        at = "A_T of the kept samples' Hessian, T = 300"
        yield ctx.compare("limit", "printed", lhs, inputs, at, tight=np.nan)
    for interpretation, at, lhs, right, script in (
        ("elsewhere", "means of three points from w = 1", -1.0, 0.0, "eq17_elsewhere"),
        ("retrained", "two points, T = 2", -7 / 16, -1.0, "eq17_retrained"),
    ):
        yield ctx.compare(
            interpretation, "printed", lhs, {}, at, bound=right, tight=np.nan, script=script
        )


def check_error(ctx: Context) -> Findings:
    """log cosh(w - z) + (lam/2) w^2: L on the way, Lam = 4/sqrt(27)."""
    rng = ctx.rng()
    table: list[tuple[float, ...]] = []
    for _ in range(ctx.pick(150, 2000)):
        lam = float(rng.uniform(0.2, 2))
        n = int(rng.integers(3, 30))
        m, z = int(rng.integers(1, n)), rng.normal(size=n) * 2

        def slope(w: float, z: np.ndarray, lam: float = lam) -> np.ndarray:
            return np.asarray(np.tanh(w - z) + lam * w)

        def minimum(z: np.ndarray) -> float:
            low, high = -10.0, 10.0
            for _ in range(100):
                w = (low + high) / 2
                low, high = (w, high) if slope(w, z).sum() < 0 else (low, w)
            return (low + high) / 2

        whole, rest = minimum(z), minimum(z[m:])
        H = (1 / np.cosh(whole - z[m:]) ** 2 + lam).sum()
        error = abs(rest - whole - slope(whole, z[:m]).sum() / H)
        L = max(np.abs(slope(w, z)).max() for w in (whole, rest))
        table.append((error, 4 / 27**0.5, lam, float(L), n, m, abs(rest - whole)))
    error, *columns = np.array(table).T
    inputs = dict(zip(("Lam", "lam", "L", "n", "m", "step"), columns, strict=True))
    certain = np.maximum(error - 1e-12, 0)
    at = "log cosh plus a quadratic, n < 30"
    yield from ctx.compare_forms("literal", certain, inputs, at)
    # phi'' = 1 + s x^+ from lam = 1 on: Newton's remainder is attained while x keeps its sign.
    for s in (0.1, 1.0, 5.0):
        inputs = {"Lam": s, "lam": 1.0, "L": 1.0, "n": 2, "m": 1, "step": 0.5}
        x = 0.5  # the kept loss has slope x + s x^2/2 - b with zero at w^ + x; w^ = 0
        b = x + s * x**2 / 2
        at = "curvature that rises from lam"
        yield ctx.compare("literal", "tight", abs(x - b / 1.0), inputs, at, relation="==")


def check_jackknife(ctx: Context) -> Findings:
    """The infinitesimal jackknife on equal Hessians, and the approximator it is the limit of."""
    from simulators.trajectory.newton import infinitesimal_jackknife

    for inputs, model, w, U in equal_hessians(ctx.rng(1), ctx.pick(10, 100)):
        for lhs, at in (
            (np.abs(infinitesimal_jackknife(model, w, U))[0], "the statistic itself"),
            (approximator(model, w, U, "batch"), "A_T of the whole batch's Hessian, T = 300"),
        ):
            yield ctx.compare("limit", "printed", lhs, inputs, at, tight=np.nan)


def equal_hessians(
    rng: np.random.Generator, count: int
) -> Iterator[tuple[dict[str, float], Any, np.ndarray, np.ndarray]]:
    """(inputs, quadratics of one curvature on a line, their minimiser, a set to forget)."""
    from verify.hf.quadratic_problems import QuadraticModel

    for _ in range(count):
        n, h = int(rng.integers(2, 9)), float(rng.uniform(0.3, 2))
        c = rng.normal(size=(n, 1))
        U = rng.choice(n, size=int(rng.integers(1, n)), replace=False)
        w = c.mean(axis=0)
        inputs = {"n": n, "m": len(U), "G": float(abs((w - c[U]).sum()))}
        yield inputs, QuadraticModel(np.full((n, 1, 1), h), c), w, U


def approximator(model: Any, w: np.ndarray, U: np.ndarray, hessian: Any) -> float:
    """|A_T| after T = 300 whole batches with steps 1/h from the minimiser."""
    from simulators.trajectory.recursion import Recursion, differences
    from simulators.trajectory.training import Training

    batches = (np.arange(model.size),) * 300
    training = Training(batches, np.full(300, 1 / float(model.H[0])), w)
    return abs(float(differences(model, training, [U], Recursion(hessian=hessian)).vectors[0, 0]))


def check_gap(ctx: Context) -> Findings:
    """Newton step minus jackknife: random quadratics, then equal Hessians and gradients."""
    from simulators.trajectory.newton import infinitesimal_jackknife, newton_step
    from verify.hf.quadratic_problems import QuadraticModel

    for rng in ctx.draws(40, 400):
        H, c, U = random_problem(rng)
        model, w = QuadraticModel(H, c), best(H, c)
        spectra = np.linalg.eigvalsh(H)
        gradients = np.einsum("nij,nj->ni", H[U], w - c[U])
        apart = newton_step(model, w, U) - infinitesimal_jackknife(model, w, U)
        n = len(c)
        m = len(U)
        h = float(spectra.min())
        M = float(spectra.max())
        inputs = {"lam": h, "M": M, "n": n, "m": m}
        inputs |= {"L": float(np.linalg.norm(gradients, axis=1).max())}
        yield ctx.compare("literal", "tight", np.linalg.norm(apart), inputs, "random quadratics")
        equal = QuadraticModel(np.full((n, 1, 1), h), np.where(np.arange(n) < m, 1.0, 0.0)[:, None])
        middle, first = np.array([m / n]), np.arange(m)
        apart = newton_step(equal, middle, first) - infinitesimal_jackknife(equal, middle, first)
        same = {**inputs, "M": h, "L": h * (1 - m / n)}
        at = "equal Hessians and gradients"
        yield ctx.compare("literal", "tight", abs(apart[0]), same, at, relation="==")


MEANS = Instances(
    "means of points",
    case_table("n m G", (10, 1, 1), (10, 3, 1), (1000, 300, 1)),
    interpretations=("literal",),
    script="eq18_share",
)
CHECKS = (
    Check("hf.eq17", check_newton, measure, (replace(MEANS, script=None),)).measured_by(
        "recollection", "way", interpretations=("literal",), where=("equal Hessians",)
    ),
    Check("hf.eq17.error", check_error)
    .measured_by("recollection", "newton_error", where=("smooth curvature",))
    .beside("logcosh loss of 1 and -1, most rows"),
    Check("hf.eq18", check_jackknife, measure, (MEANS,)).measured_by(
        "recollection", "way", interpretations=("literal",), where=("equal Hessians",)
    ),
    Check("hf.eq18.gap", check_gap)
    .measured_by("recollection", "statistics_gap")
    .beside("means of 1 and -1, steps that vanish"),
)

"""Theorem X (X0, X1, X2, convergent case): against random allocations, search, exact laws."""

import math

import numpy as np

from accounting.curves.gaussian import delta_gdp
from simulators.exact import line_divergence
from simulators.exact.gaussian_divergence import hockey_stick, separation
from simulators.exact.linear_chain import recursion
from simulators.exact.maps import huber, logistic, quadratic
from verify.checks import Check, Context, Findings
from verify.own.extreme_chains import accounted
from verify.sglu.instances import LinearRun, ProjectedRun, renyi_difference
from verify.sglu.least_energy import least_energy


def measure(
    eta: float, m: float, M: float, b: float, J: float, sigma: float, K: float, j0: float
) -> float:
    """Mean difference in standard deviations on quadratics, from the Gaussian recursion."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=sigma, j0=j0)
    return float(separation(run.unlearned(math.inf, K), run.stationary(-1), rtol=1e-9))


def check_x(ctx: Context) -> Findings:
    """mu of stationary laws of random quadratics; delta(epsilon) by integration; projected laws."""
    rng = ctx.rng()
    cases = [(0.8, 0.5, 1.0, 2, 3, 0.3, 1, 2), (0.8, 0.5, 1.0, 2, 3, 0.3, 2, 0)]
    for _ in range(ctx.pick(25, 300)):
        J = int(rng.integers(1, 8))
        cases.append(
            (
                rng.uniform(0.05, 1),
                rng.uniform(0.01, 0.95),
                rng.exponential(),
                rng.integers(1, 9),
                J,
                rng.uniform(0.05, 1),
                rng.integers(1, 5),
                rng.integers(J),
            )
        )
    names = ("eta", "m", "M", "b", "J", "sigma", "K", "j0")
    for case in cases:
        inputs = dict(zip(names, map(float, case), strict=True))
        yield ctx.compare(
            "literal",
            "tight",
            measure(**inputs),
            inputs,
            "quadratics, stationary laws",
            relation="==",
            tolerance=1e-8,
        )
    inputs = dict(zip(names, map(float, cases[0]), strict=True))
    mu = float(ctx.claim("tight", **inputs))
    run = LinearRun.of(**inputs)
    for epsilon in (0.0, 0.5, 2.0, 6.0):
        exact = hockey_stick(run.unlearned(math.inf, 1), run.stationary(-1), epsilon)
        yield ctx.compare(
            "literal",
            "tight",
            exact,
            {**inputs, "epsilon": epsilon},
            "delta(epsilon) by integration of the two densities",
            bound=delta_gdp(mu, epsilon),
            tight=math.nan,
            relation="==",
            tolerance=1e-9,
        )
    for R in (0.6, 1.2, 6.0):
        box = ProjectedRun.linear(R=R, eta=0.8, m=0.5, sigma=0.3, b=2, J=3, old=1.0, new=-1.0)
        p, q = box.unlearned(math.inf, 1), box.stationary(-1)
        for alpha in (1.5, 3.0):
            yield ctx.compare(
                "literal",
                "tight",
                math.sqrt(2 * renyi_difference(p, q, alpha) / alpha),
                {**inputs, "R": R, "alpha": alpha},
                "quadratics on an interval",
                relation="<=",
                tolerance=1e-8,
            )
        delta = max(line_divergence.hockey_stick(*pair, 0.5) for pair in ((p, q), (q, p)))
        yield ctx.compare(
            "literal",
            "tight",
            delta,
            {**inputs, "R": R, "epsilon": 0.5},
            "delta(1/2) of quadratics on an interval",
            bound=delta_gdp(mu, 0.5),
            tight=math.nan,
        )


def check_x0(ctx: Context) -> Findings:
    """Slopes of gradient steps and gradient differences of three families on a grid."""
    grid = np.linspace(-3, 3, ctx.pick(400, 4000))
    losses = {
        "quadratic": (quadratic(0.5, 1.0), quadratic(0.5, -1.0), 0.5, 0.5, 2.0),
        "logistic": (logistic(1.0, 1.0, 0.5), logistic(1.0, -1.0, 0.5), 0.5, 0.75, 1.0),
        "Huber": (huber(0.4, 1.0, 0.5), huber(-0.4, 1.0, 0.5), 0.5, 1.5, 0.8),
    }
    for name, (one, two, m, L, difference) in losses.items():
        for eta in (0.5 / L, 1 / L, 2 / (L + m), 1.9 / L):
            images = grid - eta * one(grid)
            slopes = np.abs(np.diff(images) / np.diff(grid))
            yield ctx.compare(
                "literal",
                "tight",
                slopes,
                {"eta": eta, "m": m, "L": L},
                f"{name} steps are max(|1 - eta m|, |1 - eta L|)-Lipschitz",
                bound=max(abs(1 - eta * m), abs(1 - eta * L)) + 1e-12,
                tolerance=1e-9,
            )
        yield ctx.compare(
            "literal",
            "tight",
            np.abs(one(grid) - two(grid)),
            {"2M": difference},
            f"{name} gradients of two points differ by at most 2M",
            bound=difference,
        )


def allocation(
    c: np.ndarray, delta: np.ndarray, s: np.ndarray, z0: float, share: np.ndarray
) -> float:
    """mu when step k pays the fraction share_k of the distance it finds; the last one pays all."""
    z, total = z0, 0.0
    for k in range(c.size):
        z = c[k] * z + delta[k]
        paid = z if k == c.size - 1 else share[k] * z
        if paid > 0:
            total += (paid / s[k]) ** 2
        z -= paid
    return math.sqrt(total)


def check_x1(ctx: Context) -> Findings:
    """mu of linear maps from two points, against random allocations of the shifts."""
    for rng in ctx.draws(60, 1000):
        N = int(rng.integers(1, 9))
        c, delta, s = rng.uniform(0, 1.3, N), rng.exponential(size=N), rng.uniform(0.2, 2, N)
        share = rng.uniform(size=N) * rng.integers(0, 2, N)
        s[:-1] *= (share[:-1] > 0) | (rng.uniform(size=N - 1) < 0.5)
        z0 = float(rng.exponential())
        gap, variance = recursion(c, delta, s**2, z0, 0.0)
        yield ctx.compare(
            "literal",
            "tight",
            gap / math.sqrt(variance),
            {"N": N, "z0": z0},
            "linear maps from two points, random shares paid",
            bound=allocation(c, delta, s, z0, share),
        )
    yield ctx.compare(
        "literal",
        "tight",
        gap / math.sqrt(variance),
        {"N": N, "z0": z0},
        "the shifts of the best allocation, halved, would not do",
        bound=least_energy(c, delta, np.maximum(s, 1e-6), z0) / 2,
        role="control",
    )
    yield from _steep(ctx, rng)
    yield from _jumping(ctx)


def _jumping(ctx: Context) -> Findings:
    """c x + (delta/2) sign(x) against c x - (delta/2) cos(5 x): neither is Lipschitz with c."""
    c, delta, s, N = 0.8, 0.4, 0.5, 3
    box = ProjectedRun(
        2.0,
        1.0,
        s / math.sqrt(2),
        [[lambda x: x - c * x - delta / 2 * np.sign(x)]],
        [[lambda x: x - c * x + delta / 2 * np.cos(5 * x)]],
        160,
        (0.0,),
    )
    p, q = box.learned(1, N), box.learned(-1, N)
    ones = np.ones(N)
    mu = allocation(c * ones, delta * ones, s * ones, 0.0, np.zeros(N))
    for epsilon in (0.0, 0.3, 1.0):
        exact = max(line_divergence.hockey_stick(*pair, epsilon) for pair in ((p, q), (q, p)))
        yield ctx.compare(
            "literal",
            "tight",
            exact,
            {"c": c, "delta": delta, "s": s, "epsilon": epsilon},
            "a jump and a wave on an interval, both directions",
            bound=delta_gdp(mu, epsilon),
        )


def _steep(ctx: Context, rng: np.random.Generator) -> Findings:
    """psi = c x; psi' = c x + delta tanh(6 x) is within delta of it, and not a contraction."""
    c, delta, s, N = 0.7, 0.3, 0.35, 3
    box = ProjectedRun(
        1.5,
        1.0,
        s / math.sqrt(2),
        [[lambda x: x - c * x - delta * np.tanh(6 * x)]],
        [[lambda x: x - c * x]],
        140,
    )
    p, q = box.learned(1, N), box.learned(-1, N)
    ones = np.ones(N)
    shares = [np.zeros(N), np.array([0.2, 0.5, 0.0]), rng.uniform(size=N)]
    for share in shares:
        mu = allocation(c * ones, delta * ones, s * ones, 0.0, share)
        for epsilon in (0.0, 0.3, 1.0):
            exact = max(line_divergence.hockey_stick(*pair, epsilon) for pair in ((p, q), (q, p)))
            yield ctx.compare(
                "literal",
                "tight",
                exact,
                {"c": c, "delta": delta, "s": s, "epsilon": epsilon},
                "psi' = c x + delta tanh(6 x) on an interval, both directions",
                bound=delta_gdp(mu, epsilon),
            )
        for alpha in (1.5, 5.0):
            yield ctx.compare(
                "literal",
                "tight",
                renyi_difference(p, q, alpha),
                {"c": c, "delta": delta, "s": s, "alpha": alpha},
                "psi' = c x + delta tanh(6 x) on an interval, both directions",
                bound=alpha * mu**2 / 2,
            )


def check_x2(ctx: Context) -> Findings:
    """The least energy over all polygons of random chains, and linear maps from two points."""
    rng = ctx.rng()
    for index in range(ctx.pick(60, 600)):
        N = int(rng.integers(1, 16))
        contraction = rng.uniform(0.1, 1.2, N)
        noise = rng.uniform(0.1, 2, N)
        shift = rng.exponential(size=N) * (rng.uniform(size=N) < 0.4)
        inputs = {
            "contraction": contraction.tolist(),
            "shift": shift.tolist(),
            "noise": noise.tolist(),
            "z0": float(rng.exponential() * (index % 3)),
        }
        yield ctx.compare(
            "literal",
            "tight",
            least_energy(**inputs),
            inputs,
            "search over all polygons",
            relation="==",
            tolerance=1e-8,
        )
        gap, variance = recursion(contraction, shift, noise**2, inputs["z0"], 0.0)
        yield ctx.compare(
            "literal", "tight", gap / math.sqrt(variance), inputs, "linear maps from two points"
        )
    yield from accounted(ctx, "literal", "tight")


CHECKS = (
    Check("own.x", evidence=check_x, exact_side=measure).measured_by(
        "langevin", "stationary_mu", where=("short steps", "one row")
    ),
    Check("own.x0", evidence=check_x0),
    Check("own.x1", evidence=check_x1)
    .measured_by("online", "law_mu", sides={"tight": "paid"})
    .beside("worst signs, steps 1/sqrt(t)"),
    Check("own.x2", evidence=check_x2),
)

"""Theorem 1 of olu: refuted by noise that leaves the domain; attained once that is repaired."""

import math

import numpy as np

from simulators.exact import line_divergence, linear_chain
from simulators.exact.line import LineLaw
from simulators.exact.transfer import Grid, refined
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.olu import projected_runs


def after_projection(
    epsilon: float, alpha: float, omega: float = 1.2, lengths: tuple[float, float] = (1.0, 0.5)
) -> float:
    """D_alpha of Algorithm 1 as printed on [-1, 1] with eta = 1/2; see `OUTSIDE`.

    lengths: Delta_2 and Delta_3, the least that (C3) allows by default.
    """
    scale = omega / (2 * (omega - 1) * epsilon)
    first, second = math.sqrt(scale) * lengths[0], math.sqrt(scale * 2**omega) * lengths[1]

    def compute(nodes: int) -> float:
        grid = Grid.make(1.0, nodes)
        learned_law = LineLaw(np.ones(1), np.array(0.25), np.array(first / 2), radius=1.0)
        masses = grid.masses(learned_law)
        unlearned_law = LineLaw(masses / masses.sum(), grid.support, np.array(second))
        retrained = LineLaw(np.ones(1), np.array(0.0), np.array(math.hypot(first, second)))
        return line_divergence.renyi(unlearned_law, retrained, alpha)

    return refined(compute)


def measure(alpha: float, epsilon: float, i: float, omega: float = 1.2) -> float:
    """Exact D_alpha on the linear chain whose transported shifts are j^-omega, j <= i."""
    count, gamma = int(i), 0.9
    j = np.arange(1.0, count + 1)
    arrived = gamma ** (j - 2 * count) * j**-omega
    scale = omega / (2 * (omega - 1) * epsilon)
    shifts = np.concatenate((arrived, np.zeros(count)))
    variances = np.concatenate((np.zeros(count), scale * j**omega * (gamma**count * arrived) ** 2))
    gap, variance = linear_chain.recursion([gamma] * (2 * count), shifts, variances, 0.0, 0.0)
    return float(alpha * gap**2 / (2 * variance))


def random_projected(
    rng: np.random.Generator, convex: bool = False
) -> tuple[float, dict[str, float], float]:
    """(D_alpha, inputs, gamma) of projected descent in convention A, requests in any order.

    Losses mu (z - x)^2/2 + (beta - mu) log cosh(z - x) on K = [-1, 1] with x in K and
    eta <= 1/beta, so that steps stay in K and contract by gamma = 1 - eta mu; `convex`: mu = 0.
    """
    mu = 0.0 if convex else float(rng.uniform(0.05, 1))
    beta = mu + float(rng.uniform(0.05, 2))
    eta = float(rng.uniform(0.3, 1)) / beta
    gamma, k = 1 - eta * mu, int(rng.integers(1, 4))
    tau = np.sort(rng.choice(np.arange(2, 9), size=k, replace=False))
    last = int(tau[-1])
    points = rng.uniform(-1, 1, last + 1)
    u = np.zeros(k, dtype=int)
    for n in range(k):
        u[n] = rng.choice([t for t in range(2, int(tau[n]) + 1) if t not in u])

    def gradient(x: float) -> projected_runs.Map:
        return lambda z: mu * (z - x) + (beta - mu) * np.tanh(z - x)

    def step(x: float) -> projected_runs.Map:
        return lambda z: z - eta * gradient(x)(z)

    ends = np.array([-1.0, 1.0])
    sizes = np.array([eta * np.abs(gradient(points[n])(ends)).max() for n in u])
    arrived = gamma ** (tau - u) * sizes
    alpha, omega = 1 + float(rng.exponential(2)), 1.2
    # The least noise is set to at least 1/10 of the radius: quadrature needs some.
    j = np.arange(1.0, k + 1)
    unit = np.sqrt(omega / (2 * (omega - 1))) * j ** (omega / 2) * arrived
    epsilon = float(rng.uniform(0.1, 1)) * (float(unit.min()) / 0.1) ** 2
    steps = {t: step(float(points[t])) for t in range(2, last + 1)}
    unlearned_run = projected_runs.segments(steps, (), tau.tolist())
    retrained = projected_runs.segments(steps, u.tolist(), tau.tolist())
    divergence = projected_runs.divergence(
        unlearned_run, retrained, (unit / math.sqrt(epsilon)).tolist(), 0.0, 1.0, alpha
    )
    return divergence, {"alpha": alpha, "epsilon": epsilon, "i": k, "omega": omega}, gamma


OUTSIDE = (
    "K = [-1, 1], eta = 1/2, f_2 = (z - 1)^2/2 and f_3 = z^2/2 deleted as they come: "
    "noise carries the iterate out of K, where the skipped step is longer"
)
ATOMS = "f_3 = 0: no noise at the second deletion, but the projection leaves atoms"


def check(ctx: Context) -> Findings:
    """Divergence when noise leaves the domain, and of projected descent on convex losses."""
    (less,) = case_table("alpha epsilon i omega", (2.0, 1.0, 3, 1.2))
    at = {**less, "i": 2}
    for epsilon in (0.1, 0.01, 0.001):
        divergence = after_projection(epsilon, 2.0)
        inputs = {**at, "epsilon": epsilon}
        yield from ctx.compare_forms("literal", divergence, inputs, OUTSIDE, script="thm1_outside")
    yield from ctx.compare_forms("literal", math.inf, at, ATOMS, script="thm1_atoms")
    words = "with one request fewer it is too small"
    short = ctx.claim("tight", **at)
    yield ctx.compare(
        "reachable", "tight", measure(**less), less, words, bound=short, role="control"
    )
    rng = ctx.rng(1)
    words = "projected descent on convex losses, transfer operator"
    for _ in range(ctx.pick(8, 300)):
        divergence, inputs, gamma = random_projected(rng)
        yield from ctx.compare_forms("reachable", divergence, {**inputs, "gamma": gamma}, words)


CHECKS = (
    Check(
        "olu.thm1",
        evidence=check,
        exact_side=measure,
        at=(
            Instances(
                "linear losses of lengths j^-omega, K = R^d",
                draws=(25, 200),
                within={"i": (1, 10)},
                interpretations=("reachable",),
                relations={"tight": "=="},
            ),
        ),
    )
    .measured_by("online", "window_divergence", interpretations=("reachable",))
    .beside("worst signs, one step size"),
)

"""The three index conventions of olu: exact runs with and without f_u, in Fractions."""

import math
from fractions import Fraction

import numpy as np

from accounting.deletions.noise import least_deletion_noise
from accounting.deletions.online_descent import OnlineDescent
from accounting.deletions.schedule import DeletionSchedule, transport
from verify.checks import Check, Context, Findings

FORMS = {"a": "printed", "b": "corrected", "c": "corrected"}


def distance(
    convention: str, eta: Fraction, mu: Fraction, beta: Fraction, u: int, tau: int
) -> Fraction:
    """|z_tau - z'_tau| on K = [0, 2]: f_u = (beta/2)(z - 1)^2, the others (mu/2) z^2, z_1 = 0.

    Both runs stay in K while eta beta <= 2, so no projection acts; the second run skips f_u.
    """
    ends = []
    for skip in (False, True):
        z = Fraction(0)
        for t in range(2, tau + 1):
            used = t if convention == "a" else t - 1
            if used != u:
                z -= eta * mu * z
            elif not skip:
                z -= eta * beta * (z - 1)
        ends.append(z)
    return abs(ends[0] - ends[1])


def _instance(eta: Fraction, mu: Fraction, beta: Fraction, u: int, tau: int) -> dict[str, float]:
    """Arguments of the formula: the contraction 1 - eta mu, and L = beta on [0, 2]."""
    values = map(float, (1 - eta * mu, eta, beta, u, tau))
    return dict(zip(("gamma", "eta", "L", "u", "tau"), values, strict=True))


def measure(gamma: float, eta: float, L: float, u: float, tau: float) -> float:
    """Exact distance in convention C: curvature L for f_u, (1 - gamma)/eta for the others.

    At u = tau no noise comes between f_u and the next output: nothing that is finite is enough.
    """
    if u == tau:
        return math.inf
    step, factor = Fraction(eta), Fraction(gamma)
    mu = (1 - factor) / step
    return float(distance("c", step, mu, Fraction(L), int(u), int(tau)))


def check(ctx: Context) -> Findings:
    """Distances with and without f_u in Fractions, by all three conventions, random step sizes.

    One contraction more as a control; at u = tau the two runs meet no noise.
    """
    rng = ctx.rng()
    columns = []
    distances: dict[str, list[float]] = {"a": [], "b": [], "c": []}
    for _ in range(ctx.pick(150, 2000)):
        mu = Fraction(int(rng.integers(1, 20)), 10)
        beta = mu * (2 + Fraction(int(rng.integers(0, 60)), 10))
        eta = 2 / (beta + mu) * Fraction(int(rng.integers(1, 11)), 10)
        u = int(rng.integers(2, 12))
        case = eta, mu, beta, u, u + int(rng.integers(1, 20))
        columns.append(_instance(*case))
        for convention, values in distances.items():
            values.append(float(distance(convention, *case)))
    inputs = {name: np.array([column[name] for column in columns]) for name in columns[0]}
    about = "quadratics in exact arithmetic, steps up to 2/(beta + mu)"
    more = {"tolerance": 1e-12}
    for convention, form in FORMS.items():
        distance_list = distances[convention]
        words = f"convention {convention.upper()}: {about}"
        best = ctx.claim(form, **inputs)
        yield ctx.compare(convention, form, distance_list, inputs, words, tight=best, **more)
    yield from _accounted(ctx)
    words = "one contraction more would be too small"
    bound = ctx.claim("printed", **inputs) * inputs["gamma"]
    yield ctx.compare("a", "printed", distances["a"], inputs, words, bound=bound, role="control")
    mu, beta = Fraction(1), Fraction(2)
    eta = 2 / (beta + mu)
    paper = _instance(eta, mu, beta, 4, 9)
    for convention in ("b", "c"):
        apart = float(distance(convention, eta, mu, beta, 4, 9))
        words = f"convention {convention.upper()}, beta = 2 mu: D_alpha = 1.5 alpha eps"
        for interpretation in ("literal", convention):
            yield ctx.compare(interpretation, "printed", apart, paper, words, script="index")
    # u = tau, which the paper allows: z_tau does not contain f_u yet, z_{tau+1} does.
    same = {**paper, "u": 9.0, "tau": 9.0}
    apart = measure(**same) if distance("c", eta, mu, beta, 9, 10) > 0 else 0.0
    words = "u = tau: no noise between f_u and the next output"
    yield ctx.compare("c", "corrected", apart, same, words)


def _accounted(ctx: Context) -> Findings:
    """The accountant's shifts in each convention: distances at the last step before the noise."""
    mu = Fraction(3, 2)
    beta = Fraction(5)
    eta = Fraction(2, 13)
    constants = float(mu), float(beta), float(beta), float(eta)
    u = [3, 5, 2]
    tau = [6, 9, 13]
    more = {"tight": math.nan, "tolerance": 1e-12}
    for convention, form in FORMS.items():
        apart = [float(distance(convention, eta, mu, beta, *p)) for p in zip(u, tau, strict=True)]
        requests = DeletionSchedule(u, tau, convention.upper())
        bound = transport(OnlineDescent(*constants), requests).shifts
        inputs = {"u": u, "tau": tau}
        words = f"convention {convention.upper()}: the accountant's shifts"
        yield ctx.compare(convention, form, apart, inputs, words, bound=bound, **more)
    # In units of 1/sqrt(2 rho): one request's noise is its distance, at most the diameter before
    # the steps that follow; what has been removed already asks for none.
    rho = 0.3
    contraction = float(1 - eta * mu) ** 2
    inputs = {"u": [3, 3], "tau": [6, 9]}
    for diameter in (math.inf, 0.4):
        sigma = least_deletion_noise(
            OnlineDescent(*constants, diameter), DeletionSchedule([3, 3], [6, 9]), rho
        )
        apart = [min(float(eta * beta), diameter) * contraction, 0.0]
        bound = sigma * math.sqrt(2 * rho)
        words = f"least noise of a request and of its repetition, D = {diameter}"
        yield ctx.compare("c", "corrected", apart, inputs, words, bound=bound, tight=math.nan)


CHECKS = (
    Check("olu.index", evidence=check, exact_side=measure).measured_by(
        "online",
        "adjacent_distance",
        symbols={"gamma": "gamma"},
        interpretations=("c",),
        relation="<=",
        where=("step 2/(beta + mu)", "strong convexity"),
    ),
)

"""(7) and (8) of olu: what each request pays, exactly; and the two ways to add up the cost."""

from typing import Any

import numpy as np

from simulators.exact import linear_chain
from verify.checks import Check, Context, Findings, Instances


def carried(
    gamma: float, Delta: list[float], u: list[int], tau: list[int], paid: dict[int, float]
) -> list[float]:
    """e_1..e_{tau_k} when step u_i shifts by Delta_i and round t pays paid[t]."""
    e = 0.0
    budgets = []
    for t in range(1, tau[-1] + 1):
        shift = sum(size for size, at in zip(Delta, u, strict=True) if at == t)
        e = gamma * e + shift - paid.get(t, 0.0)
        budgets.append(e)
    return budgets


def arrived(t: float, gamma: float, Delta: Any, u: Any, tau: Any) -> float:
    """What has arrived at round t of the losses deleted then: each run alone, step by step."""
    total = 0.0
    for size, of, at in zip(Delta, u, tau, strict=True):
        if at == t:
            total += carried(gamma, [size], [of], [int(t)], {})[-1]
    return total


def accumulated(alpha: float, a: Any, sigma: Any) -> float:
    """Exact D_alpha of linear losses that arrive before the first noise, without contraction."""
    k = len(a)
    shifts = np.concatenate((a, np.zeros(k)))
    variances = np.concatenate((np.zeros(k), np.square(sigma)))
    gap, variance = linear_chain.recursion([1.0] * (2 * k), shifts, variances, 0.0, 0.0)
    return float(alpha * gap**2 / (2 * variance))


def summed(omega: float, i: float) -> float:
    """The sum, smallest terms first."""
    return float((np.arange(float(i), 0, -1) ** -omega).sum())


def schedules(rng: np.random.Generator, k: int) -> tuple[list[float], list[int], list[int]]:
    """Sensitivities (whole numbers), distinct u_i <= tau_i, and increasing tau_i."""
    tau = np.sort(rng.choice(np.arange(k + 1, 20), size=k, replace=False)).tolist()
    u: list[int] = []
    for at in tau:
        u.append(int(rng.choice([t for t in range(1, at + 1) if t not in u])))
    return [float(s) for s in rng.integers(1, 9, size=k)], u, tau


def check_allocation(ctx: Context) -> Findings:
    """What has arrived of every deleted loss, alone and step by step, and what is carried on."""
    rng = ctx.rng()
    alone = "each deleted loss alone, step by step"
    least = "the carried shift never falls below 0"
    last = "nothing is carried past the last request"
    for _ in range(ctx.pick(40, 1000)):
        Delta, u, tau = schedules(rng, int(rng.integers(1, 5)))
        # Dyadic factors keep e exact, so that its zeros are zeros.
        inputs = {"gamma": float(rng.choice([0.5, 0.25, 0.75, 1.0])), "Delta": Delta, "u": u}
        at = {**inputs, "tau": tau, "t": tau[-1]}
        yield ctx.compare("literal", "printed", arrived(**at), at, alone, relation="==")
        paid = {t: float(ctx.claim("printed", t=t, **inputs, tau=tau)) for t in tau}
        e = carried(**inputs, tau=tau, paid=paid)
        yield ctx.compare("literal", "printed", min(e), at, least, bound=0.0)
        yield ctx.compare("literal", "printed", e[-1], at, last, bound=0.0, relation="==")
    arguments = {"gamma": 0.5, "Delta": [1.0, 1.0], "u": [2, 3], "tau": [4, 6]}
    paid = {t: float(ctx.claim("printed", t=t, **arguments)) for t in (4, 6)}
    budget = carried(**arguments, paid=paid)[3]
    at = {**arguments, "t": 4}
    words = "f_3 is deleted at 6: at the first request, at 4, its shift is still there"
    yield ctx.compare("all", "printed", budget, at, words, bound=0.0, script="eq7_left_over")


def check_cost(ctx: Context) -> Findings:
    """Cost of payments in proportion to the variances, and the terms of line 5's noise."""
    rng = ctx.rng(1)
    for n in range(ctx.pick(40, 1000)):
        sigma = np.exp(rng.normal(size=1 + n % 6))
        matched = {"alpha": 1 + float(rng.exponential(3)), "a": (sigma**2).tolist()}
        matched["sigma"] = sigma.tolist()
        words = "payments in proportion to the variances"
        cost = accumulated(**matched)
        yield ctx.compare("before", "printed", cost, matched, words, relation="==")
    # (b): with line 5 of Algorithm 1 the terms are alpha eps (omega - 1)/omega j^-omega.
    for epsilon, omega, k in ((1.0, 1.2, 7), (0.1, 2.0, 3), (3.0, 1.05, 20)):
        j = np.arange(1.0, k + 1)
        shift = rng.exponential(size=k) + 0.1
        sigma = np.sqrt(omega * j**omega / (2 * (omega - 1) * epsilon)) * shift
        inputs = {"alpha": 2.0, "a": shift.tolist(), "sigma": sigma.tolist(), "omega": omega}
        steps = 2.0 * epsilon * (omega - 1) / omega * summed(omega, k)
        words = "step (b): line 5's noise"
        yield ctx.compare("literal", "printed", steps, inputs, words, relation="==", tight=np.nan)


def check_series(ctx: Context) -> Findings:
    """Partial sums of i^-omega, up to 10^4 terms."""
    omegas = np.concatenate(
        ([1.01, 1.2, 1.5, 2.0], 1 + ctx.rng().exponential(size=ctx.pick(50, 500)))
    )
    for i in (1, 10, 10**4):
        sums = np.array([summed(w, i) for w in omegas])
        yield from ctx.compare_forms("literal", sums, {"omega": omegas, "i": i}, "partial sums")
    steep = np.array([4.0, 6.0, 10.0])
    words = "10^4 terms, when the rest is below 1e-12"
    sums = np.array([summed(w, 10**4) for w in steep])
    yield ctx.compare("literal", "tight", sums, {"omega": steep}, words, relation="==")


LINEAR = Instances("linear losses", draws=(40, 1000), relations={"tight": "=="})
ARITHMETIC = "arithmetic of a schedule: no quantity of a run"
CHECKS = (
    Check("olu.eq7", evidence=check_allocation, exact_side=arrived),
    Check("olu.eq8", check_cost, accumulated, (LINEAR,))
    .measured_by("online", "law_divergence")
    .beside("worst signs, steps 1/sqrt(t)"),
    Check("olu.eq8c", evidence=check_series, exact_side=summed, exact_only=ARITHMETIC),
)

"""(7) and (8) of olu: what each request pays, exactly; and the two ways to add up the cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simulators.exact import linear_chain
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

ALLOCATION = Claim(
    id="olu.eq7",
    label="(7)",
    kind="equality",
    statement="With a_{tau_i} = gamma^{tau_i - u_i} Delta_{u_i}, and 0 elsewhere, e_t >= 0 for "
    "all t and e_{tau_i} = 0 at every request.",
    readings=(
        Reading(
            "literal",
            "request i is compared with the run without u_1..u_i, as in Definition 2",
            ("printed",),
            proofs={"printed": "e_t = sum of gamma^{t - u_j} Delta_{u_j} over u_j <= t < tau_j"},
        ),
        Reading("all", "every request is compared with the run without u_1..u_k", ("printed",)),
    ),
    natural=Natural(
        "t", tuple(range(1, 21)),
        {"gamma": 0.8, "Delta": [1.0, 2.0, 1.5], "u": [2, 4, 9], "tau": [6, 12, 18]}, log_y=False,
    ),
    quantity="shift paid at round t",
    correction="Remove u_1..u_i for request i; f'_t is missing for t in U, not in T.",
)  # fmt: skip
COST = Claim(
    id="olu.eq8",
    label="(8)",
    kind="inequality",
    statement="D_alpha(X_{tau_i} || X'_{tau_i}) <= sum_{j <= i} alpha a_j^2/(2 sigma_j^2).",
    readings=(
        Reading(
            "literal",
            "any schedule; a_j and sigma_j carried on to the last request",
            ("printed",),
            proofs={"printed": "Lemma 3 with (7), Lemma A"},
        ),
        Reading(
            "before",
            "every u_j < tau_1",
            ("printed", "tight"),
            proofs={
                "printed": "Lemma 3 with (7), Lemma A",
                "tight": "Lemma 3 with payments in proportion to the noise variances",
            },
            stance="repair",
        ),
    ),
    natural=Natural(
        "alpha", tuple(np.linspace(1.05, 8, 30).tolist()), {"a": [1.0, 1.0], "sigma": [1.0, 2.0]}
    ),
    quantity="D_alpha at the last request, linear losses",
    correction="Let the noises pay together: alpha (sum a)^2/(2 sum sigma^2).",
)
SERIES = Claim(
    id="olu.eq8c",
    label="(8c)",
    kind="inequality",
    statement="sum_{j <= i} j^-omega <= omega/(omega - 1).",
    readings=(
        Reading(
            "literal",
            "omega > 1",
            ("printed", "tight"),
            proofs={
                "printed": "the integral of x^-omega",
                "tight": "the partial sums grow to zeta(omega)",
            },
        ),
    ),
    natural=Natural("omega", tuple(np.linspace(1.05, 4, 40).tolist()), {"i": 1000}),
    quantity="sum of j^-omega",
    correction="zeta(omega) in place of omega/(omega - 1).",
)
CLAIMS = (ALLOCATION, COST, SERIES)


def carried(
    gamma: float, Delta: list[float], u: list[int], tau: list[int], paid: dict[int, float]
) -> list[float]:
    """e_1..e_{tau_k} when step u_i shifts by Delta_i and round t pays paid[t]."""
    e, found = 0.0, []
    for t in range(1, tau[-1] + 1):
        e = gamma * e + sum(s for s, at in zip(Delta, u, strict=True) if at == t) - paid.get(t, 0.0)
        found.append(e)
    return found


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


MEASURES = {"olu.eq7": arrived, "olu.eq8": accumulated, "olu.eq8c": summed}


def schedules(rng: np.random.Generator, k: int) -> tuple[list[float], list[int], list[int]]:
    """Sensitivities (whole numbers), distinct u_i <= tau_i, and increasing tau_i."""
    tau = np.sort(rng.choice(np.arange(k + 1, 20), size=k, replace=False)).tolist()
    u: list[int] = []
    for at in tau:
        u.append(int(rng.choice([t for t in range(1, at + 1) if t not in u])))
    return [float(s) for s in rng.integers(1, 9, size=k)], u, tau


def check_allocation(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(40, 1000)):
        k = int(rng.integers(1, 5))
        Delta, u, tau = schedules(rng, k)
        # Dyadic factors keep e exact, so that its zeros are zeros.
        inputs = {"gamma": float(rng.choice([0.5, 0.25, 0.75, 1.0])), "Delta": Delta, "u": u}
        at = {**inputs, "tau": tau, "t": tau[-1]}
        yield ctx.compare(
            "literal", "printed", arrived(**at), at, "each deleted loss alone, step by step",
            relation="==",
        )  # fmt: skip
        paid = {t: float(ctx.formula("printed", t=t, **inputs, tau=tau)) for t in tau}
        e = carried(**inputs, tau=tau, paid=paid)
        yield ctx.compare(
            "literal", "printed", min(e), at, "the carried shift never falls below 0",
            bound=0.0, relation=">=",
        )  # fmt: skip
        yield ctx.compare(
            "literal", "printed", e[-1], at, "nothing is carried past the last request",
            bound=0.0, relation="==",
        )  # fmt: skip
    left = {"gamma": 0.5, "Delta": [1.0, 1.0], "u": [2, 3], "tau": [4, 6]}
    paid = {t: float(ctx.formula("printed", t=t, **left)) for t in (4, 6)}
    yield ctx.compare(
        "all", "printed", carried(**left, paid=paid)[3], {**left, "t": 4},
        "f_3 is deleted at 6: at the first request, at 4, its shift is still there",
        bound=0.0, relation="==", script="eq7_left_over",
    )  # fmt: skip


def check_cost(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for n in range(ctx.pick(40, 1000)):
        k = 1 + n % 6
        a, sigma = rng.exponential(size=k), np.exp(rng.normal(size=k))
        inputs = {"alpha": 1 + float(rng.exponential(3)), "a": a.tolist(), "sigma": sigma.tolist()}
        exact = accumulated(**inputs)
        yield ctx.compare("literal", "printed", exact, inputs, "linear losses")
        yield ctx.compare("before", "printed", exact, inputs, "linear losses")
        yield ctx.compare("before", "tight", exact, inputs, "linear losses", relation="==")
        matched = {**inputs, "a": (sigma**2).tolist()}
        yield ctx.compare(
            "before", "printed", accumulated(**matched), matched,
            "payments in proportion to the variances", relation="==",
        )  # fmt: skip
    # (b): with line 5 of Algorithm 1 the terms are alpha eps (omega - 1)/omega j^-omega.
    for epsilon, omega, k in ((1.0, 1.2, 7), (0.1, 2.0, 3), (3.0, 1.05, 20)):
        j, shift = np.arange(1.0, k + 1), rng.exponential(size=k) + 0.1
        sigma = np.sqrt(omega * j**omega / (2 * (omega - 1) * epsilon)) * shift
        inputs = {"alpha": 2.0, "a": shift.tolist(), "sigma": sigma.tolist()}
        steps = 2.0 * epsilon * (omega - 1) / omega * summed(omega, k)
        yield ctx.compare(
            "literal", "printed", steps, {**inputs, "omega": omega, "epsilon": epsilon},
            "step (b): the noise of line 5", relation="==", tight=np.nan,
        )  # fmt: skip


def check_series(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    omegas = np.concatenate(([1.01, 1.2, 1.5, 2.0], 1 + rng.exponential(size=ctx.pick(50, 500))))
    for i in (1, 10, 10**4):
        sums = np.array([summed(w, i) for w in omegas])
        yield from ctx.compare_forms(
            "literal", sums, {"omega": omegas, "i": i}, "partial sums"
        )  # fmt: skip
    steep = [4.0, 6.0, 10.0]
    yield ctx.compare(
        "literal", "tight", [summed(w, 10**4) for w in steep], {"omega": np.array(steep)},
        "10^4 terms, when the rest is below 1e-12", relation="==",
    )  # fmt: skip


CHECKERS = {
    "olu.eq7": check_allocation,
    "olu.eq8": check_cost,
    "olu.eq8c": check_series,
}

"""Lemma A.5 of hf: four independent counterexamples, and the recursion that is attained."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.hf.line_worlds import Worlds, quadratics

_RECURSION = "v_{t+1} - w = (I - eta_t beta_t H)(v_t - w) - eta_t beta_t grad F_{B_t - U}(w)"
_BOTH = ("printed", "corrected")
_PROOF = {"corrected": _RECURSION}
CLAIM = Claim(
    id="hf.lema5",
    label="Lemma A.5 (47)",
    kind="inequality",
    statement="After T steps of SGD with eta_0 <= 2/(lam + M), |w_T - w^{-U}| <= rho^T 2M/lam.",
    aliases=("hf.lemA5", "hf.eq47", "hf.eq54", "hf.eq58"),
    readings=(
        Reading(
            "literal",
            "rho = rho(eta_0) as in (47); decaying steps, whole batches, U empty",
            _BOTH, proofs=_PROOF,
        ),
        Reading(
            "supremum",
            "rho = max_t rho_t; whole batches, U empty, a start within 2M/lam",
            ("printed",), proofs={"printed": "every step contracts by rho_t <= rho"},
            stance="repair",
        ),
        Reading(
            "units", "constant steps (one rho), whole batches, U empty, any start where |g| <= L",
            _BOTH, proofs=_PROOF,
        ),
        Reading("sampled", "constant steps (one rho), batches of one", _BOTH, proofs=_PROOF),
        Reading(
            "retrained",
            "the run of (58): constant steps (one rho), whole batches without U",
            _BOTH, proofs=_PROOF,
        ),
    ),
    natural=Natural(
        "T", tuple(float(t) for t in range(21)),
        {"rho": 0.5, "eta": 0.5, "q": 0.5, "lam": 1.0, "M": 1.0, "L": 1.0},
    ),
    quantity="|w_T - w^{-U}|",
    correction="prod r_t L/lam plus what the batches' own gradients add; with decaying steps the "
    "product has the floor (eta beta lam; q)_inf.",
)  # fmt: skip
RUN = Claim(
    id="hf.lema5.run",
    label="Lemma A.5, any batches",
    kind="inequality",
    statement="R_{t+1} = r_t R_t + eta_t beta_t |grad F_{B_t - U}(w^{-U})| bounds |v_t - w^{-U}|.",
    readings=(Reading("literal", "any batches, any set", ("tight",), {"tight": _RECURSION}),),
)
LIMIT = Claim(
    id="hf.lema5.limit",
    label="Lemma A.5 as T grows",
    kind="asymptotic",
    statement="With eta_t = eta q^t the distance from the minimiser tends to 0.",
    readings=(
        Reading(
            "literal", "whole batches, quadratics of curvature lam", ("printed", "tight"),
            proofs={"tight": "the product of all steps, 1 - eta beta lam q^t"},
        ),
    ),
    natural=Natural(
        "q", tuple(np.linspace(0.05, 0.95, 19).tolist()), {"eta": 0.5, "lam": 1.0, "beta": 1.0}
    ),
    quantity="share of the initial distance that is left",
    correction="(eta beta lam; q)_inf > 0; for the paper's logistic regression .99999.",
)  # fmt: skip
CLAIMS = (CLAIM, RUN, LIMIT)


def measure(
    T: float, eta: float, q: float, lam: float, M: float, L: float, rho: float = 0,
    beta: float = 1, start: float | None = None,
) -> float:  # fmt: skip
    """|v_T - w| of lam w^2/2 from where its slope is L (or from `start`), in exact rationals."""
    v = Fraction(L) / Fraction(lam) if start is None else Fraction(start)
    step = Fraction(eta) * Fraction(beta)
    for _ in range(int(T)):
        v -= step * Fraction(lam) * v
        step *= Fraction(q)
    return float(abs(v))


def measure_limit(eta: float, q: float, lam: float, beta: float = 1) -> float:
    """The product of all factors 1 - eta beta lam q^t that differ from 1, largest first."""
    a = eta * beta * lam
    factors = int(np.ceil(np.log(1e-20 * (1 - q)) / np.log(q))) + 1
    return float(np.prod(1 - a * q ** np.arange(factors)))


def minimiser(worlds: Worlds) -> np.ndarray:
    """argmin over the kept samples of every world, by bisection."""
    low, high = np.full(len(worlds.start), -1e3), np.full(len(worlds.start), 1e3)
    for _ in range(100):
        w = (low + high) / 2
        up = (worlds.gradients(w) * ~worlds.gone).sum(axis=1) < 0
        low, high = np.where(up, w, low), np.where(up, high, w)
    return np.asarray((low + high) / 2)


def strongly_convex(rng: np.random.Generator, count: int) -> Worlds:
    """Worlds of n samples in random batches, Hessians of quadratics plus waves, all positive."""
    n, T = int(rng.integers(2, 6)), int(rng.integers(1, 9))
    wave = rng.exponential(size=(count, n)) * rng.integers(0, 2, (count, n))
    slope = wave + rng.uniform(0.05, 2, (count, n))
    member = rng.random((count, T, n)) < rng.uniform(0.3, 1)
    member[:, :, 0] |= ~member.any(axis=2)
    gone = rng.random((count, n)) < 0.3
    gone[:, -1] = False
    lam, M = (slope - wave).min(axis=1), (slope + wave).max(axis=1)
    steps = rng.uniform(0.02, 2, (count, T)) / (lam + M)[:, None]
    return Worlds(
        slope, 2 * rng.normal(size=(count, n)), wave, rng.uniform(0, 6, (count, n)), member, steps,
        gone, 3 * rng.normal(size=count),
    )  # fmt: skip


def lists(worlds: Worlds) -> tuple[np.ndarray, Iterator[dict[str, Any]]]:
    """(|v_T - w|, the inputs of `hf.lema5.run`) of every world."""
    best = minimiser(worlds)
    found = np.abs(worlds.run().retrained[:, -1] - best)
    at_best = worlds.gradients(best)[:, None, :] * (worlds.member & ~worlds.gone[:, None, :])
    kept = worlds.sizes - worlds.missing
    residuals = np.abs(at_best.sum(axis=2)) / np.maximum(kept, 1)

    def each() -> Iterator[dict[str, Any]]:
        for i in range(len(best)):
            yield {
                "steps": worlds.steps[i], "missing": worlds.missing[i], "sizes": worlds.sizes[i],
                "lam": float(worlds.lam[i]), "M": float(worlds.M[i]),
                "start": float(abs(worlds.start[i] - best[i])), "residuals": residuals[i],
            }  # fmt: skip

    return found, each()


def check_lemma(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    unit = {"lam": 1.0, "M": 1.0, "L": 1.0}
    for T in (3, 10, 60):
        inputs: dict[str, Any] = {"rho": 0.5, "eta": 0.5, "q": 0.5, "T": T, **unit}
        found = measure(**inputs)
        at = "w^2/2 from 1, eta = q = 1/2"
        yield ctx.compare("literal", "printed", found, inputs, at, script="lema5_decaying")
        yield ctx.compare("literal", "corrected", found, inputs, at, relation="==")
    for _ in range(ctx.pick(40, 400)):
        lam = float(rng.uniform(0.05, 1))
        M = lam + float(rng.exponential())
        eta, q = float(rng.uniform(0.05, 2)) / (lam + M), float(rng.uniform(0.3, 1))
        T = int(rng.integers(0, 12))
        inputs = {"eta": eta, "q": q, "T": T, "lam": lam, "M": M, "L": float(rng.exponential())}
        for reading, beta in (("literal", 1.0), ("retrained", float(rng.uniform()))):
            both = {**inputs, "beta": beta}
            yield ctx.compare(
                reading, "corrected", measure(**both), both, "(lam/2) w^2 attains it",
                relation="==",
            )  # fmt: skip
        rho = max(abs(1 - eta * q**t * h) for t in range(max(T, 1)) for h in (lam, M))
        near = {**inputs, "rho": rho}
        for h in (lam, M):
            left = measure(**{**inputs, "lam": h, "start": 2 * M / lam})
            yield ctx.compare(
                "supremum", "printed", left, near, "curvature lam or M, started 2M/lam away",
                tight=np.nan,
            )  # fmt: skip
    still = {"rho": 0.5, "eta": 0.5, "q": 1.0, "T": 5, "lam": 1.0, "M": 1.0, "L": 3.0}
    yield ctx.compare(
        "units", "printed", measure(**still), still, "w^2/2 on [-3, 3] from 3", script="lema5_units"
    )
    yield ctx.compare(
        "units", "corrected", measure(**still), still, "w^2/2 on [-3, 3] from 3", relation="=="
    )
    turns = {"rho": 0.5, "eta": 0.5, "q": 1.0, "T": 20, **unit, "residual": 1.0}
    world = quadratics((1.0, 1.0), (1.0, -1.0), np.full(20, 0.5),
                       batches=tuple((t % 2,) for t in range(20)), gone=())  # fmt: skip
    cycle = float(np.abs(world.run().learned[0, -1]))
    for form in _BOTH:
        yield ctx.compare(
            "sampled", form, cycle, turns, "(w -+ 1)^2/2 in turn", script="lema5_sampled"
        )
    yield ctx.compare(
        "sampled", "corrected", measure(**{**still, "L": 1.0}) + 1 - 0.5**5,
        {**still, "L": 1.0, "residual": 1.0},
        "w^2/2 for 5 steps on batches that all pull away from the minimiser", relation="==",
    )  # fmt: skip
    halved = {"rho": 0.0, "eta": 1.0, "q": 1.0, "T": 5, **unit, "beta": 0.5}
    yield ctx.compare(
        "retrained", "printed", measure(**halved), halved, "w^2/2, n = 2, m = 1, eta = 1",
        script="lema5_retrained",
    )  # fmt: skip


def check_run(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    bound = ctx.formula
    for _ in range(ctx.pick(6, 40)):
        worlds = strongly_convex(rng, ctx.pick(60, 200))
        found, each = lists(worlds)
        bounds = np.array([float(bound("tight", **inputs)) for inputs in each])
        yield ctx.compare(
            "literal", "tight", np.maximum(found - 1e-10, 0), {}, "quadratics plus waves",
            bound=bounds, tight=bounds,
        )  # fmt: skip
    for _ in range(ctx.pick(20, 200)):
        T, n, h = int(rng.integers(1, 7)), int(rng.integers(3, 6)), float(rng.uniform(0.1, 2))
        # Sample 0 holds the minimiser back and is never visited; the others pull away from it.
        centres = (-float(n), *rng.uniform(1, 2, n - 1).tolist())
        visited = tuple(
            tuple(1 + rng.choice(n - 1, size=int(rng.integers(1, n)), replace=False))
            for _ in range(T)
        )
        world = quadratics((h,) * n, centres, rng.uniform(0.05, 1 / h, T), 50.0, visited, (1,))
        found, each = lists(world)
        inputs = next(each)
        attained = float(found[0])
        yield ctx.compare(
            "literal", "tight", attained, inputs, "quadratics whose batches all pull the same way",
            relation="==" if world.start[0] > 0 and _same_way(world) else "<=",
        )  # fmt: skip


def _same_way(world: Worlds) -> bool:
    """Whether every kept gradient of the batches points away from where v_0 - w points from."""
    best = minimiser(world)
    kept = world.member & ~world.gone[:, None, :]
    pulls = (world.gradients(best)[:, None, :] * kept).sum(axis=2)
    return bool((pulls <= 0).all() and (world.steps.max() * world.M <= 1).all())


def check_limit(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    cases = [(0.5, 0.5, 1.0, 1.0), (0.05, 0.995, 1e-6, 1.0), (0.2, 0.99, 0.5, 0.9)]
    cases += [
        (1.0, 0.7, 1.0, 1.0),
        (0.9, 0.9999, 1e-3, 1.0),
        (1.0, 0.9, 0.9, 1.0),
        (0.8, 0.5, 0.9, 1.0),
    ]
    for _ in range(ctx.pick(40, 400)):
        eta, lam = float(rng.uniform(0.05, 1)), float(rng.uniform(0.05, 1))
        cases.append((eta, float(rng.uniform(0.02, 0.98)), lam, float(rng.uniform())))
    for case in cases:
        inputs = dict(zip(("eta", "q", "lam", "beta"), case, strict=True))
        yield ctx.compare(
            "literal", "tight", measure_limit(**inputs), inputs, "(lam/2) w^2, all factors",
            relation="==", tolerance=1e-8,
        )  # fmt: skip
        a = inputs["eta"] * inputs["beta"] * inputs["lam"]
        yield ctx.compare(
            "literal", "tight", 1 - a / (1 - inputs["q"]), inputs, "the floor of the floor"
        )
    inputs = {"eta": 0.5, "q": 0.5, "lam": 1.0, "beta": 1.0}
    yield ctx.compare(
        "literal",
        "printed",
        measure_limit(**inputs),
        inputs,
        "w^2/2, eta = q = 1/2",
        script="lema5_limit_floor",
    )


CHECKERS = {CLAIM.id: check_lemma, RUN.id: check_run, LIMIT.id: check_limit}
MEASURES = {CLAIM.id: measure, LIMIT.id: measure_limit}

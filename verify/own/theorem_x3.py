"""Theorem X3: the closed forms against the general algorithm, exact chains and projected laws."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import bounds
from simulators.exact.gaussian import Gaussian, step
from simulators.exact.gaussian_divergence import separation
from simulators.exact.transfer import Atoms
from verify.checks import Check, Context, Findings, Limit
from verify.search.slack import ROUNDING
from verify.sglu.instances import LinearRun, ProjectedRun, renyi_difference
from verify.sglu.least_energy import least_energy

GENERAL = "the optimal shifts by search over all polygons"


def measure_same(Z: float, c: float, s: float, N: float) -> float:
    """Mean difference in standard deviations of x -> c x + noise from two points."""
    chain = step(c, 0.0, s).power(int(N))
    ends = chain.apply(Gaussian.point(Z)), chain.apply(Gaussian.point(0.0))
    return float(separation(*ends, rtol=1e-9))


def measure_aligned(
    eta: float,
    m: float,
    M: float,
    b: float,
    J: float,
    sigma: float,
    T: float,
    K: float,
    j0: float | None = None,
    hits: Mapping[int, int] | None = None,
) -> float:
    """Mean difference in standard deviations on quadratics from a point, against T + K epochs."""
    run = LinearRun.of(eta=eta, m=m, M=M, b=b, J=J, sigma=sigma, j0=j0, hits=hits)
    return float(separation(run.unlearned(T, K), run.learned(-1, T + K), rtol=1e-9))


def measure_ends(
    eta: float,
    m: float,
    M: float,
    b: float,
    J: float,
    sigma: float,
    R: float,
    T: float,
    K: float,
    j0: float,
    alpha: float = 2.0,
) -> float:
    """sqrt(2 d_alpha/alpha) on [-R, R]: quadratics that drift from the end -R towards R."""
    drift = m * R
    box = ProjectedRun.linear(
        R=R,
        eta=eta,
        m=m,
        sigma=sigma,
        b=int(b),
        J=int(J),
        old=drift + M,
        new=drift - M,
        rest=drift,
        j0=int(j0),
    )
    start = Atoms.at(-R)
    p = box.unlearned(int(T), int(K), start)
    q = box.learned(-1, int(T), start)
    return math.sqrt(2 * renyi_difference(p, q, alpha) / alpha)


def arrivals(J: int, T: int, N: int, hits: Mapping[int, float]) -> np.ndarray:
    shifts = np.zeros(N)
    for j, size in hits.items():
        shifts[j : T * J : J] += size
    return shifts


def check_same(ctx: Context) -> Findings:
    """mu of x -> c x from two points, random chains, and the general algorithm."""
    rng = ctx.rng()
    cases = [(1.0, 1.0, 1.0, 20), (1.0, 1 - 1e-9, 1.0, 20), (2.0, 0.0, 0.5, 1), (1.0, 0.6, 0.3, 4)]
    for _ in range(ctx.pick(20, 200)):
        cases.append(
            (rng.exponential(), rng.uniform(), rng.uniform(0.1, 2), int(rng.integers(1, 40)))
        )
    for case in cases:
        inputs = dict(zip(("Z", "c", "s", "N"), map(float, case), strict=True))
        yield ctx.compare(
            "literal",
            "tight",
            measure_same(**inputs),
            inputs,
            "x -> c x from two points",
            relation="==",
            tolerance=1e-8,
        )
    for Z, c, s, N in cases[3:9]:
        search = least_energy([c] * N, [0.0] * N, [s] * N, Z)
        yield ctx.compare(
            "literal",
            "tight",
            search,
            {"Z": Z, "c": c, "s": s, "N": N},
            GENERAL,
            relation="==",
            tolerance=1e-8,
        )


def chains(rng: np.random.Generator, count: int) -> Iterator[dict[str, float]]:
    """Random settings small enough for the search over polygons."""
    for _ in range(count):
        J = int(rng.integers(1, 5))
        yield {
            "eta": float(rng.uniform(0.1, 1)),
            "m": float(rng.uniform(0.0, 0.9)),
            "M": float(rng.uniform(0.1, 2)),
            "b": float(rng.integers(1, 5)),
            "J": J,
            "sigma": float(rng.uniform(0.1, 1)),
            "T": int(rng.integers(1, 5)),
            "K": int(rng.integers(1, 4)),
            "j0": int(rng.integers(J)),
        }


def check_aligned(ctx: Context) -> Findings:
    """mu of quadratics from a point, with equality at j0 = 0, and the general algorithm."""
    for inputs in chains(ctx.rng(), ctx.pick(25, 250)):
        exact = measure_aligned(**inputs)
        first = inputs["j0"] == 0
        yield ctx.compare(
            "literal",
            "tight",
            exact,
            inputs,
            "quadratics from a point" + (", equality as j0 = 0" if first else ""),
            relation="==" if first else "<=",
            tolerance=1e-8,
        )
        c, s, q, J, T, N = constants(inputs)
        search = least_energy([c] * N, arrivals(J, T, N, {int(inputs["j0"]): q}), [s] * N, 0.0)
        yield ctx.compare(
            "literal", "tight", search, inputs, GENERAL, relation="==", tolerance=1e-8
        )


def constants(inputs: Mapping[str, float]) -> tuple[float, float, float, int, int, int]:
    """c, s, q, J, T and the number of steps of T + K epochs."""
    J, T, K = (int(inputs[name]) for name in ("J", "T", "K"))
    c = 1 - inputs["eta"] * inputs["m"]
    s = math.sqrt(2 * inputs["eta"]) * inputs["sigma"]
    return c, s, 2 * inputs["eta"] * inputs["M"] / inputs["b"], J, T, (T + K) * J


def check_ends(ctx: Context) -> Findings:
    """mu of projected runs aligned at their ends: K = 0, one segment, and a narrow domain."""
    # c = 1, q = 2, s = 3: at K = 0 both runs share nu_0 and the arrival comes at the last step.
    at_once = {
        "eta": 1.0,
        "m": 0.0,
        "M": 1.0,
        "b": 1.0,
        "J": 8.0,
        "sigma": 3 / math.sqrt(2),
        "R": 1.0,
        "T": 1.0,
        "K": 0.0,
        "j0": 7.0,
    }
    for alpha in (1.5, 3.0):
        for interpretation, script in (("literal", None), ("wording", "x3_iv")):
            yield from ctx.compare_forms(
                interpretation,
                measure_ends(**at_once, alpha=alpha),
                {**at_once, "alpha": alpha},
                "linear losses on [-1, 1], K = 0",
                script=script,
            )
    rng = ctx.rng()
    for inputs in chains(rng, ctx.pick(15, 150)):
        c, s, q, J, T, _ = constants(inputs)
        radius = float(q / 2 * rng.uniform(1, 4))
        inputs = {**inputs, "R": radius}
        learning_epochs = max(T - int(inputs["K"]), 0)
        shifts = arrivals(J, learning_epochs, T * J, {int(inputs["j0"]): q})
        search = least_energy([c] * (T * J), shifts, [s] * (T * J), 2 * radius)
        for form in ("corrected", "tight"):
            yield ctx.compare(
                "one_segment", form, search, inputs, GENERAL, relation="==", tolerance=1e-8
            )
    for T, K in ((1, 1), (3, 1), (3, 6)):
        inputs = {
            "eta": 0.5,
            "m": 0.4,
            "M": 0.05,
            "b": 1,
            "J": 2,
            "sigma": 0.1,
            "R": 1.0,
            "T": T,
            "K": K,
            "j0": 1,
        }
        for interpretation in ("literal", "one_segment"):
            yield from ctx.compare_forms(
                interpretation, measure_ends(**inputs), inputs, "drift from one end to the other"
            )
    for _ in range(ctx.pick(8, 80)):
        at = next(chains(rng, 1))
        c, s, q, J, T, _ = constants(at)
        at |= {"R": q * T, "K": 0}
        search = least_energy(
            [c] * T * J, arrivals(J, T, T * J, {int(at["j0"]): q}), [s] * T * J, 0
        )
        yield ctx.compare(
            "literal", "tight", search, at, GENERAL + ", K = 0", relation="==", tolerance=1e-8
        )
    narrow = {**inputs, "M": 4.0, "R": 0.5, "T": 4, "K": 1, "sigma": 0.6}
    yield ctx.compare(
        "literal", "tight", measure_ends(**narrow), narrow, "2R < q: several segments"
    )


def _root(p: Mapping[str, Any]) -> float:
    """What an error of one in d_alpha = alpha mu^2/2 adds to mu, in the same unit, at this mu."""
    form = bounds.get("own.x3.iv")["tight"]
    square = 2 / float(p.get("alpha", 2.0))
    mu = float(form(**{name: p[name] for name in form.arguments}))
    return square / (mu + math.sqrt(mu * mu + ROUNDING * square))


CHECKS = (
    Check("own.x3.i", evidence=check_same, exact_side=measure_same).measured_by(
        "langevin", "same_maps_mu", where=("short steps",)
    ),
    Check("own.x3.ii", evidence=check_aligned, exact_side=measure_aligned).measured_by(
        "langevin", "aligned_mu", where=("short steps", "one row")
    ),
    Check(
        "own.x3.iv",
        evidence=check_ends,
        exact_side=measure_ends,
        limits={
            "literal": Limit("the root of a sum of terms that cancel", size=_root),
            "wording": Limit("the root of a sum of terms that cancel", size=_root),
            "one_segment": Limit("the root of a sum of terms that cancel", size=_root),
        },
    )
    .measured_by("langevin", "retrained_mu", where=("short steps", "one row", "bounded"))
    .beside("mean of 1 and -1 in a ball, one epoch after the request"),
)

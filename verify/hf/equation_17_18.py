"""(17) and (18) of hf: the Newton step is exact on quadratics at the minimiser, IJ never is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

NEWTON = Claim(
    id="hf.eq17",
    label="(17) Newton step",
    kind="equality",
    statement="a_NS = (1/(n - m)) H_NS^{-1} sum_U g_i(w_T) is the way to the model without U.",
    readings=(
        Reading(
            "literal",
            "quadratic losses; w_T is the minimiser over S, the target that over S minus U",
            ("printed",),
            proofs={"printed": "a Newton step of F_{S-U} with grad F_{S-U} = -sum_U g/(n - m)"},
        ),
        Reading(
            "limit",
            "as the limit of the leave-one-out approximator, whole batches, constant steps",
            ("printed",),
            proofs={"printed": "the fixed point of A = (1 - eta beta h) A + (eta/n) g"},
        ),
        Reading("elsewhere", "quadratic losses; w_T is not the minimiser", ("printed",)),
        Reading(
            "retrained",
            "quadratic losses; w_T and v_T after T whole batches: what Figure 1 compares",
            ("printed",),
        ),
    ),
    natural=Natural("m", tuple(float(m) for m in range(1, 30)), {"n": 30, "G": 1.0}, log_y=False),
    quantity="step between the minimisers",
    correction="Away from the minimiser, H_{S-U}^{-1}(sum_U g - sum_S g).",
)
ERROR = Claim(
    id="hf.eq17.error",
    label="(17), error",
    kind="inequality",
    statement="|w^{-U} - w^ - a_NS| <= Lam m^2 L^2/(2 lam^3 n^2).",
    readings=(
        Reading(
            "literal",
            "at the minimiser over S; strongly convex losses with Lam-Lipschitz Hessians",
            ("corrected", "tight"),
            proofs={
                "corrected": "lam |w^{-U} - w^| <= |grad F_S(w^{-U})| <= mL/n",
                "tight": "Newton's quadratic remainder, Hessians Lam-Lipschitz",
            },
        ),
    ),
)
JACKKNIFE = Claim(
    id="hf.eq18",
    label="(18) Infinitesimal jackknife",
    kind="equality",
    statement="a_IJ = (1/n) H_IJ^{-1} g_u(w_T) is the way to the model without u.",
    readings=(
        Reading(
            "literal",
            "quadratics with equal Hessians, w_T the minimiser over S",
            ("printed", "tight"),
            proofs={"tight": "(17) for equal Hessians"},
        ),
        Reading(
            "limit",
            "as the limit of the paper's own approximator, whole batches, constant steps",
            ("printed",),
            proofs={"printed": "A = (1 - eta h) A + (eta/n) g has the fixed point g/(n h)"},
            stance="part",
        ),
    ),
    natural=Natural("m", tuple(float(m) for m in range(1, 30)), {"n": 30, "G": 1.0}, log_y=False),
    quantity="step between the minimisers",
    correction="The Newton step (17).",
)
GAP = Claim(
    id="hf.eq18.gap",
    label="(18) against (17)",
    kind="inequality",
    statement="|a_NS - a_IJ| <= (mM/((n - m) lam)) (mL/(n lam)).",
    readings=(
        Reading(
            "literal",
            "Hessians from lam to M, forgotten gradients of norm at most L",
            ("tight",),
            proofs={"tight": "H_{S-U}^{-1} - H_S^{-1} = H_{S-U}^{-1} H_U H_S^{-1}"},
        ),
    ),
)
CLAIMS = (NEWTON, ERROR, JACKKNIFE, GAP)


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


def check_newton(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.newton import newton_step
    from verify.hf.quadratic_worlds import Quadratics, departure

    rng = ctx.rng()
    for n, m in ((10, 1), (10, 3), (1000, 300)):
        inputs = {"n": n, "m": m, "G": 1.0}
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "means of points", relation="=="
        )
    for _ in range(ctx.pick(30, 300)):
        H, c, U = random_problem(rng)
        kept = np.setdiff1d(np.arange(len(c)), U)
        model, w = Quadratics(H, c), best(H, c)
        exact = best(H[kept], c[kept]) - w
        left, right = departure(newton_step(model, w, U), exact)
        yield ctx.compare(
            "literal", "printed", left, {"n": len(c), "m": len(U)}, "quadratics, at the minimiser",
            bound=right, relation="==",
        )  # fmt: skip
        away = w + rng.normal(size=len(w))
        whole = newton_step(model, away, U, whole_gradient=True)
        left, right = departure(whole, best(H[kept], c[kept]) - away)
        yield ctx.compare(
            "literal", "printed", left, {"n": len(c), "m": len(U)},
            "quadratics, from anywhere, with the gradient over S in place", bound=right,
            relation="==",
        )  # fmt: skip
    for inputs, model, w, U in equal_hessians(rng, ctx.pick(10, 100)):
        yield ctx.compare(
            "limit", "printed", approximator(model, w, U, "kept"), inputs,
            "A_T of the kept samples' Hessian, T = 300", relation="==", tight=np.nan,
        )  # fmt: skip
    yield ctx.compare(
        "elsewhere", "printed", -1.0, {}, "means of three points from w = 1", bound=0.0,
        relation="==", tight=np.nan, script="eq17_elsewhere",
    )  # fmt: skip
    yield ctx.compare(
        "retrained", "printed", -7 / 16, {}, "two points, T = 2", bound=-1.0, relation="==",
        tight=np.nan, script="eq17_retrained",
    )  # fmt: skip


def check_error(ctx: Context) -> Iterator[Evidence]:
    """log cosh(w - z) + (lam/2) w^2: L on the way, Lam = 4/sqrt(27)."""
    rng = ctx.rng()
    found: list[float] = []
    rows: list[tuple[float, ...]] = []
    for _ in range(ctx.pick(150, 2000)):
        lam, n = float(rng.uniform(0.2, 2)), int(rng.integers(3, 30))
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
        found.append(abs(rest - whole - slope(whole, z[:m]).sum() / H))
        L = max(np.abs(slope(w, z)).max() for w in (whole, rest))
        rows.append((4 / 27**0.5, lam, float(L), n, m, abs(rest - whole)))
    inputs = dict(zip(("Lam", "lam", "L", "n", "m", "step"), np.array(rows).T, strict=True))
    certain = np.maximum(np.array(found) - 1e-12, 0)
    yield from ctx.compare_forms("literal", certain, inputs, "log cosh plus a quadratic, n < 30")
    # phi'' = 1 + s x^+ from lam = 1 on: Newton's remainder is attained while x keeps its sign.
    for s in (0.1, 1.0, 5.0):
        at = {"Lam": s, "lam": 1.0, "L": 1.0, "n": 2, "m": 1, "step": 0.5}
        x = 0.5  # the kept loss has slope x + s x^2/2 - b with zero at w^ + x; w^ = 0
        b = x + s * x**2 / 2
        yield ctx.compare(
            "literal", "tight", abs(x - b / 1.0), at, "curvature that rises from lam",
            relation="==",
        )  # fmt: skip


def check_jackknife(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.newton import infinitesimal_jackknife

    rng = ctx.rng()
    for n, m in ((10, 3), (10, 1), (1000, 300)):
        inputs = {"n": n, "m": m, "G": 1.0}
        found = measure(**inputs)
        yield ctx.compare("literal", "tight", found, inputs, "means of points", relation="==")
        if m == 3:
            yield ctx.compare(
                "literal",
                "printed",
                found,
                inputs,
                "means of points",
                relation="==",
                script="eq18_share",
            )
    for inputs, model, w, U in equal_hessians(rng, ctx.pick(10, 100)):
        yield ctx.compare(
            "limit", "printed", np.abs(infinitesimal_jackknife(model, w, U))[0], inputs,
            "the statistic itself", relation="==", tight=np.nan,
        )  # fmt: skip
        yield ctx.compare(
            "limit", "printed", approximator(model, w, U, "batch"), inputs,
            "A_T of the whole batch's Hessian, T = 300", relation="==", tight=np.nan,
        )  # fmt: skip


def equal_hessians(
    rng: np.random.Generator, count: int
) -> Iterator[tuple[dict[str, float], Any, np.ndarray, np.ndarray]]:
    """(inputs, quadratics of one curvature on a line, their minimiser, a set to forget)."""
    from verify.hf.quadratic_worlds import Quadratics

    for _ in range(count):
        n, h = int(rng.integers(2, 9)), float(rng.uniform(0.3, 2))
        c = rng.normal(size=(n, 1))
        U = rng.choice(n, size=int(rng.integers(1, n)), replace=False)
        w = c.mean(axis=0)
        inputs = {"n": n, "m": len(U), "G": float(abs((w - c[U]).sum()))}
        yield inputs, Quadratics(np.full((n, 1, 1), h), c), w, U


def approximator(model: Any, w: np.ndarray, U: np.ndarray, hessian: Any) -> float:
    """|A_T| after T = 300 whole batches with steps 1/h from the minimiser."""
    from simulators.trajectory.recursion import Recursion, differences
    from simulators.trajectory.training import Training

    batches = (np.arange(model.size),) * 300
    training = Training(batches, np.full(300, 1 / float(model.H[0])), w)
    return abs(float(differences(model, training, [U], Recursion(hessian=hessian)).vectors[0, 0]))


def check_gap(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.newton import infinitesimal_jackknife, newton_step
    from verify.hf.quadratic_worlds import Quadratics

    rng = ctx.rng()
    for _ in range(ctx.pick(40, 400)):
        H, c, U = random_problem(rng)
        model, w = Quadratics(H, c), best(H, c)
        spectra = np.linalg.eigvalsh(H)
        gradients = np.einsum("nij,nj->ni", H[U], w - c[U])
        apart = newton_step(model, w, U) - infinitesimal_jackknife(model, w, U)
        inputs = {
            "lam": float(spectra.min()), "M": float(spectra.max()), "n": len(c), "m": len(U),
            "L": float(np.linalg.norm(gradients, axis=1).max()),
        }  # fmt: skip
        yield ctx.compare("literal", "tight", np.linalg.norm(apart), inputs, "random quadratics")
        n, m, h = len(c), len(U), inputs["lam"]
        equal = Quadratics(np.full((n, 1, 1), h), np.where(np.arange(n) < m, 1.0, 0.0)[:, None])
        middle, first = np.array([m / n]), np.arange(m)
        apart = newton_step(equal, middle, first) - infinitesimal_jackknife(equal, middle, first)
        same = {"lam": h, "M": h, "n": n, "m": m, "L": h * (1 - m / n)}
        yield ctx.compare(
            "literal", "tight", abs(apart[0]), same, "equal Hessians and gradients", relation="=="
        )


CHECKERS = {
    NEWTON.id: check_newton,
    ERROR.id: check_error,
    JACKKNIFE.id: check_jackknife,
    GAP.id: check_gap,
}
MEASURES = {NEWTON.id: measure, JACKKNIFE.id: measure}

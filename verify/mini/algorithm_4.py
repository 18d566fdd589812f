"""Algorithm 4 of mini: the compact L-BFGS product against the dense matrix and secant equation."""

import numpy as np

from verify.checks import Check, Context, Findings


def dense(S: np.ndarray, Y: np.ndarray, sigma: float) -> np.ndarray:
    """B by its rank-two updates from sigma I, oldest pair first."""
    B = sigma * np.eye(len(S))
    for s, y in zip(S.T, Y.T, strict=True):
        image = B @ s
        B = B - np.outer(image, image) / (s @ image) + np.outer(y, y) / (s @ y)
    return B


def check(ctx: Context) -> Findings:
    """The compact product against the dense BFGS matrix, its last secant and its spectrum.

    Random quadratics with several pairs, then one pair with its quadratic form.
    """
    from simulators.trajectory.lbfgs import CompactBFGS

    rng = ctx.rng()
    yield from _several_pairs(ctx, rng)
    yield from _one_pair(ctx, rng)
    # One pair along which the curvature is L, sigma = L: the largest eigenvalue is L.
    S = np.array([[1.0], [0.0]])
    label = "curvature 3 along the step"
    top = float((CompactBFGS(S, 3.0 * S) @ S[:, 0])[0])
    options = {"bound": 3.0, "tight": 3.0}
    yield ctx.compare("secant", "corrected", top, {"p": 2, "m": 1}, label, relation="==", **options)


def _several_pairs(ctx: Context, rng: np.random.Generator) -> Findings:
    """Up to three pairs of random quadratics: products, the last secant, extreme eigenvalues."""
    from simulators.trajectory.lbfgs import CompactBFGS, printed_product

    same = {"tight": 1.0, "relation": "=="}
    for _ in range(ctx.pick(40, 1000)):
        p = int(rng.integers(1, 8))
        m = min(int(rng.integers(1, 4)), p)
        root = rng.normal(size=(p, p))
        A = root @ root.T + 0.5 * np.eye(p)
        S = rng.normal(size=(p, m))
        u = rng.normal(size=p)
        Y = A @ S
        last = S[:, -1]
        size = {"p": p, "m": m}
        sigma = float(last @ Y[:, -1] / (last @ last))
        # sigma <= L, and each of the m updates adds L at most.
        top = (m + 1) * np.linalg.eigvalsh(A)[-1]
        own = [CompactBFGS(S, Y) @ e for e in np.eye(p)]
        printed = [printed_product(S, Y, e, sigma) for e in np.eye(p)]
        most = {"bound": top, "tight": top}
        least = {"bound": 0.0, "tight": np.nan, "relation": ">="}
        for form, columns, script in (("corrected", own, None), ("printed", printed, "alg4")):
            matrix = np.stack(columns, axis=1)
            values = np.linalg.eigvalsh((matrix + matrix.T) / 2)
            product = 1 + _relative(matrix @ u, dense(S, Y, sigma) @ u)
            secant = 1 + _relative(matrix @ last, Y[:, -1])
            for interpretation, lhs, label, options in (
                ("literal", 1.0, "dense BFGS matrix times u", {"bound": product, **same}),
                ("secant", 1.0, "last pair", {"bound": secant, **same}),
                ("eigenvalues", values[-1], "largest eigenvalue", most),
                ("eigenvalues", values[0], "smallest eigenvalue", least),
            ):
                label = f"random quadratics, random steps: {label}"
                yield ctx.compare(interpretation, form, lhs, size, label, script=script, **options)


def _one_pair(ctx: Context, rng: np.random.Generator) -> Findings:
    """u^T B u of the dense matrix for one pair, which both forms give in closed form."""
    label = "one pair: the dense matrix's quadratic form"
    for _ in range(ctx.pick(40, 1000)):
        p = int(rng.integers(1, 6))
        s, u = rng.normal(size=(2, p))
        y = s * rng.uniform(0.1, 3, p)
        B = dense(s[:, None], y[:, None], float(s @ y / (s @ s)))
        inputs = {"move": s.tolist(), "bend": y.tolist(), "along": u.tolist()}
        for form, script in (("printed", "alg4"), ("corrected", None)):
            options = {"relation": "==", "script": script}
            yield ctx.compare("literal", form, u @ B @ u, inputs, label, **options)


def _relative(result: np.ndarray, exact: np.ndarray) -> float:
    """The largest error over the largest entry."""
    return float(np.abs(result - exact).max() / np.abs(exact).max())


CHECKS = (
    Check("mini.alg4", evidence=check).measured_by(
        "mini", "secant_form", interpretations=("literal",), relation="=="
    ),
)

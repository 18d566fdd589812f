"""What hf says of its own tables and figures, compared with what they print."""

from typing import Any

import numpy as np

from bounds.hf.table_2 import MODELS, TABLE_2, TimingRow
from verify.checks import Check, Context, Findings

SMALLER_IS_BETTER = ("runtime", "precomputation", "storage")
# Kaplan et al. (2020), arXiv:2001.08361v1, (4.4): D >= (5 * 10^3) N^0.74 tokens.
TOKENS, EXPONENT = 5e3, 0.74


def of(model: str) -> tuple[TimingRow, list[TimingRow]]:
    """The row of hf's method, and those of the others."""
    rows = [row for row in TABLE_2 if row.model == model]
    (ours,) = (row for row in rows if row.method == "Ours")
    return ours, [row for row in rows if row.method != "Ours"]


def saving(model: str, column: str) -> float:
    """How many times less than the best of the others."""
    ours, others = of(model)
    return float(min(getattr(row, column) for row in others) / getattr(ours, column))


def check_costs(ctx: Context) -> Findings:
    """Ratios of runtime and storage in Table 2, against the orders that the abstract claims."""
    for interpretation, column, least in (
        ("time", "runtime", 100.0),
        ("storage", "storage", 100.0),
        ("one order", "storage", 10.0),
    ):
        for model in MODELS:
            bound = saving(model, column)
            at = f"{model}: {column} of the best of NS and IJ over that of hf's method"
            options: dict[str, Any] = {"bound": ctx.scale * bound, "tight": float("nan")}
            if column == "storage":
                options["script"] = "abstract_costs_storage"
            yield ctx.compare(interpretation, "printed", least, {"model": model}, at, **options)


def check_caption(ctx: Context) -> Findings:
    """Every metric of Table 2 against the best of NS and IJ."""
    table = []
    for model in MODELS:
        ours, others = of(model)
        for column in SMALLER_IS_BETTER:
            best = min(getattr(row, column) for row in others)
            own = getattr(ours, column)
            table.append({"model": model, "metric": column, "printed": own, "computed": best})
            table[-1]["match"] = own < best
        best = max(row.accuracy for row in others)
        table.append({"model": model, "metric": "accuracy", "printed": ours.accuracy})
        table[-1] |= {"computed": best, "match": ours.accuracy > best}
    yield ctx.reproduce("literal", "printed", "better than the best of NS and IJ", table)


def check_millisecond(ctx: Context) -> Findings:
    for model, (_, _, requests) in MODELS.items():
        ours, _ = of(model)
        request_time = ours.runtime / requests
        options = {"bound": ctx.scale * 1e-2, "tight": float("nan")}
        at = f"{model}: {ours.runtime:g} s for {requests} requests"
        yield ctx.compare("literal", "printed", request_time, {"model": model}, at, **options)


def check_seeds(ctx: Context) -> Findings:
    reason = "neither the seeds nor the points behind the numbers are given"
    yield ctx.declare("literal", "printed", "not checkable", reason)


def check_norms(ctx: Context) -> Findings:
    """Norms of the statistics over seeds; a vector of the same norm that errs by 2."""
    yield from check_seeds(ctx)
    for d in (1, 10):
        change = ctx.rng(d).normal(size=d)
        vector = -change
        if abs(np.linalg.norm(vector) - np.linalg.norm(change)) > 1e-12:
            raise ValueError("a vector and its negative have one norm")
        error = float(np.linalg.norm(change - vector) / np.linalg.norm(change))
        at = "a = -(w_{-U} - w): the same norm, relative error 2"
        yield ctx.compare(
            "effective", "printed", error, {"d": d}, at, bound=1.0, script="fig2_norm"
        )


def newton_step(X: np.ndarray, curvatures: np.ndarray, ridge: float, g: np.ndarray) -> np.ndarray:
    """(ridge I + X^T C X)^-1 g from the rows and curvatures alone, in dimension n.

    Woodbury: (g - X^T (ridge C^-1 + X X^T)^-1 X g)/ridge.
    """
    inner = np.diag(ridge / curvatures) + X @ X.T
    return np.asarray((g - X.T @ np.linalg.solve(inner, X @ g)) / ridge)


def check_matrices(ctx: Context) -> Findings:
    """Numbers of a Hessian, and those that a Newton step needs from the rows."""
    rng = ctx.rng()
    ridge = 0.1
    for n, d in ((1, 3), (3, 10), (10, 40)):
        X = rng.normal(size=(n, d))
        curvatures = rng.uniform(0.1, 0.25, size=n)
        g = rng.normal(size=d)
        inputs = {"n": n, "d": d}
        H = ridge * np.eye(d) + X.T @ (curvatures[:, None] * X)
        storage = X.size + curvatures.size
        step = newton_step(X, curvatures, ridge, g)
        error = np.linalg.norm(H @ step - g) / np.linalg.norm(g)
        if error > 1e-9:
            raise ValueError(f"the step from rows must solve the system, off by {error:.2g}")
        at = f"{n} rows of {d} numbers"
        options: dict[str, Any] = {"bound": ctx.scale * float(d * d), "tight": float("nan")}
        yield ctx.compare("literal", "printed", float(H.size), inputs, at, **options)
        options["script"] = "matrices_rows"
        yield ctx.compare("required", "printed", float(storage), inputs, at, **options)


def check_scaling(ctx: Context) -> Findings:
    """Tokens over parameters by the scaling law that footnote 2 cites."""
    sizes = 10.0 ** np.arange(6, 13)
    share = TOKENS * sizes**EXPONENT / sizes
    for d, fraction in zip(sizes, share, strict=True):
        at = f"tokens for {d:.0e} parameters, over the parameters"
        yield ctx.compare(
            "literal",
            "printed",
            float(fraction),
            {"d": float(d)},
            at,
            bound=1.0,
            script="footnote2_tokens",
        )
    for d, before, after in zip(sizes[1:], share[:-1], share[1:], strict=True):
        at = "a tenth of the parameters before"
        options = {"bound": ctx.scale * float(before), "tight": float("nan")}
        yield ctx.compare("exponent", "printed", float(after), {"d": float(d)}, at, **options)


CHECKS = (
    Check("hf.abstract.costs", check_costs),
    Check("hf.table2.caption", check_caption),
    Check("hf.millisecond", check_millisecond),
    Check("hf.fig1.convex", check_seeds),
    Check("hf.fig1.network", check_seeds),
    Check("hf.fig2", check_norms),
    Check("hf.table1.matrices", check_matrices),
    Check("hf.footnote2", check_scaling),
)

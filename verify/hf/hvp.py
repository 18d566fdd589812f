"""hf after (13): a Hessian-vector product costs a batch, and Newton steps can use it as well."""

import numpy as np

from simulators.data.dataset import Dataset
from verify.checks import Check, Context, Findings, Instances, case_table


def measure(b: float, d: float, K: float = 1.0) -> float:
    """Operations of one product of a batch of logistic losses, counted."""
    from simulators.trajectory.operations import Counter

    model = logistic_model(int(b), int(d))
    tangent = model.tangent(model.full(int(d), 0.0), model.everything())
    with Counter() as counter:
        tangent.apply(model.full(int(d))[None])
    return float(counter.flops)


def logistic_model(n: int, d: int):  # type: ignore[no-untyped-def]
    from simulators.losses.logistic import Logistic
    from simulators.trajectory.linear_score import LinearScore

    rng = np.random.default_rng(n * 1000 + d)
    data = Dataset(rng.normal(size=(n, d)), rng.choice((-1.0, 1.0), size=n))
    return LinearScore(Logistic(0.1), data)


def newton(n: int, d: int) -> tuple[np.ndarray, np.ndarray, int]:
    """(step by conjugate gradients on products, step by solving, numbers held by the former)."""
    model = logistic_model(n, d)
    tangent = model.tangent(model.full(d, 0.1), model.everything())
    g = tangent.gradient(model.full(n, 1 / n)).cpu().numpy()
    x, r = np.zeros(d), g.copy()
    p, residual_sq = r.copy(), float(r @ r)
    for _ in range(2 * d):
        Hp = tangent.apply(model.tensor(p)[None])[0].cpu().numpy() / n
        step = residual_sq / float(p @ Hp)
        x, r = x + step * p, r - step * Hp
        before, residual_sq = residual_sq, float(r @ r)
        if residual_sq < 1e-28:
            break
        p = r + residual_sq / before * p
    storage = sum(a.size for a in (x, r, p, Hp))
    return x, np.linalg.solve(tangent.hessian().cpu().numpy() / n, g), storage


def check(ctx: Context) -> Findings:
    """Newton steps by conjugate gradients on products, and the numbers that they hold."""
    from verify.hf.quadratic_problems import departure, equal

    for n, d in ((50, 8), (200, 40)):
        step, exact, storage = newton(n, d)
        pairs = [departure(step, exact)]
        at = "conjugate gradients on products"
        yield equal(ctx, "exclusive", "corrected", pairs, at, tolerance=1e-10)
        at = "numbers held by conjugate gradients"
        yield ctx.compare(
            "exclusive", "printed", storage, {}, at, bound=d * d, tight=np.nan, script="hvp_newton"
        )


COUNTED = Instances(
    "operations counted",
    case_table("b d K", (1, 7, 4), (60, 5, 100), (1000, 10, 100), (2000, 30, 1000)),
    interpretations=("literal",),
    relations={"corrected": "=="},
    script="hvp_cost",
)
FIXED = Instances(
    "operations counted, K = 4b",
    case_table("b d K", *((b, d, 4 * b) for b in (1, 5, 60) for d in (1, 7, 400))),
    interpretations=("fixed",),
)
CHECKS = (Check("hf.hvp", check, measure, (COUNTED, FIXED)),)

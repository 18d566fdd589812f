"""hf after (13): a Hessian-vector product costs a batch, and Newton steps can use it as well."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.hvp",
    label="Hessian-vector products (Section 3)",
    kind="claim",
    statement="A Hessian-vector product takes O(d); methods that store a Hessian cannot use it.",
    readings=(
        Reading(
            "literal",
            "O(d) with one constant, whatever the batch",
            ("printed", "corrected"),
            proofs={"corrected": "two products with the b x d matrix of the batch"},
        ),
        Reading(
            "fixed",
            "O(d) with a constant for each batch size",
            ("printed",),
            proofs={"printed": "The Hessian of a linear score is X^T diag(c) X with X the b x d "
                    "matrix of the batch. Its product with a vector is a product with X and one "
                    "with X^T, 2bd operations each, so that K = 4b does for every d."},
        ),
        Reading(
            "exclusive",
            "a Newton step needs the d^2 numbers of the Hessian",
            ("printed", "corrected"),
            proofs={"corrected": "conjugate gradients: exact after d products, four vectors"},
            stance="part",
        ),
    ),
    natural=Natural(
        "b", tuple(float(b) for b in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
        {"d": 50.0, "K": 100.0}, log_x=True,
    ),
    quantity="operations of a product",
    correction="O(bd), which is O(d) at a fixed batch size only. Newton steps and infinitesimal "
    "jackknives by conjugate gradients: O(nd) an iteration, O(d) storage.",
)  # fmt: skip


def measure(b: float, d: float, K: float = 1.0) -> float:
    """Operations of one product of a batch of logistic losses, counted."""
    import torch

    from simulators.trajectory.operations import Counter

    model = logistic_model(int(b), int(d))
    tangent = model.tangent(torch.zeros(int(d), dtype=torch.float64), model.everything())
    with Counter() as counter:
        tangent.apply(torch.ones((1, int(d)), dtype=torch.float64))
    return float(counter.flops)


def logistic_model(n: int, d: int):  # type: ignore[no-untyped-def]
    from simulators.data.dataset import Dataset
    from simulators.losses.logistic import Logistic
    from simulators.trajectory.linear_score import LinearScore

    rng = np.random.default_rng(n * 1000 + d)
    return LinearScore(
        Logistic(0.1), Dataset(rng.normal(size=(n, d)), rng.choice((-1.0, 1.0), size=n))
    )


def newton(n: int, d: int) -> tuple[np.ndarray, np.ndarray, int]:
    """(step by conjugate gradients on products, step by solving, numbers held by the former)."""
    import torch

    model = logistic_model(n, d)
    w = torch.full((d,), 0.1, dtype=torch.float64)
    tangent = model.tangent(w, model.everything())
    g = tangent.gradient(torch.ones(n, dtype=torch.float64) / n).numpy()
    x, r = np.zeros(d), g.copy()
    p, left = r.copy(), float(r @ r)
    for _ in range(2 * d):
        Hp = tangent.apply(torch.tensor(p)[None])[0].numpy() / n
        step = left / float(p @ Hp)
        x, r = x + step * p, r - step * Hp
        before, left = left, float(r @ r)
        if left < 1e-28:
            break
        p = r + left / before * p
    held = sum(a.size for a in (x, r, p, Hp))
    return x, np.linalg.solve(tangent.hessian().numpy() / n, g), held


def check(ctx: Context) -> Iterator[Evidence]:
    for b, d, K in ((1, 7, 4), (60, 5, 100), (1000, 10, 100), (2000, 30, 1000)):
        inputs = {"b": float(b), "d": float(d), "K": float(K)}
        found = measure(**inputs)
        yield ctx.compare(
            "literal", "printed", found, inputs, "operations counted", script="hvp_cost"
        )
        yield ctx.compare(
            "literal", "corrected", found, inputs, "operations counted", relation="=="
        )
    for b in (1, 5, 60):
        for d in (1, 7, 400):
            inputs = {"b": float(b), "d": float(d), "K": 4.0 * b}
            yield ctx.compare(
                "fixed", "printed", measure(**inputs), inputs, "operations counted, K = 4b"
            )
    from verify.hf.quadratic_worlds import departure

    for n, d in ((50, 8), (200, 40)):
        step, exact, held = newton(n, d)
        left, right = departure(step, exact)
        yield ctx.compare(
            "exclusive", "corrected", left, {"n": n, "d": d}, "conjugate gradients on products",
            bound=right, relation="==", tolerance=1e-10, tight=np.nan,
        )  # fmt: skip
        yield ctx.compare(
            "exclusive", "printed", held, {"n": n, "d": d}, "numbers held by conjugate gradients",
            bound=float(d * d), relation=">=", tight=np.nan, script="hvp_newton",
        )  # fmt: skip

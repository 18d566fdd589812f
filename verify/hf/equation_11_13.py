"""(11)-(13) of hf: the statistic is the derivative of training with respect to a weight."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Edit, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.eq11_13",
    label="Equations (11)-(13)",
    kind="equality",
    statement="a^{-u} = sum_e M_{e,b(u)} g_u(w_{e,b(u)}), the products in M as (10) has "
    "them, from b(u) + 1 in every epoch, is the first-order effect of u on w_T, and the error is "
    "what is left of v_T - w_T.",
    aliases=("hf.eq11-13", "hf.eq11", "hf.eq12", "hf.eq13"),
    readings=(
        Reading(
            "literal",
            "smooth losses, convex or not; a^{-u} against dw_T/ds, u weighted by 1 - s",
            ("printed", "corrected"),
            proofs={"corrected": "differentiate w_{t+1}(s) = w_t(s) - (eta/b) sum (1 - s_i) g_i"},
            edits={
                "printed": Edit(
                    "M of (10) with b from 0 in later epochs",
                    "from b(u) + 1 in every epoch",
                    "from 0 in later epochs",
                )
            },
        ),
        Reading(
            "order",
            "the error as the deletion weight s goes to 0",
            ("corrected",),
            proofs={"corrected": "Taylor: w_T(s) - w_T(0) - s a = O(s^2)"},
            stance="part",
        ),
    ),
    formula=False,
    correction="With the indices of (10) repaired: the derivative, hence second-order error in "
    "the deletion weight, not in the number of samples forgotten.",
)


def check(ctx: Context) -> Iterator[Evidence]:
    yield from _rationals(ctx)
    yield from _forward_mode(ctx)
    yield from _order(ctx)


def _rationals(ctx: Context) -> Iterator[Evidence]:
    from verify.hf.derivative_oracles import by_power_series

    rng = ctx.rng()
    pairs = []
    for _ in range(ctx.pick(40, 400)):
        n = int(rng.integers(2, 5))
        rational = [tuple(Fraction(int(k), 8) for k in row) for row in rng.integers(-8, 9, (n, 3))]
        batches = [rng.permutation(n)[: rng.integers(1, n + 1)] for _ in range(5)]
        steps = [Fraction(int(k), 16) for k in rng.integers(1, 9, 5)]
        found, statistic = by_power_series(
            rational, [list(map(int, r)) for r in batches], steps, Fraction(1, 4), 0
        )
        if not any(0 in r for r in batches):
            continue
        pairs.append((float(statistic), float(found)))
        if statistic != found:
            pairs[-1] = (float(statistic), float(found) + abs(float(found)) + 1)
    left, right = np.array(pairs).T
    yield ctx.compare(
        "literal", "corrected", left, {}, "cubic losses in rationals, modulo s^2",
        bound=right, relation="==", tolerance=1e-15,
    )  # fmt: skip


def smooth_worlds(ctx: Context, count: int):  # type: ignore[no-untyped-def]
    """Losses that are neither quadratic nor convex, and runs of them with a visit every epoch."""
    import torch

    from simulators.trajectory.generic import FunctionModel
    from simulators.trajectory.training import Training, batches_of, geometric_steps

    def logistic(w: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.nn.functional.softplus(-y * (x @ w)) + 0.05 * (w @ w)

    def network(w: torch.Tensor, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return 0.5 * (torch.tanh(x @ w[:2]) * w[2] + torch.sin(w[3]) - y) ** 2

    rng = ctx.rng(1)
    for index in range(count):
        loss, p = ((logistic, 2), (network, 4))[index % 2]
        n = int(rng.integers(3, 7))
        size = int(rng.integers(1, n + 1))
        model = FunctionModel(
            loss, rng.normal(size=(n, 2)) * 1.5, rng.choice((-1.0, 1.0), size=n), p
        )
        batches = batches_of(n, size, 3, seed=int(rng.integers(1 << 30)))
        steps = geometric_steps(float(rng.uniform(0.3, 0.9)), 0.95, len(batches))
        training = Training(batches, steps, rng.normal(size=p))
        yield model, training, int(rng.integers(n)), len(batches) // 3


def _forward_mode(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.derivative_oracles import by_forward_mode
    from verify.hf.quadratic_worlds import departure
    from verify.hf.recollection_matrix import recollected

    variants = {
        "recursion": Recursion("batch"),
        "late": Recursion("batch", order="late"),
        "kept": Recursion("kept"),
    }
    pairs: dict[str, list[tuple[float, float]]] = {}
    for model, training, sample, per_epoch in smooth_worlds(ctx, ctx.pick(4, 60)):
        slope = by_forward_mode(model, training, sample)
        found = {
            name: differences(model, training, [[sample]], chosen).vectors[0]
            for name, chosen in variants.items()
        }
        for reading in ("literal", "skipped", "corrected"):
            found[reading] = recollected(model, training, sample, per_epoch, reading)
        for name, vector in found.items():
            pairs.setdefault(name, []).append(departure(vector, slope))
    texts = {
        "recursion": "logistic and network losses: forward-mode derivative of training",
        "corrected": "the same with the matrices multiplied out",
        "literal": "(10) as printed on the same losses",
        "late": "the injection before the step's matrix",
        "skipped": "without epoch 0",
        "kept": "without u's own Hessian",
    }
    for name, text in texts.items():
        left, right = np.array(pairs[name]).T
        yield ctx.compare(
            "literal", "printed" if name == "literal" else "corrected", left, {}, text,
            bound=right, relation="==", tolerance=1e-11,
            role="bound" if name in ("recursion", "corrected", "literal") else "control",
            script="eq11_13" if name == "literal" else None,
        )  # fmt: skip


def _order(ctx: Context) -> Iterator[Evidence]:
    """(W(s) - W(0) - s a)/s^2 at s and s/2, extrapolated: W''(0)/2 both ways."""
    ratios = []
    h = 2.0**-10
    for n, T, eta, c in ((2, 6, 0.5, 0.7), (5, 12, 0.3, -1.1), (3, 40, 0.2, 0.4)):

        def trained(s: float, n: int = n, T: int = T, eta: float = eta, c: float = c) -> float:
            w = 0.3
            for _ in range(T):
                w -= (
                    eta
                    / n
                    * ((1 - s) * (np.sinh(w) - c) + sum(np.tanh(w + k) for k in range(1, n)))
                )
            return float(w)

        # Each step of s is exact; a is the derivative by a five-point rule.
        a = (8 * (trained(h) - trained(-h)) - trained(2 * h) + trained(-2 * h)) / (12 * h)
        errors = [abs(trained(s) - trained(0.0) - s * a) for s in (2.0**-8, 2.0**-9)]
        ratios.append(np.log2(errors[0] / errors[1]))
    yield ctx.compare(
        "order", "corrected", ratios, {}, "exponent of the error in the deletion weight",
        bound=2.0, relation="==", tolerance=0.006,
    )  # fmt: skip

"""Algorithm 1 of mini: on quadratics its sum must restart the last k steps; it does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from bounds.mini.last_steps import counted_from_one, counted_once, counter_reset, horner
from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.small_runs import line, random_run

CLAIM = Claim(
    id="mini.alg1",
    label="Algorithm 1",
    kind="algorithm",
    statement="Storing Delta H and Delta G over the last k steps and adding them up as lines 16-21 "
    "say gives w_T + Delta w_T of equation (10).",
    readings=(
        Reading(
            "literal", "n = 0 in every step, so that only Delta H[1] = H(T) is left; k <= 3",
            ("printed",),
        ),
        Reading(
            "counter", "n = 0 set once before the loop, lists counted from 0",
            ("printed", "corrected"),
            proofs={"corrected": "unrolling Dw_l = G(l) + H(l) Dw_{l-1} from Dw_{T-k} = 0"},
        ),
        Reading("one", "n = 0 set once, Delta G counted from 1", ("printed",)),
    ),
    natural=Natural(
        "k", tuple(float(k) for k in range(2, 41)), {"h": 0.9, "g": 1.0}, log_y=False
    ),
    quantity="what the last k steps contribute",
    correction="v = 0; for l = T-k+1..T: v <- G(l) + H(l) v; return w_T + v.",
)  # fmt: skip


def measure(h: float, k: float, g: float) -> float:
    """w after the last k steps on the kept samples, minus w_T, on a line of quadratics; h < 1."""
    run, gone = line(h, int(k), g)
    return float(run.rewound(gone, int(k))[0] - run.path()[-1][0])


def check(ctx: Context) -> Iterator[Evidence]:
    for h in (0.0, 0.3, 0.9, 0.99995):
        for k in (2, 3, 4, 10, 40):
            inputs = {"h": h, "k": k, "g": 1.5}
            exact, about = measure(**inputs), "quadratics on a line, the last k steps again"
            for form in ("printed", "corrected"):
                yield ctx.compare(
                    "counter", form, exact, inputs, about, relation="==", tolerance=1e-8,
                    script="alg1" if form == "printed" else None,
                )  # fmt: skip
    yield from _unequal_steps(ctx)
    yield from _planes(ctx)


def _unequal_steps(ctx: Context) -> Iterator[Evidence]:
    """H and G of their own in every step: products and pairings have an order."""
    sums: tuple[tuple[str, str, Callable[[Sequence[Any], Sequence[Any]], Any]], ...] = (
        ("counter", "printed", counted_once), ("counter", "corrected", horner),
        ("one", "printed", counted_from_one), ("literal", "printed", counter_reset),
    )  # fmt: skip
    rng = ctx.rng()
    for _ in range(ctx.pick(20, 300)):
        run, gone = random_run(rng, p=1)
        for reading, form, total in sums:
            k = int(rng.integers(2, 4) if reading == "literal" else rng.integers(2, 10))
            exact = float(run.rewound(gone, k)[0] - run.path()[-1][0])
            H, G = (np.array(part).ravel() for part in run.pieces(gone, k))
            if form == "printed":
                again = line_19(H, G, reset=reading == "literal", one=reading == "one")
                yield ctx.transcribed(
                    reading, form, total(H, G), again, {"k": k}, "lines 9 to 21, counter and all"
                )
            yield ctx.compare(
                reading, form, exact, {"k": k}, "random quadratics on a line",
                bound=total(H, G), tight=exact, relation="==", tolerance=1e-8,
                script="alg1" if form == "printed" else None,
            )  # fmt: skip


def line_19(H: Sequence[Any], G: Sequence[Any], *, reset: bool, one: bool) -> float:
    """Lines 9 to 21 with their counter n; `reset` in every step, `one`: Delta G counted from 1."""
    products, n = {0: 1.0}, 0
    for contraction in H:
        n = 0 if reset else n
        products[n + 1] = contraction * products[n]
        n += 1
    k = len(G) - 1
    rest = [products[r] * G[r + 1 - one] for r in range(1, k - 1)]
    return float(sum(rest) + G[k - 1 - one])


def _planes(ctx: Context) -> Iterator[Evidence]:
    """The simulators in three dimensions: the corrected sum, and the printed one as a control."""
    from simulators.trajectory.mini import mini, printed_algorithm_1

    rng = ctx.rng(1)
    for _ in range(ctx.pick(6, 60)):
        run, gone = random_run(rng)
        k = int(rng.integers(2, 12))
        model, training = run.subject()
        exact = run.rewound(gone, k)
        for form, simulated in (("corrected", mini), ("printed", printed_algorithm_1)):
            yield ctx.compare(
                "counter", form, exact, {"k": k, "p": 3},
                "quadratics whose Hessians do not commute, restarted at w_{T-k}",
                bound=simulated(model, training, gone, k), tight=exact, relation="==",
                tolerance=1e-8, script="alg1" if form == "printed" else None,
            )  # fmt: skip

"""Algorithm 3 of mini: the devices recover a window of Hessians that lies one step too early."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from bounds.mini.last_steps import early_window, horner
from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.small_runs import random_run

CLAIM = Claim(
    id="mini.alg3",
    label="Algorithm 3",
    kind="algorithm",
    statement="Device i of k recovers H(T-k+i), i = 0..k-1, from which the server computes "
    "equation (10).",
    readings=(
        Reading(
            "literal", "the k matrices take the k places of H in equation (10), in order",
            ("printed", "corrected"),
            proofs={"corrected": "unrolling Dw_l = G(l) + H(l) Dw_{l-1} from Dw_{T-k} = 0"},
        ),
    ),
    quantity="what the last k steps contribute",
    correction="i = 1..k. Horner's rule needs no recovered matrix: k products in turn.",
)  # fmt: skip


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.mini import mini, printed_algorithm_3

    rng = ctx.rng()
    script = {"printed": "alg3", "corrected": None}
    # Fractions: the recursion term by term, every product written out.
    H = [Fraction(k, 10) for k in (9, 8, 7, 6)]
    G = [Fraction(k) for k in (1, 2, 3, 4)]
    exact = G[3] + H[3] * G[2] + H[3] * H[2] * G[1]
    for form in ("printed", "corrected"):
        inputs = {"H": [float(h) for h in H], "G": [float(g) for g in G]}
        yield ctx.compare(
            "literal", form, float(exact), inputs, "four steps in rational numbers", relation="==",
            script=script[form],
        )  # fmt: skip
    for _ in range(ctx.pick(25, 400)):
        run, gone = random_run(rng, p=1)
        k = int(rng.integers(2, 11))
        H_k, G_k = (np.array(part).ravel().tolist() for part in run.pieces(gone, k))
        again = float(run.rewound(gone, k)[0] - run.path()[-1][0])
        for form, total in (("printed", early_window), ("corrected", horner)):
            yield ctx.compare(
                "literal", form, again, {"k": k}, "random quadratics on a line",
                bound=total(H_k, G_k), tight=again, relation="==", tolerance=1e-8,
                script=script[form],
            )  # fmt: skip
    for _ in range(ctx.pick(6, 60)):
        run, gone = random_run(rng)
        k = int(rng.integers(2, 12))
        point = run.rewound(gone, k)
        for form, simulated in (("printed", printed_algorithm_3), ("corrected", mini)):
            yield ctx.compare(
                "literal", form, point, {"k": k, "p": 3},
                "quadratics whose Hessians do not commute, restarted at w_{T-k}",
                bound=simulated(*run.subject(), gone, k), tight=point, relation="==",
                tolerance=1e-8, script=script[form],
            )  # fmt: skip

"""Figures 3c and 3d of sglu: one epoch at b = 32 is enough, five at b = 512 are not."""

from __future__ import annotations

from collections.abc import Iterator

from bounds.sglu.figure_3cd import CLAIMED, EPSILON, PLANS, STORED, STORED_SIGMAS, TOTALS
from bounds.sglu.settings import REQUESTS, SEQUENTIAL_SIGMAS, SIZES
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.sequence_chain import chain_epochs, loop_epochs

SCRIPTS = {"printed": "sec4_atmost15", "stored": "sec4_atmost15_stored"}


def measure(n: float, b: float, S: float, sigma: float, epsilon: float) -> float:
    """Most epochs of a request on exact laws of quadratics, each running as few as it can."""
    return float(max(chain_epochs(n, b, S, sigma, epsilon)))


def check(ctx: Context) -> Iterator[Evidence]:
    for data, n in SIZES.items():
        for b, claimed in CLAIMED.items():
            for sigma in SEQUENTIAL_SIGMAS:
                inputs = {"n": n, "b": b, "S": REQUESTS, "sigma": sigma, "epsilon": EPSILON}
                most = {
                    "printed": float(max(loop_epochs(**inputs))),
                    "stored": float(ctx.claim("stored", **inputs)),
                    "tight": measure(**inputs),
                }
                for form, epochs in most.items():
                    for reading in ("literal", "small")[: 2 if b == 32 else 1]:
                        yield ctx.compare(
                            reading, form, epochs, inputs, f"{data}, b = {b}: most epochs",
                            bound=claimed, script=SCRIPTS.get(form),
                        )  # fmt: skip
                yield ctx.compare(
                    "literal", "tight", most["tight"], inputs,
                    f"{data}, b = {b}: most epochs on exact laws", relation="==",
                )  # fmt: skip
    yield ctx.compare(
        "small", "tight", float(max(chain_epochs(9728, 512, 3, 0.05, EPSILON))),
        {"n": 9728, "b": 512, "sigma": 0.05}, "one epoch at b = 512", bound=1.0, role="control",
    )  # fmt: skip
    for form in ("printed", "stored"):
        yield _reproduced(ctx, "lists", form, STORED, STORED_SIGMAS)
    for form, table in TOTALS.items():
        yield _reproduced(ctx, "totals", form, table, SEQUENTIAL_SIGMAS)


def _reproduced(
    ctx: Context, reading: str, form: str,
    table: dict[tuple[str, int | None], tuple[int, ...]], sigmas: tuple[float, ...],
) -> Evidence:  # fmt: skip
    rows = []
    for (data, batch), totals in table.items():
        n = SIZES[data]
        for sigma, total in zip(sigmas, totals, strict=True):
            epochs = PLANS[form](n, batch or n, REQUESTS, sigma, EPSILON)
            computed = ctx.scale * sum(epochs)
            rows.append(
                {"data": data, "b": batch or n, "sigma": sigma, "printed": total,
                 "computed": computed, "match": computed == total}
            )  # fmt: skip
    return ctx.reproduce(reading, form, "equal as whole numbers", rows)


CHECKS = (Check("sglu.sec4.atmost15", evidence=check, oracle=measure),)

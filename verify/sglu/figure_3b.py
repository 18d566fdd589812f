"""Figure 3b of sglu: the 10 % and 2 % come from a constant that the paper does not print."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from accounting.gaussian import epsilon_gdp
from bounds.sglu.figure_3b import BATCHES, EPSILON, PLOTTED, SIGMA, STORED, TOTALS, baselines
from bounds.sglu.settings import DATA, REQUESTS, SIZES
from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.sglu.sequence_chain import chain_epochs, chain_mu, loop_epochs

# What rounds to 10 % and to 2 %.
ROUGHLY: dict[int | None, float] = {None: 0.15, 128: 0.025}
COUNTS: dict[str, Callable[..., tuple[int, ...]]] = {
    "printed": loop_epochs,
    "corrected": lambda **inputs: loop_epochs(**inputs, whole=True),
    "tight": chain_epochs,
}


def measure(n: float, b: float, S: float, sigma: float, epsilon: float) -> float:
    """Least total epochs on exact laws of quadratics, request by request."""
    return float(sum(chain_epochs(n, b, S, sigma, epsilon)))


def check(ctx: Context) -> Iterator[Evidence]:
    yield from _percentages(ctx)
    tables: tuple[tuple[str, str, dict[str, tuple[int, ...]]], ...] = (
        *(("lists", form, STORED) for form in ("printed", "algorithm", "stored")),
        *(("totals", form, totals) for form, totals in TOTALS.items()),
    )
    for reading, form, table in tables:
        rows = [
            {"data": data, "b": b or SIZES[data], "printed": total,
             "computed": (value := ctx.scale * _total(ctx, form, data, b)),
             "match": value == total}
            for data, totals in table.items()
            for b, total in zip(BATCHES, totals, strict=True)
        ]  # fmt: skip
        yield ctx.reproduce(reading, form, "equal as whole numbers", rows)
    yield from _target(ctx)


def _inputs(data: str, b: int | None) -> dict[str, float]:
    n = SIZES[data]
    return {"n": n, "b": b or n, "S": REQUESTS, "sigma": SIGMA, "epsilon": EPSILON}


def _total(ctx: Context, form: str, data: str, b: int | None) -> float:
    return float(ctx.claim(form, **_inputs(data, b)))


def _percentages(ctx: Context) -> Iterator[Evidence]:
    """Totals, counted again without the accountants, over each baseline's total."""
    for data in SIZES:
        yield ctx.compare(
            "target", "tight", _descent(data), {"data": data},
            f"{data}: steps of Descent-to-Delete by Theorem L.2, counted request by request",
            bound=baselines(data)["Descent-to-Delete"], relation="==", tight=np.nan,
        )  # fmt: skip
        others = {f"{k}, plotted": v for k, v in PLOTTED[data].items()}
        others |= {f"{k}, printed formulas": v for k, v in baselines(data).items()}
        for b, share in ROUGHLY.items():
            inputs = _inputs(data, b)
            counts = {form: sum(count(**inputs)) for form, count in COUNTS.items()}
            counts["stored"] = int(_total(ctx, "stored", data, b))
            for form, epochs in counts.items():
                for other, total in others.items():
                    yield ctx.compare(
                        "unprinted" if form == "stored" else "literal", form, epochs / total,
                        {**inputs, "epochs": epochs, "baseline": total},
                        f"{data}, b = {b or 'n'}: share of {total} ({other})",
                        bound=share, tight=np.nan,
                        script="sec4_10pct2pct" if form == "printed" else None,
                    )  # fmt: skip


def _descent(data: str) -> int:
    """Gradient steps of Descent-to-Delete for all requests by Theorem L.2, one by one."""
    n, d = SIZES[data], DATA[data].d
    m = 1e-6 * n
    slow = -math.log1p(-2 * m / (0.25 + 2 * m))  # log(1/gamma), gamma = (L - m)/(L + m)
    base = 2 * math.log(2 * n)
    far = math.sqrt(2 * d) / -math.expm1(-slow) / (math.sqrt(base + EPSILON) - math.sqrt(base))
    least = math.ceil(math.log(far) / slow)
    extra = (math.log(math.log(4 * d * i * n)) / slow for i in range(1, REQUESTS + 1))
    return sum(math.ceil(least + more) for more in extra)


def _target(ctx: Context) -> Iterator[Evidence]:
    """The epochs of each form on exact laws: the target is met, and no faster way exists."""
    from bounds.sglu import sequence_plans as plans

    sufficient = {
        "printed": plans.accounted("printed"),
        "stored": plans.stored("3b"),
        "corrected": plans.accounted("corrected"),
        "tight": plans.accounted("exact"),
    }
    for data in SIZES:
        for b in BATCHES[-ctx.pick(2, len(BATCHES)) :]:
            inputs = _inputs(data, b)
            n, size = SIZES[data], b or SIZES[data]
            for form, plan in sufficient.items():
                mus = chain_mu(n, size, SIGMA, plan(n, size, REQUESTS, SIGMA, EPSILON))
                yield ctx.compare(
                    "target", form, epsilon_gdp(np.array(mus), 1 / n),
                    {**inputs, "request": np.arange(1, REQUESTS + 1)},
                    "exact epsilon on quadratics, worst request", bound=EPSILON, tight=EPSILON,
                )  # fmt: skip
            yield ctx.compare(
                "target", "tight", measure(**inputs), inputs,
                "least total epochs on exact laws, request by request", relation="==",
            )  # fmt: skip
    fewer = tuple(max(K - 1, 1) for K in plan(n, n, REQUESTS, SIGMA, EPSILON))
    yield ctx.compare(
        "target", "tight", max(epsilon_gdp(np.array(chain_mu(n, n, SIGMA, fewer)), 1 / n)),
        _inputs(data, None), "one epoch less at each request", bound=EPSILON, role="control",
    )  # fmt: skip


CHECKS = (Check("sglu.sec4.10pct2pct", evidence=check, oracle=measure),)

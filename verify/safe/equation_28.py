"""(28) of safe: the surrogate risk, whose gradient at w_0 must be the g_t of Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import exp, log

from verify.checks import Check
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.toy_worlds import FIRST, LEAVING, SECOND, TRAINED, two_classes

_ROUND = two_classes(1)
_LISTS = {"signed": _ROUND.signed, "deleted": list(_ROUND.deleted), "targets": _ROUND.targets}


def measure(
    signed: Sequence[float], deleted: Sequence[float], targets: Sequence[float], w: float,
    lam: float,
) -> float:  # fmt: skip
    """Both terms through probabilities, sample by sample."""

    def probability(score: float) -> float:
        return 1 / (1 + exp(-score))

    retention = sum(-log(probability(w * x)) for x in signed) / len(signed)
    total = 0.0
    for x, odds in zip(deleted, targets, strict=True):
        f, q = probability(w * x), probability(odds)
        total += f * log(f / q) + (1 - f) * log((1 - f) / (1 - q))
    return retention + lam * total / len(deleted)


def gradient(t: int, lam: float) -> tuple[float, float]:
    """Both parts of g_t of Algorithm 1 in round t, from eq (15) and the closed form of eq (26)."""

    def slope(name: str, x: float) -> float:
        f = 1 / (1 + exp(-TRAINED * x))
        return (f - 1) * x if name == "first" else f * x

    n = len(FIRST) + len(SECOND)
    G = (sum(slope("first", x) for x in FIRST) + sum(slope("second", x) for x in SECOND)) / n
    for s in range(1, t + 1):
        gone = LEAVING[s]
        G = (n * G - sum(slope(*item) for item in gone)) / (n - len(gone))
        n -= len(gone)
    now, total = two_classes(t), 0.0
    for x, (a, b) in zip(now.deleted, now.log_q, strict=True):
        f = 1 / (1 + exp(-TRAINED * x))
        total += f * (1 - f) * x * (a - b)
    return G, -lam * total / len(now.deleted)


def check(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(60, 3000)):
        m = int(rng.integers(1, 6))
        inputs = {
            "signed": rng.normal(size=int(rng.integers(1, 8))).tolist(),
            "deleted": rng.normal(size=m).tolist(), "targets": rng.normal(size=m).tolist(),
            "w": float(rng.normal()), "lam": float(rng.exponential()),
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", measure(**inputs), inputs, "random samples, by probabilities",
            relation="==", tolerance=1e-11,
        )  # fmt: skip
    swapped = measure(_LISTS["signed"], _LISTS["targets"], _LISTS["deleted"], 1.0, 0.7)
    yield ctx.compare(
        "literal", "printed", swapped, {**_LISTS, "w": 1.0, "lam": 0.7},
        "the arguments of KL exchanged", relation="==", role="control",
    )  # fmt: skip
    for t in (1, 2):
        now = two_classes(t)
        lists = {"signed": now.signed, "deleted": list(now.deleted), "targets": now.targets}
        low, high = TRAINED - 2.0**-33, TRAINED + 2.0**-33
        form = ctx.claim["printed"]
        rise = form.exact(**lists, w=high, lam=0.7) - form.exact(**lists, w=low, lam=0.7)
        slope = float(rise) / float(Fraction(high) - Fraction(low))
        for name, g, role in (
            ("both parts", sum(gradient(t, 0.7)), "bound"),
            ("retention alone", gradient(t, 0.7)[0], "control"),
        ):
            yield ctx.compare(
                "gradient", "printed", g, {"t": t, "lam": 0.7}, f"two classes on a line: {name}",
                bound=slope, tight=None if role == "control" else slope, relation="==", role=role,
            )  # fmt: skip


CHECKS = (Check("safe.eq28", evidence=check, oracle=measure),)

"""(28) of safe: the surrogate risk, whose gradient at w_0 must be the g_t of Algorithm 1."""

from collections.abc import Sequence
from fractions import Fraction
from math import exp, log

from verify.checks import Check, Context, Findings
from verify.safe.toy_problems import FIRST, LEAVING, SECOND, TRAINED, two_classes

_ROUND = two_classes(1)
_LISTS = {"signed": _ROUND.signed, "deleted": list(_ROUND.deleted), "targets": _ROUND.targets}


def measure(
    signed: Sequence[float],
    deleted: Sequence[float],
    targets: Sequence[float],
    w: float,
    lam: float,
) -> float:
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
        removed_samples = LEAVING[s]
        G = (n * G - sum(slope(*item) for item in removed_samples)) / (n - len(removed_samples))
        n -= len(removed_samples)
    now, total = two_classes(t), 0.0
    for x, (a, b) in zip(now.deleted, now.log_q, strict=True):
        f = 1 / (1 + exp(-TRAINED * x))
        total += f * (1 - f) * x * (a - b)
    return G, -lam * total / len(now.deleted)


def check(ctx: Context) -> Findings:
    """The surrogate risk on random samples, and its slope against both parts of g_t."""
    rng = ctx.rng()
    at = "random samples, by probabilities"
    for _ in range(ctx.pick(60, 3000)):
        m, k = (int(x) for x in rng.integers(1, (6, 8)))
        sizes = {"signed": k, "deleted": m, "targets": m}
        inputs = {name: rng.normal(size=size).tolist() for name, size in sizes.items()}
        inputs |= {"w": float(rng.normal()), "lam": float(rng.exponential())}
        yield ctx.compare("literal", "printed", measure(**inputs), inputs, at, tolerance=1e-11)
    swapped = measure(_LISTS["signed"], _LISTS["targets"], _LISTS["deleted"], 1.0, 0.7)
    inputs = {**_LISTS, "w": 1.0, "lam": 0.7}
    at = "the arguments of KL exchanged"
    yield ctx.compare("literal", "printed", swapped, inputs, at, relation="==", role="control")
    form, at = ctx.claim["printed"], "two classes on a line: "
    for t in (1, 2):
        now = two_classes(t)
        lists = {"signed": now.signed, "deleted": list(now.deleted), "targets": now.targets}
        low, high = TRAINED - 2.0**-33, TRAINED + 2.0**-33
        rise = form.exact(**lists, w=high, lam=0.7) - form.exact(**lists, w=low, lam=0.7)
        slope = float(rise) / float(Fraction(high) - Fraction(low))
        both, alone = sum(gradient(t, 0.7)), gradient(t, 0.7)[0]
        options = {"bound": slope, "relation": "=="}
        yield ctx.compare(
            "gradient", "printed", both, {"t": t}, at + "both parts", tight=slope, **options
        )
        yield ctx.compare(
            "gradient", "printed", alone, {"t": t}, at + "retention", role="control", **options
        )


CHECKS = (Check("safe.eq28", check, measure),)

"""Theorem 1's counterexample by enumeration: samples, estimated Gaussians, divergences."""

from typing import Any, Literal

Variant = Literal["ml", "unbiased", "unnormalised"]
Counts = dict[tuple[int, str], int]


def difference(N: int, m: int, lam: float, p: float, variant: Variant = "ml") -> float:
    """|R~_t(w) - R_t(w)| from eqs (10), (24) and (25), at w with f_A(0; w) = p.

    N copies of each pair of a feature in {-1, 0, 1} and a class in {A, B}; m copies of (0, A)
    leave. Covariances over n ("ml") or over n - 1 ("unbiased"); target normalised, except
    "unnormalised" (eq 25 as printed). 30 digits. The retention terms are the same in both risks.
    """
    import mpmath as mp  # type: ignore[import-untyped, unused-ignore]

    with mp.workdps(30):
        before = {(x, y): N for x in (-1, 0, 1) for y in "AB"}
        after = {**before, (0, "A"): N - m}
        f = {"A": mp.mpf(p), "B": 1 - mp.mpf(p)}
        at_zero = {y: mp.mpf(before[0, y]) / (before[0, "A"] + before[0, "B"]) for y in "AB"}
        true = {y: mp.mpf(after[0, y]) / (after[0, "A"] + after[0, "B"]) for y in "AB"}
        shift = {y: _ratio(mp, before, after, y, variant) for y in "AB"}
        target = {y: shift[y] * at_zero[y] for y in "AB"}
        if variant != "unnormalised":
            total = sum(target.values())
            target = {y: value / total for y, value in target.items()}
        return float(lam * abs(_kl(mp, f, target) - _kl(mp, f, true)))


def _ratio(mp: Any, before: Counts, after: Counts, y: str, variant: Variant) -> Any:
    """q^{(y)}(0) of eq (24): label ratio times the quotient of two estimated normal densities."""
    n0, nt = (sum(c for (_, k), c in counts.items() if k == y) for counts in (before, after))
    densities = [_normal_at_zero(mp, counts, y, variant) for counts in (after, before)]
    label = mp.mpf(nt) / n0 * sum(before.values()) / sum(after.values())
    return label * densities[0] / densities[1]


def _normal_at_zero(mp: Any, counts: Counts, y: str, variant: Variant) -> Any:
    mine = {x: c for (x, k), c in counts.items() if k == y}
    n = sum(mine.values())
    mean = mp.mpf(sum(x * c for x, c in mine.items())) / n
    scatter = sum(c * (x - mean) ** 2 for x, c in mine.items())
    var = scatter / (n - 1 if variant == "unbiased" else n)
    return mp.exp(-(mean**2) / (2 * var)) / mp.sqrt(var)


def _kl(mp: Any, f: dict[str, Any], target: dict[str, Any]) -> Any:
    return sum(f[y] * mp.log(f[y] / target[y]) for y in f if f[y] > 0)

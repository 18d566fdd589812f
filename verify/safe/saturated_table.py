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
        # Saturated models have the counted shares at x = 0, before and after.
        at_zero = _shares_at_zero(mp, before)
        true = _shares_at_zero(mp, after)
        shift = {y: _ratio(mp, before, after, y, variant) for y in "AB"}
        target = {y: shift[y] * at_zero[y] for y in "AB"}
        if variant != "unnormalised":
            total = sum(target.values())
            target = {y: value / total for y, value in target.items()}
        return float(lam * abs(_kl(mp, f, target) - _kl(mp, f, true)))


def _shares_at_zero(mp: Any, counts: Counts) -> dict[str, Any]:
    """Shares of the classes among the samples at x = 0."""
    total = counts[0, "A"] + counts[0, "B"]
    return {y: mp.mpf(counts[0, y]) / total for y in "AB"}


def _ratio(mp: Any, before: Counts, after: Counts, y: str, variant: Variant) -> Any:
    """q^{(y)}(0) of eq (24): label ratio times the quotient of two estimated normal densities."""
    n0 = _of_class(before, y)
    nt = _of_class(after, y)
    label = mp.mpf(nt) / n0 * sum(before.values()) / sum(after.values())
    density_t = _normal_at_zero(mp, after, y, variant)
    density_0 = _normal_at_zero(mp, before, y, variant)
    return label * density_t / density_0


def _of_class(counts: Counts, y: str) -> int:
    """Samples of a class."""
    return sum(count for (_, label), count in counts.items() if label == y)


def _normal_at_zero(mp: Any, counts: Counts, y: str, variant: Variant) -> Any:
    """The estimated normal density of a class at x = 0, but for a factor common to all."""
    mine = {x: c for (x, k), c in counts.items() if k == y}
    n = sum(mine.values())
    mean = mp.mpf(sum(x * c for x, c in mine.items())) / n
    scatter = sum(c * (x - mean) ** 2 for x, c in mine.items())
    var = scatter / (n - 1 if variant == "unbiased" else n)
    return mp.exp(-(mean**2) / (2 * var)) / mp.sqrt(var)


def _kl(mp: Any, f: dict[str, Any], target: dict[str, Any]) -> Any:
    """KL(f || target)."""
    return sum(f[y] * mp.log(f[y] / target[y]) for y in f if f[y] > 0)

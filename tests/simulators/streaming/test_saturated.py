"""The counterexample to safe Theorem 1, counted from rows, against its closed form."""

import math

import mpmath
import pytest

from simulators.streaming.saturated import SaturatedTable


@pytest.mark.parametrize(
    ("N", "m", "weight", "p", "gap", "oscillation"),
    [
        (100, 1, 1, 0.25, 0.001251005331, 0.005041983955),
        (1000, 1, 1, 0.25, 0.0001250103807, 0.0005004169817),
        (30, 20, 1000, 0.5, 126.1817781, 721.6406462),
    ],
)
def test_values_of_the_specification(N, m, weight, p, gap, oscillation):
    table = SaturatedTable(N, m, weight)
    assert table.gap(p) == pytest.approx(gap, rel=1e-9)
    assert table.gap(p) > 2 * m / (6 * N - m) ** 1.5
    assert table.oscillation() == pytest.approx(oscillation, rel=1e-9)
    for share in (1e-9, 0.1, 0.5, 0.9, 1 - 1e-9):
        assert table.gap(share) <= table.oscillation() * (1 + 1e-12)


@pytest.mark.parametrize(
    ("N", "m", "target", "exact"),
    [
        (3, 1, 0.4559458938, 0.4),
        (100, 50, 0.4320523874, 1 / 3),
        (30, 20, 0.4068575072, 0.25),
    ],
)
def test_targets_and_posteriors(N, m, target, exact):
    table = SaturatedTable(N, m)
    assert table.target()[0] == pytest.approx(target, rel=1e-9)
    assert table.posterior(True)[0] == pytest.approx(exact, rel=1e-14)
    assert table.posterior(False).tolist() == [0.5, 0.5]
    a = (1 - m / (3 * N)) ** 1.5
    assert table.target()[0] == pytest.approx(a / (1 + a), rel=1e-12)


def test_variants_violate_theorem_1_too():
    printed = 2 / 599**1.5
    unbiased = SaturatedTable(100, 1, ddof=1)
    raw = SaturatedTable(100, 1, normalised=False)
    assert unbiased.gap(0.25) == pytest.approx(1.2496e-3, rel=5e-5)
    assert raw.gap(0.25) == pytest.approx(2.084e-3, rel=3e-4)
    assert min(unbiased.gap(0.25), raw.gap(0.25)) > 9 * printed
    # The normaliser is what the oscillation bounds; without it the gap is larger than allowed.
    assert raw.oscillation() == pytest.approx(SaturatedTable(100, 1).oscillation(), rel=1e-9)
    assert SaturatedTable(30, 20, normalised=False).gap(1e-6) > 0
    assert unbiased.gap(0.9) <= unbiased.oscillation()


@pytest.mark.parametrize(("N", "m"), [(2, 1), (100, 1), (30, 20), (1000, 999)])
@pytest.mark.parametrize("ddof", [0, 1])
@pytest.mark.parametrize("normalised", [True, False])
def test_closed_forms_of_the_variants(N, m, ddof, normalised):
    with mpmath.workdps(40):
        left = mpmath.mpf(3 * N - m)
        odds = left / (3 * N) * mpmath.sqrt((left - ddof) / (3 * N - ddof))
        share = mpmath.mpf(6 * N) / (6 * N - m) / 2
        target = [share * odds, share]
        if normalised:
            target = [t / sum(target) for t in target]
        true = [mpmath.mpf(N - m) / (2 * N - m), mpmath.mpf(N) / (2 * N - m)]
        p = [mpmath.mpf("0.375"), mpmath.mpf("0.625")]
        apart = sum(a * mpmath.log(f / t) for a, f, t in zip(p, true, target, strict=True))
    table = SaturatedTable(N, m, 3.0, ddof, normalised)
    assert table.target() == pytest.approx([float(t) for t in target], rel=1e-12)
    assert table.gap(0.375) == pytest.approx(3 * abs(float(apart)), rel=1e-9, abs=1e-14)


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: SaturatedTable(1, 1), "copies"),
        (lambda: SaturatedTable(3, 3), "deleted"),
        (lambda: SaturatedTable(3, 1, math.nan), "weight"),
        (lambda: SaturatedTable(3, 1).gap(1.0), "p"),
        (lambda: SaturatedTable(3, 1, ddof=2), "ddof"),
        (lambda: SaturatedTable(3, 1, normalised=0), "normalised"),
        (lambda: SaturatedTable(3, 1).posterior("x"), "deleted"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=f"^{name} must be "):
        call()

"""The counterexample to safe Theorem 1, counted from rows, against its closed form."""

import math

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


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: SaturatedTable(1, 1), "copies"),
        (lambda: SaturatedTable(3, 3), "deleted"),
        (lambda: SaturatedTable(3, 1, math.nan), "weight"),
        (lambda: SaturatedTable(3, 1).gap(1.0), "p"),
    ],
)
def test_bad_input_is_named(call, name):
    with pytest.raises(ValueError, match=f"^{name} must be "):
        call()

"""How near an instance comes to bounds that once had none near them, and the instances' regrets."""

from fractions import Fraction

import pytest

from verify import runner
from verify.olu import alternating_means
from verify.power import powers

# Claim, verdict, and a factor on the bound below which the check fails.
FLOORS = [
    ("olu.intro", "literal.corrected", 0.6),
    ("olu.cor7", "literal.corrected", 0.3),
    ("olu.thm4", "path.corrected", 0.8),
    ("olu.thm6.shift", "repaired.printed", 0.24),
    ("olu.thm6.regret", "explicit.tight", 0.7),
    ("safe.lem1.d", "literal.corrected", 0.0117),
    ("hf.alg1.noise", "literal.corrected", 0.97),
    ("hf.alg1.noise.std", "literal.corrected", 0.97),
]


@pytest.mark.parametrize(("id", "key", "floor"), FLOORS, ids=[f"{i} {k}" for i, k, _ in FLOORS])
def test_a_smaller_bound_would_be_refuted(id, key, floor):
    (found,) = [p for p in powers(runner.run([id])) if p.key == key]
    assert found.lowest >= floor


@pytest.mark.parametrize("h", [Fraction(1, 10), Fraction(1, 2)])
def test_alternating_parabolas_by_fractions(h):
    z, points, total, T = Fraction(0), [], Fraction(0), 60
    for t in range(1, T + 1):
        x = -1 if z > 0 else 1
        points.append(x)
        total += (z - x) ** 2 / 2
        z = min(h, max(-h, z - (z - x) / t))
    best = min(h, max(-h, Fraction(sum(points), T)))
    total -= sum((best - x) ** 2 for x in points) / Fraction(2)
    assert alternating_means.regret(T, float(h)) == pytest.approx(float(total), rel=1e-12)
    assert all(abs(best - x) <= 1 + h for x in points)

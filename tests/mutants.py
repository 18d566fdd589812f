"""Deliberate errors in the shipped source, each of which must turn some test or verdict red.

    python tests/mutants.py [NAME ...] [--list]

Every mutant is one replacement in a copy of the source. What should notice it (a claim's check,
compared with its expected verdict, or a test file) is run on the copy and must fail. Prints a
table and exits 1 if a mutant survives.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("accounting", "bounds", "simulators", "verify", "forgetproof")


@dataclass(frozen=True)
class Mutant:
    """One error: where, what becomes what, and the claims or test files that must notice."""

    name: str
    file: str
    old: str
    new: str
    killers: tuple[str, ...]


MUTANTS = (
    Mutant(
        "Rényi divergence of a Gaussian: factor 2",
        "accounting/gaussian.py",
        "value = (a / 2 * m) * m",
        "value = (a * m) * m",
        ("tests/accounting/test_gaussian.py",),
    ),
    Mutant(
        "Gaussian profile: epsilon/mu + mu/2 for epsilon/mu - mu/2",
        "accounting/_mills.py",
        "x, y = 2 * e, -square",
        "x, y = 2 * e, square",
        ("tests/accounting/test_gaussian.py",),
    ),
    Mutant(
        "Gaussian profile: the compensated quotient loses its tail",
        "accounting/_mills.py",
        "quotient = (head + tail) / (2 * m)",
        "quotient = (head - tail) / (2 * m)",
        ("tests/accounting/test_gaussian.py",),
    ),
    Mutant(
        "composition adds mu instead of its squares",
        "accounting/gaussian.py",
        "total = np.hypot(total, values)",
        "total = total + values",
        ("tests/accounting/test_gaussian.py",),
    ),
    Mutant(
        "Mironov's conversion without its factor 2",
        "accounting/linear_renyi.py",
        "(r + 2 * np.sqrt(r) * np.sqrt(log))",
        "(r + np.sqrt(r) * np.sqrt(log))",
        ("tests/accounting/test_renyi.py",),
    ),
    Mutant(
        "weak-triangle conversion: B = 2 epsilon + 4 log(1/delta)",
        "accounting/linear_renyi.py",
        "b, x = 3 * (e / size) + 4",
        "b, x = 2 * (e / size) + 4",
        ("sglu.table3",),
    ),
    Mutant(
        "G_c(N) with stride 1: c^i for c^{2i}",
        "accounting/closed_forms.py",
        "return ratio(g, np.asarray(2.0), n)[()]",
        "return ratio(g, np.asarray(1.0), n)[()]",
        ("sglu.lem3.4",),
    ),
    Mutant(
        "distance after learning: 1 - c for 1 - c^J",
        "accounting/_forms.py",
        "* ratio(g, j, t)",
        "* ratio(g, np.asarray(1.0), t)",
        ("sglu.lem3.5", "sglu.x"),
    ),
    Mutant(
        "target T + K: noise counted from the first batch, not from j0",
        "accounting/closed_forms.py",
        "s, (t + k) * j - p)[()]",
        "s, (t + k) * j)[()]",
        ("sglu.x3.ii",),
    ),
    Mutant(
        "stationary target: one batch too many contracted",
        "accounting/closed_forms.py",
        "return segment_mu(z, g, k * j, s, np.asarray(math.inf))[()]",
        "return segment_mu(z, g, k * j + 1, s, np.asarray(math.inf))[()]",
        ("sglu.x",),
    ),
    Mutant(
        "step noise: variance eta sigma^2 for 2 eta sigma^2",
        "accounting/noisy_sgd.py",
        "return math.sqrt(float(2 * self._step))",
        "return math.sqrt(float(self._step))",
        ("tests/accounting/test_langevin.py",),
    ),
    Mutant(
        "kick: one gradient's bound M for the difference 2M",
        "accounting/noisy_sgd.py",
        "return float(2 * self._step * Fraction",
        "return float(self._step * Fraction",
        ("tests/accounting/test_langevin.py",),
    ),
    Mutant(
        "sequences: the distance is not updated between requests",
        "accounting/sequences.py",
        "left = distance * _shrink(x, k)",
        "left = 0.0",
        ("sglu.alg6",),
    ),
    Mutant(
        "sequences: K + 1 epochs contract for K",
        "accounting/sequences.py",
        "exponent = epochs * setting.batches * math.log1p(-setting.gap)",
        "exponent = (epochs + 1) * setting.batches * math.log1p(-setting.gap)",
        ("sglu.alg6",),
    ),
    Mutant(
        "Lemma 3.4, printed: c^{2K-2} for c^{2K}",
        "bounds/sglu/lemma_3_4.py",
        "np.where(c < 1, c ** (2 * K), 1 / K)",
        "np.where(c < 1, c ** (2 * K - 2), 1 / K)",
        ("tests/bounds/test_forms.py",),
    ),
    Mutant(
        "Lemma 3.4, tight: without the half",
        "bounds/sglu/lemma_3_4.py",
        "return alpha * Z**2 / (2 * s2) * c ** (2 * K) / geometric_sum(c, K)",
        "return alpha * Z**2 / s2 * c ** (2 * K) / geometric_sum(c, K)",
        ("sglu.lem3.4",),
    ),
    Mutant(
        "Lemma 3.6: T for T J",
        "bounds/sglu/lemma_3_6.py",
        "W-infinity of the law after T epochs to the stationary law is at most this value.\n\n"
        "    Source: sglu, Lemma 3.6 and (62)-(65). Holds and is tight.\n"
        '    """\n    return c ** (T * J) * W0',
        "W-infinity of the law after T epochs to the stationary law is at most this value.\n\n"
        "    Source: sglu, Lemma 3.6 and (62)-(65). Holds and is tight.\n"
        '    """\n    return c**T * W0',
        ("sglu.lem3.6",),
    ),
    Mutant(
        "Theorem 3.11: K_s + 1 epochs contract",
        "bounds/sglu/theorem_3_11.py",
        "Source: sglu, Theorem 3.11. Holds and is tight (R inactive).\n"
        '    """\n    return np.minimum(c ** (K_s * J) * Z_s + Z, 2 * R)',
        "Source: sglu, Theorem 3.11. Holds and is tight (R inactive).\n"
        '    """\n    return np.minimum(c ** ((K_s + 1) * J) * Z_s + Z, 2 * R)',
        ("sglu.thm3.11",),
    ),
    Mutant(
        "Definition 2.1: the sign of the variance term",
        "bounds/sglu/definition_2_1.py",
        "relative = (1 - a) * np.log(v0 / v1) - np.log(safe / v1)",
        "relative = np.log(safe / v1) - (1 - a) * np.log(v0 / v1)",
        ("sglu.def2.1",),
    ),
    Mutant(
        "ladder: 1 - c for 1 - c^2 in the exact noise",
        "bounds/sglu/ladder.py",
        "return distance * np.sqrt((1 - c**2) / (2 * eta)) / mu_gdp(epsilon, delta)",
        "return distance * np.sqrt((1 - c) / (2 * eta)) / mu_gdp(epsilon, delta)",
        ("sglu.table3",),
    ),
    Mutant(
        "ladder: the shift q = eta M / b",
        "bounds/sglu/ladder.py",
        "return 2 * eta * M / b * np.exp(K * J * log_c)",
        "return eta * M / b * np.exp(K * J * log_c)",
        ("sglu.table3",),
    ),
    Mutant(
        "saved epochs: log(R/Z) for log(2R/Z)",
        "bounds/sglu/claim_retrain.py",
        "return np.log(2 * R / distance(eta, m, M, b, J))",
        "return np.log(R / distance(eta, m, M, b, J))",
        ("sglu.claim.retrain",),
    ),
    Mutant(
        "Theorem 3.2, tight: R for the diameter 2R",
        "bounds/sglu/theorem_3_2.py",
        "start = np.where(T > K, np.maximum(2 * R, q), 2 * R)",
        "start = np.where(T > K, np.maximum(R, q), R)",
        ("sglu.thm3.2",),
    ),
    Mutant(
        "Theorem 3.2, corrected: the second distance contracted twice",
        "bounds/sglu/theorem_3_2.py",
        "np.minimum(far + apart, 2 * R) * contracted(eta, m, K * J)",
        "np.minimum(far + apart, 2 * R) * contracted(eta, m, 2 * K * J)",
        ("tests/bounds/test_forms.py",),
    ),
    Mutant(
        "Corollary 3.8, corrected: variance 4 eta sigma^2",
        "bounds/sglu/corollary_3_8.py",
        "variance = 2 * eta * sigma**2 * spread(eta, m, K * J)",
        "variance = 4 * eta * sigma**2 * spread(eta, m, K * J)",
        ("sglu.cor3.8",),
    ),
    Mutant(
        "Corollary 3.8, tight: the first batch for the last",
        "bounds/sglu/corollary_3_8.py",
        "return alpha * stationary_mu(eta, m, M, sigma, R, b, J, K, J - 1) ** 2 / 2",
        "return alpha * stationary_mu(eta, m, M, sigma, R, b, J, K, 0 * J) ** 2 / 2",
        ("sglu.cor3.8",),
    ),
    Mutant(
        "Corollary 3.9, corrected: exponent alpha^2/2 for alpha (alpha - 1)/2",
        "bounds/sglu/corollary_3_9.py",
        "scale = alpha * (alpha - 1) / 2",
        "scale = alpha * alpha / 2",
        ("sglu.cor3.9",),
    ),
    Mutant(
        "Corollary 3.9: summed over positions without their weight",
        "bounds/sglu/corollary_3_9.py",
        "large = top + np.log(np.sum(np.exp(below), axis=-1) / count)",
        "large = top + np.log(np.sum(np.exp(below), axis=-1))",
        ("tests/bounds/test_forms.py",),
    ),
    Mutant(
        "Corollary 3.10, printed: R for 2R",
        "bounds/sglu/corollary_3_10.py",
        "return np.asarray(alpha * np.minimum(grown, 2 * R) ** 2",
        "return np.asarray(alpha * np.minimum(grown, R) ** 2",
        ("sglu.cor3.10",),
    ),
    Mutant(
        "Corollary 3.10, corrected: a diameter of 1.9 R",
        "bounds/sglu/corollary_3_10.py",
        "diameter = np.minimum(2 * R, 1e150)",
        "diameter = np.minimum(1.9 * R, 1e150)",
        ("sglu.cor3.10",),
    ),
    Mutant(
        "Corollary 3.12, corrected: every batch counts one point",
        "bounds/sglu/corollary_3_12.py",
        "size * learned_distance(eta, m, M, b, J, T, np.asarray(float(j)))",
        "learned_distance(eta, m, M, b, J, T, np.asarray(float(j)))",
        ("sglu.cor3.12",),
    ),
    Mutant(
        "Theorem X3 (iv): T for T - K kicks",
        "bounds/sglu/theorem_x3.py",
        "later = learned_distance(eta, m, M, b, J, np.maximum(T - K, 0), j0)",
        "later = learned_distance(eta, m, M, b, J, T, j0)",
        ("sglu.x3.iv",),
    ),
    Mutant(
        "Theorem X3 (iv): both runs 2R apart at K = 0",
        "bounds/sglu/theorem_x3.py",
        "return pabi_mu(c, shifts, s, z if K >= 1 else 0.0, z)",
        "return pabi_mu(c, shifts, s, z, z)",
        ("sglu.x3.iv",),
    ),
    Mutant(
        "Theorem X3 (vii): the last request does not count",
        "bounds/sglu/theorem_x3.py",
        "return np.asarray(mus[-1])",
        "return np.asarray(mus[0])",
        ("sglu.x3.vii",),
    ),
    Mutant(
        "Theorem X3 (viii): noise counted from the first replaced batch",
        "accounting/closed_forms.py",
        "return segment_mu(total, g, k * j, s, (t + k) * j - max(hits))[()]",
        "return segment_mu(total, g, k * j, s, (t + k) * j - min(hits))[()]",
        ("sglu.x3.viii",),
    ),
    Mutant(
        "Theorem L.1, tight: the retrained model sits at the optimum",
        "bounds/sglu/theorem_l_1.py",
        "both = -np.expm1(I * log_gamma(L, m)) + 1",
        "both = 1",
        ("sglu.thml.1",),
    ),
    Mutant(
        "Theorem M.1: twice the rate",
        "bounds/sglu/theorem_m_1.py",
        "return np.exp(-2 * sigma**2 * eta * K / (alpha * C)) * eps0",
        "return np.exp(-4 * sigma**2 * eta * K / (alpha * C)) * eps0",
        ("sglu.thmm.1",),
    ),
    Mutant(
        "Proposition D.3: order q alpha for q (alpha - 1/p)",
        "bounds/sglu/proposition_d_3.py",
        "return first + (p * alpha - 1) / (p - 1) * y**2 / 2",
        "return first + p * alpha / (p - 1) * y**2 / 2",
        ("sglu.propd.3",),
    ),
    Mutant(
        "Proposition K.2, corrected: log alpha subtracted twice",
        "bounds/sglu/proposition_k_2.py",
        "np.log(alpha * delta) / (alpha - 1), 0.0)",
        "np.log(alpha * alpha * delta) / (alpha - 1), 0.0)",
        ("sglu.propk.2",),
    ),
    Mutant(
        "Algorithm 4, corrected: noise for K + 1 epochs",
        "bounds/sglu/algorithm_4.py",
        "return ladder.printed(epsilon, delta, eta, m, M, b, J, K)",
        "return ladder.printed(epsilon, delta, eta, m, M, b, J, K + 1)",
        ("sglu.alg4",),
    ),
    Mutant(
        "Algorithm 5, printed: returns the K that it tested",
        "bounds/sglu/algorithm_5.py",
        "return np.asarray(_least(Z, extra, extra, epsilon, delta, sigma, eta, m, J) + 1)",
        "return np.asarray(_least(Z, extra, extra, epsilon, delta, sigma, eta, m, J))",
        ("sglu.alg5",),
    ),
    Mutant(
        "Algorithm 5: twice the noise in the budget",
        "bounds/sglu/algorithm_5.py",
        "room = 2 * eta * sigma**2 * rho - lost**2",
        "room = 4 * eta * sigma**2 * rho - lost**2",
        ("sglu.alg5",),
    ),
    Mutant(
        "minorant: slopes pooled without the clock's weights",
        "accounting/_minorant.py",
        "isotonic_regression(dy / dx, weights=dx).blocks",
        "isotonic_regression(dy / dx).blocks",
        ("sglu.x2",),
    ),
    Mutant(
        "minorant: a chord from the start, whatever lies between",
        "accounting/_minorant.py",
        "first = np.asarray(blocks[:-1], dtype=np.int64)",
        "first = np.asarray(blocks[:1], dtype=np.int64)",
        ("sglu.x2",),
    ),
    Mutant(
        "restart: nothing is due at the diameter",
        "accounting/_chain.py",
        "distance = self.diameter if start else self.distance",
        "distance = 0.0 if start else self.distance",
        ("tests/accounting/test_contraction.py",),
    ),
    Mutant(
        "random position: the middle position for the average",
        "accounting/random_position.py",
        "mean = np.log(np.mean(np.exp(logs - shift[..., None]), axis=-1)) + shift",
        "mean = np.log(np.median(np.exp(logs - shift[..., None]), axis=-1)) + shift",
        ("tests/accounting/test_langevin.py",),
    ),
    Mutant(
        "random position: all positions taken as the first",
        "accounting/random_position.py",
        "positions = np.arange(j)",
        "positions = np.zeros(j, dtype=np.int64)",
        ("tests/accounting/test_langevin.py",),
    ),
    Mutant(
        "mixture oracle: K steps contract for K epochs",
        "simulators/exact/mixture.py",
        "remaining = (old - new) * rate ** (epochs * total)",
        "remaining = (old - new) * rate**epochs",
        ("sglu.cor3.9",),
    ),
    Mutant(
        "simulator: half the noise",
        "simulators/engine.py",
        "player.state.add_(draw, alpha=noise)",
        "player.state.add_(draw, alpha=noise / 2)",
        ("sglu.alg1", "tests/simulators/test_against_exact_laws.py"),
    ),
)


def survives(mutant: Mutant) -> tuple[bool, float]:
    """Whether something that should notice the mutant passes, and the seconds it took."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in (*PACKAGES, "tests"):
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("pyproject.toml", "README.md", "conftest.py"):
            if (ROOT / name).exists():
                shutil.copy(ROOT / name, copy / name)
        target = copy / mutant.file
        target.write_text(target.read_text("utf-8").replace(mutant.old, mutant.new), "utf-8")
        passed = any(_passes(killer, copy) for killer in mutant.killers)
    return passed, time.perf_counter() - start


def _passes(killer: str, folder: Path) -> bool:
    """Runs a test file, or a claim's check, on the copy; exit code 1 is what a red result gives."""
    if killer.startswith("tests/"):
        command = ["-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", killer]
    else:
        command = ["-m", "forgetproof", "verify", killer, "--out", str(folder / "out")]
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
    found = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True
    )
    if found.returncode not in (0, 1):
        raise RuntimeError(f"{killer} could not be run:\n{found.stdout}\n{found.stderr}")
    return found.returncode == 0


def stale() -> list[str]:
    """Names of mutants whose text no longer stands exactly once in its file."""
    return [m.name for m in MUTANTS if (ROOT / m.file).read_text("utf-8").count(m.old) != 1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", help="parts of names of mutants to run (all if none)")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    options = parser.parse_args()
    chosen = [m for m in MUTANTS if not options.names or any(n in m.name for n in options.names)]
    if options.list:
        print("\n".join(m.name for m in chosen))
        return 0
    if out_of_date := stale():
        print("these mutants no longer apply: " + "; ".join(out_of_date))
        return 1
    alive = 0
    for mutant in chosen:
        passed, seconds = survives(mutant)
        alive += passed
        print(f"{'SURVIVED' if passed else 'killed':<9}{seconds:6.1f} s  {mutant.name}", flush=True)
    print(f"{len(chosen) - alive} of {len(chosen)} killed")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())

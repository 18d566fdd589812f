"""Theorem 5 of olu: no constant step size does what it says; what the best one does.

Refuted twice.  (1) Every step size: alternating linear losses with pairs of opposite slopes at the
end of each block.  Short steps pay 1/(2 eta) for each of k crossings of K = [0, 1], long ones
eta for each of kP pairs, so that the regret is at least k sqrt(2 P) (`least_over_steps`).
The same with quadratic growth at T as well (`closing_thirds`).
(2) The step size of the proof: one deletion, one comparator, and an exact expected regret.
"""

import math
from fractions import Fraction

import numpy as np
from scipy.special import ndtr

from verify.checks import Check, Context, Findings, case_table
from verify.olu.alternating import blocks
from verify.olu.closing_thirds import ClosingThirds
from verify.olu.huber_runs import batches

HUGE = 1e24


def least_over_steps(n: int, k: int, pairs: int) -> float:
    """What the regret on `blocks(n, k, pairs)` is at least, for every constant step size.

    eta < 1/(2n): a block down and the next up cost n together at least. 1/(2n) <= eta <= 1: blocks
    2..k cross K, and so does the last half block if eta >= 1/n, at 1/(2 eta) each; every pair then
    starts at an end and costs eta. eta > 1: every pair costs 1.
    """
    return min(float(n * ((k - 1) // 2)), k * math.sqrt(2 * pairs), float(k * pairs))


def proof_step(T: float, k: float, d: float, epsilon: float, L: float, D: float) -> float:
    """The step size of the proof of Theorem 5 (omega = 1.2)."""
    w = 1.2
    noise = w * k ** (w + 1) * L**2 * d / (2 * (w**2 - 1) * epsilon)
    return float(np.sqrt(2 * D**2 / (T * (L**2 + noise))))


def positive_part(a: np.ndarray, sigma: float) -> np.ndarray:
    """E (a - sigma Z)+ for Z ~ N(0, 1)."""
    x = a / sigma
    return np.asarray(a * ndtr(x) + sigma * np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi))


def expected_regret(eta: float, sigma: float, T: int, tau: int, L: float, D: float) -> float:
    """Exact: f_t = L (D - z) on [0, D] from 0, noise sigma N(0, 1) before the projection at tau."""
    t = np.arange(tau - 1)
    early = np.maximum(D - t * eta * L, 0).sum()
    start = min((tau - 2) * eta * L, D) + eta * L  # where the step of round tau - 1 leads
    margins = D - np.arange(T - tau + 1) * eta * L
    # (a - clip(y, 0, D))+ = (a - y)+ - (-y)+ for 0 <= a <= D
    late = positive_part(margins - start, sigma) - positive_part(
        np.full_like(margins, -start), sigma
    )
    return float(L * (early + np.sum(np.where(margins > 0, late, 0.0))))


def under_requests(k: int, epsilon: float, L: float, D: float) -> tuple[float, int]:
    """Exact expected regret with eta* on f_t = L (D - z) from 0, and the T it needs.

    k deletions with the least noise, each as soon as the iterate is back at D for sure. A shift
    down by y <= D costs L sum_j (y - j eta L)+.
    """
    N = 1.0
    for _ in range(200):  # rounds from 0 to D, N = D/(eta L) with T = (k + 1)(N + 2)
        N = float(np.sqrt((k + 1) * (np.ceil(N) + 2) + k**2 / (2 * epsilon)))
    step = D / N
    T = (k + 1) * (int(np.ceil(N)) + 2)
    settled = np.sqrt(T + k**2 / (2 * epsilon))
    if not abs(settled - N) <= 1e-9 * N:
        raise ValueError(f"epsilon must let the number of rounds settle, got {epsilon}")
    down = np.arange(0.0, D, step)
    total = np.sum(D - down)
    for i in range(1, k + 1):
        sigma = step * np.sqrt((2 * i - 1) / (2 * epsilon))
        # noise of step tau - 1 starts from D + eta L, which the projection has not cut yet
        lost = positive_part(-down - step, sigma) - positive_part(np.array([-D - step]), sigma)
        total += np.sum(lost)
    return float(L * total), T


def measure(
    epsilon: float, T: float, k: float, d: float, L: float, D: float, tau: float = 50
) -> float:
    """Exact expected regret on f_t = L (D - z) with the proof's step and the paper's noise."""
    eta = proof_step(T, k, d, epsilon, L, D)
    sigma = eta * L * np.sqrt(1.2 / (2 * 0.2 * epsilon))
    return expected_regret(eta, float(sigma), int(T), int(tau), L, D)


def check(ctx: Context) -> Findings:
    """Regret of every constant step size on alternating losses with pairs, and around the best.

    Linear losses with a deletion whenever the iterate is back at D for the corrected form.
    """
    n, k, pairs = 6000, 6, 12_000
    stream = blocks(n, k, pairs)
    best = float(np.sqrt(1 / (2 * pairs)))
    inputs = {**stream.inputs(HUGE), "kappa": stream.growth()}
    lost = stream.lost_to_noise(1.0, HUGE)
    lhs = least_over_steps(n, k, pairs) - lost
    more = {"tight": np.nan, "script": "thm5"}
    words = "every constant step size, on alternating linear losses with pairs"
    yield ctx.compare("literal", "printed", lhs, inputs, words, **more)
    regret = min(stream.regret(best * factor) for factor in (0.5, 1.0, 2.0)) - lost
    words = "step sizes around the best, simulated"
    yield ctx.compare("literal", "printed", regret, inputs, words, **more)
    yield from every(ctx)
    (fixed,) = case_table("T k d L D epsilon kappa", (100, 1, 1, 1.0, 1e4, 1e-6, 2e-4))
    regret = measure(**{name: value for name, value in fixed.items() if name != "kappa"})
    words = "f_t = D - z, one deletion at 50"
    more = {"tight": np.nan, "script": "thm5_step"}
    yield ctx.compare("proof", "printed", regret, fixed, words, **more)
    words = "f_t = L (D - z), a deletion whenever the iterate is back at D"
    for k, epsilon in ((1, 1e-4), (4, 1e-5), (8, 1e-5)):
        regret, T = under_requests(k, epsilon, 1.5, 2.0)
        case = {"T": T, "k": k, "d": 1, "epsilon": epsilon, "L": 1.5, "D": 2.0, "P": 0.0}
        yield ctx.compare("path", "corrected", regret, case, words)
    yield from random_runs(ctx)


def random_runs(ctx: Context) -> Findings:
    """Expected regret on random Huber losses with eta* and the least noise."""
    for runs, epsilon, words in batches(ctx):
        stars = runs.comparators()
        D = runs.diameter
        L = runs.lipschitz
        P = np.abs(np.diff(stars, axis=0)).sum(axis=0)
        T = runs.rounds
        k = len(runs.indices)
        eta = np.sqrt(D * (D + 2 * P)) / (L * np.sqrt(T + k**2 / (2 * epsilon)))
        played = runs.play(np.broadcast_to(eta, (T, D.size)), epsilon, "least", 1.2)
        case = {"T": T, "k": k, "d": 1, "epsilon": epsilon, "L": L, "D": D, "P": P}
        yield ctx.compare("path", "corrected", played.regret(stars), case, words)


def every(ctx: Context) -> Findings:
    """Every constant step size where the growth is asked for at T too."""
    stream = ClosingThirds(m=12, main=9, pairs=3**12 // 2)
    ends, lost = stream.ends(), stream.lost_to_noise(HUGE)
    (inputs,) = case_table("T k d epsilon L D", (ends[-1], len(ends) - 1, 1, HUGE, 1.0, 1.0))
    inputs["kappa"], more = float(stream.growth()), {"tight": np.nan, "script": "thm5_every"}
    best = min(float(stream.regret(Fraction(1, n))) for n in (360, 719, 1440))
    for regret, words in (
        (stream.least_over_steps(), "every constant step size, closed by thirds, with pairs"),
        (best, "step sizes around the best, exact"),
    ):
        yield ctx.compare("every", "printed", regret - lost, inputs, words, **more)


CHECKS = (
    Check(
        "olu.thm5",
        evidence=check,
        exact_side=measure,
        far=(
            "counts a way from the start of the whole diameter: a run starts in the "
            "middle of the ball"
        ),
    )
    .measured_by(
        "online",
        "best_step_regret",
        symbols={"kappa": "growth of prefixes"},  # unknown, and not in the form
        interpretations=("path",),
        where=("step D/(L sqrt T)", "least noise"),
    )
    .beside("Huber loss of both labels by turns, the last request"),
)

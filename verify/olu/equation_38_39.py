"""(38) and (39) of olu: steps that the projection cuts short, and the sum with its noise."""

import numpy as np

from verify.checks import Check, Context, Findings, case_table
from verify.olu.equation_23_25 import random_steps
from verify.olu.huber_runs import batches
from verify.olu.theorem_5 import expected_regret, measure, proof_step

CUT = "a step that the projection cuts short"


def check_step(ctx: Context) -> Findings:
    (one,) = case_table("z z_next star g xi eta", (0.1, 0.0, 0.5, 1.0, 0.0, 1.0))
    yield from ctx.compare_forms("literal", -0.4, one, CUT, script="eq38_projected")
    yield from random_steps(ctx, "corrected", "inside", "random steps that stay in [0, 1]")


def measure_sum(
    eta: float,
    T: float,
    k: float,
    d: float,
    epsilon: float,
    L: float,
    D: float,
    omega: float = 1.2,
    tau: float = 50,
) -> float:
    """Exact expected regret on f_t = L (D - z) with this step and the paper's noise.

    One deletion on a line, at tau or in the last round: an instance for every k and d.
    """
    sigma = eta * L * np.sqrt(omega / (2 * (omega - 1) * epsilon))
    return expected_regret(eta, float(sigma), int(T), int(min(tau, T)), L, D)


def noise_alone(eta: float, L: float, k: int, epsilon: float, omega: float) -> float:
    """Expected regret of Huber losses of curvature 1/eta at 0, on R, from 0, noise at k times.

    One step from a noise xi with |xi| <= eta L leads back to 0; longer ones come back by eta L a
    round. In all, f over these rounds sums to xi^2/(2 eta), whatever xi is.
    """
    x, w = np.polynomial.hermite_e.hermegauss(9)
    total = 0.0
    for i in range(1, k + 1):
        sigma = np.sqrt(omega * i**omega * (eta * L) ** 2 / (2 * (omega - 1) * epsilon))
        z = np.abs(sigma * x)
        cost = np.zeros_like(z)
        while (z > 0).any():
            near = z <= eta * L
            cost += np.where(near, z**2 / (2 * eta), L * (z - eta * L / 2))
            z = np.where(near, 0.0, z - eta * L)
        total += float(np.sum(w * cost) / w.sum())
    return total


def check_sum(ctx: Context) -> Findings:
    """Regret of linear losses with one deletion; Huber losses that attain the noise term."""
    rng = ctx.rng()
    fixed = {"T": 100, "k": 1, "d": 1, "L": 1.0, "D": 1e4, "epsilon": 1e-6}
    case = {**fixed, "omega": 1.2}
    words = "f_t = D - z, one deletion at 50"
    total = measure(**fixed)
    yield ctx.compare("literal", "printed", total, case, words, tight=np.nan, script="eq39")
    case = {**fixed, "eta": proof_step(**fixed)}
    words = "f_t = D - z, one deletion"
    yield ctx.compare("any", "corrected", total, case, words)
    for _ in range(ctx.pick(40, 1000)):
        T = int(rng.integers(50, 400))
        scales = ((0, 1), (0, 3), (-3, 3), (0, 2))
        L, D, epsilon, eta = (float(np.exp(rng.normal(*scale))) for scale in scales)
        case = {"T": T, "k": 1, "d": 1, "L": L, "D": D, "epsilon": epsilon, "eta": eta}
        yield ctx.compare("any", "corrected", measure_sum(**case), case, "f_t = L (D - z)")
    words = "Huber losses of curvature 1/eta attain the noise term"
    for k in (1, 2, 5):
        eta, L, epsilon, omega = 0.3, 1.7, 0.4, 1.2 + 0.1 * k
        only = {"T": 1, "k": k, "d": 1, "epsilon": epsilon, "L": L, "D": 1.0, "eta": eta}
        rest = 1 / (2 * eta) + eta * L**2 / 2  # D^2/(2 eta) and the gradients of one round
        total = noise_alone(eta, L, k, epsilon, omega) + rest
        only = {**only, "omega": omega}
        yield ctx.compare("any", "corrected", total, only, words, relation="==")
    yield from random_runs(ctx)


def random_runs(ctx: Context) -> Findings:
    """Expected regret on random Huber losses with any constant step and the paper's noise."""
    rng = ctx.rng(2)
    for runs, epsilon, words in batches(ctx, 1):
        D = runs.diameter
        L = runs.lipschitz
        T = runs.rounds
        k = len(runs.indices)
        eta = np.exp(rng.normal(size=D.size)) * D / L / T**0.5
        played = runs.play(np.broadcast_to(eta, (T, D.size)), epsilon, "paper", 1.2)
        still = np.broadcast_to(runs.comparators()[0], (k + 1, D.size))
        case = {"T": T, "k": k, "d": 1, "epsilon": epsilon, "L": L, "D": D, "eta": eta}
        yield ctx.compare("any", "corrected", played.regret(still), case, words)


CHECKS = (
    Check("olu.eq38", evidence=check_step),
    Check(
        "olu.eq39",
        evidence=check_sum,
        exact_side=measure_sum,
        far=(
            "counts a way from the start of the whole diameter: a run starts in the "
            "middle of the ball"
        ),
    )
    .measured_by(
        "online",
        "paper_noise_fixed_regret",
        interpretations=("any",),
        where=("step D/(L sqrt T)", "passive"),
    )
    .beside("Huber loss of both labels by turns, the last request"),
)

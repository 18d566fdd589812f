"""(33) and (34) of olu: quadratics, and one deletion."""

from typing import Any

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def measure_self(D: float, beta: float, X: float) -> float:
    """(3D/2) |f'| for (beta/2) z^2 where its value is X."""
    z = np.sqrt(2 * X / beta)
    return float(1.5 * D * abs(beta * z))


def check_self(ctx: Context) -> Findings:
    """Gradient sums of quadratics, which attain the bound, and of Huber losses."""
    for rng in ctx.draws(100, 2000, block=1):
        beta, D = np.exp(rng.normal(size=2)).tolist()
        z = rng.normal(size=int(rng.integers(1, 20)))
        inputs = {"D": D, "beta": beta, "X": float(np.sum(beta * z**2 / 2))}
        lhs = 1.5 * D * np.sqrt(np.sum((beta * z) ** 2))
        words = "quadratics attain it"
        yield ctx.compare("literal", "corrected", lhs, inputs, words, relation="==")
        huber = beta * np.where(np.abs(z) < 1, z**2 / 2, np.abs(z) - 0.5)
        lhs = 1.5 * D * np.sqrt(np.sum((beta * np.clip(z, -1, 1)) ** 2))
        inputs = {"D": D, "beta": beta, "X": float(huber.sum())}
        yield ctx.compare("literal", "corrected", lhs, inputs, "Huber losses")


def noise_term(
    p_tau: Any, p_u: Any, D: float, L: float, d: float, epsilon: float, omega: float
) -> float:
    """sum d sigma_i^2/(2 eta_{tau_i - 1}) from the definitions, where p_tau = p(tau_i - 1)."""
    i = np.arange(1, np.size(p_u) + 1)
    sigma = np.sqrt(i**omega * omega / (2 * (omega - 1) * epsilon)) * L * D / np.sqrt(p_u)
    return float(np.sum(d * sigma**2 / (2 * D / np.sqrt(p_tau))))


def check_noise(ctx: Context) -> Findings:
    """E B from the definitions, one deletion and random sums, also with p(tau_i) larger."""
    (one,) = case_table("p_tau p_u D L d epsilon omega", ([4.0], [4.0], 1.0, 1.0, 1.0, 1.0, 1.5))
    lhs = noise_term(**one)
    yield ctx.compare("literal", "printed", lhs, one, "one deletion", script="eq34_one")
    yield ctx.compare("literal", "corrected", lhs, one, "one deletion", relation="==")
    for rng in ctx.draws(60, 2000):
        k = int(rng.integers(1, 12))
        p_u = np.exp(rng.normal(2, 1, size=k))
        D, L, epsilon = np.exp(rng.normal(size=3)).tolist()
        p_tau = np.sort(p_u.max() + np.exp(rng.normal(2, 1, size=k)))
        omega = 1 + np.exp(rng.normal(-1, 0.7))
        inputs = {"p_tau": p_tau, "p_u": p_u, "D": D, "L": L, "d": 3.0, "epsilon": epsilon}
        inputs["omega"] = float(omega)
        lhs = noise_term(**inputs)
        yield ctx.compare("literal", "tight", lhs, inputs, "random sums", relation="==")
        later = {**inputs, "p_tau": p_tau + np.cumsum(rng.exponential(size=k))}
        words = "p(tau_i) above p(tau_i - 1)"
        yield ctx.compare("literal", "tight", lhs, later, words)
        yield ctx.compare("literal", "corrected", lhs, later, words)


ONE = Instances(
    "one quadratic",
    case_table("D beta X", (1.0, 3.0, 0.735)),
    relations={"corrected": "=="},
    script="eq33_quadratic",
)
CHECKS = (
    Check("olu.eq33", check_self, measure_self, (ONE,)).measured_by(
        "online", "root_of_squares", where=("losses at least 0", "bounded")
    ),
    Check("olu.eq34", evidence=check_noise).measured_by(
        "online", "adaptive_noise_part", where=("adaptive steps",)
    ),
)

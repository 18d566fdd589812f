"""(23) and (25) of olu: random steps, and sums of steps over arbitrary positions."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table


def random_steps(ctx: Context, form: str, about: str, inside_words: str) -> Findings:
    """Steps on K = [0, 1] against (23) or (38), attained by those that stay inside."""
    rng = ctx.rng()
    count = ctx.pick(2000, 100_000)
    z, star = rng.uniform(size=(2, count))
    g = rng.normal(0, 2, size=count)
    eta = np.exp(rng.normal(-1, 1, size=count))
    xi = np.where(rng.random(count) < 0.5, 0.0, rng.normal(size=count))
    free = z - eta * g + xi
    inputs = {"z": z, "z_next": np.clip(free, 0, 1), "star": star, "g": g, "xi": xi, "eta": eta}
    inside = (free > 0) & (free < 1)
    lhs = g * (z - star)
    right = ctx.claim(form, **inputs)
    size = np.abs(lhs) + 1 / eta
    words = "random steps on [0, 1]"
    bound = right + 1e-12 * size
    yield ctx.compare("literal", form, lhs, inputs, words, bound=bound, tight=np.nan)
    ratio = (lhs / size)[inside]
    bound = (right / size)[inside]
    at = {"count": int(inside.sum())}
    more = {"relation": "==", "tolerance": 1e-7, "tight": np.nan}
    yield ctx.compare(about, "printed", ratio, at, inside_words, bound=bound, **more)


def check_step(ctx: Context) -> Findings:
    yield from random_steps(ctx, "printed", "literal", "steps that stay inside K attain it")


def measure_sum(T: float, D: float, L: float) -> float:
    """A when every z_t but the last is D from z* and every gradient has norm L."""
    eta = D / (L * np.sqrt(np.arange(1, int(T) + 1)))
    squares = np.full(int(T) + 1, D**2)
    squares[-1] = 0.0
    return part_a(squares, eta, np.full(int(T), L))


def part_a(squares: np.ndarray, eta: np.ndarray, g: np.ndarray) -> float:
    """A from |z_t - z*|^2 (T + 1), steps (T), and gradients (T)."""
    return float(np.sum((squares[:-1] - squares[1:]) / (2 * eta) + eta * g**2 / 2))


def check_sum(ctx: Context) -> Findings:
    """Part A over random positions and gradients, and one long run that attains the bound."""
    rng = ctx.rng(1)
    words = "random positions and gradients"
    (long,) = case_table("T D L", (10**6, 1.0, 1.0))
    total = measure_sum(**long)
    about = "attained as T grows: 0.15 / sqrt T relative at most"
    yield ctx.compare("literal", "corrected", total, long, about, relation="==", tolerance=1e-3)
    for _ in range(ctx.pick(100, 2000)):
        T = int(rng.integers(1, 200))
        D, L = np.exp(rng.normal(size=2)).tolist()
        eta = D / (L * np.sqrt(np.arange(1, T + 1)))
        squares = (D * np.clip(rng.normal(0.7, 0.5, size=T + 1), 0, 1)) ** 2
        total = part_a(squares, eta, L * rng.uniform(-1, 1, size=T))
        yield from ctx.compare_forms("literal", total, {"T": T, "D": D, "L": L}, words)


FAR = Instances(
    "every position but the last far from z*",
    case_table("T D L", *((T, 1.5, 0.7) for T in (1, 2, 10, 100, 10_000))),
)
CHECKS = (
    Check("olu.eq23", evidence=check_step).measured_by(
        "online", "noisy_slope", sides={"printed": "step"}
    ),
    Check("olu.eq25", check_sum, measure_sum, (FAR,))
    .measured_by("online", "telescoped_part", where=("steps D/(L sqrt t)",))
    .beside("worst signs, steps 1/sqrt(t)"),
)

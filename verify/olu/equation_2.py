"""Equation (2) of olu: regret of projected descent with its constants, and who attains it."""

import numpy as np

from verify.checks import Check, Context, Findings, Instances, case_table

Array = np.ndarray


def measure_strongly(mu: float, L: float, T: float, seed: int = 0) -> float:
    """Regret of the stream whose data always lie L/mu from w_t, on random sides."""
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), int(T))
    w, played, points = 0.0, [], []
    for t, sign in enumerate(signs, start=1):
        played.append(w)
        points.append(w + sign * L / mu)
        w += (points[-1] - w) / t
    x, best = np.array(points), float(np.mean(points))
    return float(mu / 2 * np.sum((np.array(played) - x) ** 2 - (best - x) ** 2))


def _linear(signs: Array, start: Array, eta: Array, D: float, L: float) -> Array:
    """Regret of losses L s_t z on [-D/2, D/2] for each row of signs."""
    w, loss = start.copy(), np.zeros(len(signs))
    for t, step in enumerate(eta):
        loss += L * signs[:, t] * w
        w = np.clip(w - step * L * signs[:, t], -D / 2, D / 2)
    return np.asarray(loss + L * D / 2 * np.abs(signs.sum(axis=1)))


def measure_convex(D: float, L: float, T: float) -> float:
    """Regret of linear losses that push w_t across 0 for a while, then one way; the best while."""
    n = int(T)
    eta = D / (L * np.sqrt(np.arange(1, n + 1)))
    best = 0.0
    for start in (D / 2, eta[0] * L / 2):
        w, signs = start, np.empty(n)
        for t, step in enumerate(eta):
            signs[t] = 1.0 if w > 0 else -1.0
            w = min(max(w - step * L * signs[t], -D / 2), D / 2)
        whiles = np.unique(np.linspace(0, n, 40).astype(int))
        streams = np.where(np.arange(n) < whiles[:, None], signs, 1.0)
        first = np.full(len(streams), min(start, D / 2))
        best = max(best, float(_linear(streams, first, eta, D, L).max()))
    return best


def measure_constant(D: float, L: float, T: float) -> float:
    """Regret of f_t = -L z_t on the ball in R^T with diameter from 0 to D (1, .., 1)/sqrt T."""
    n = int(T)
    eta = D / (L * np.sqrt(n))
    end = np.full(n, D / np.sqrt(n))
    w, loss = np.zeros(n), 0.0
    for t in range(n):
        loss -= L * w[t]
        w[t] += eta * L
        offset = w - end / 2
        w = end / 2 + offset * min(1.0, D / 2 / float(np.linalg.norm(offset)))
    slope = -L * np.ones(n)
    best = slope @ end / 2 - D / 2 * np.linalg.norm(slope)
    return float(loss - best)


def quadratic_regret(
    rng: np.random.Generator, trials: int, T: int, mu: float, beta: float, x: float
) -> tuple[Array, Array]:
    """(regret, largest gradient on K) of random quadratics on K = [-1, 1], eta_t = 1/(mu t)."""
    h = rng.uniform(mu, beta, (trials, T))
    points = rng.uniform(-x, x, (trials, T)) + rng.choice((-1, 1), (trials, 1)) * rng.uniform(0, x)
    w, loss = rng.uniform(-1, 1, trials), np.zeros(trials)
    for t in range(T):
        loss += h[:, t] / 2 * (w - points[:, t]) ** 2
        w = np.clip(w - h[:, t] / (mu * (t + 1)) * (w - points[:, t]), -1, 1)
    best = np.clip((h * points).sum(axis=1) / h.sum(axis=1), -1, 1)
    least = (h / 2 * (best[:, None] - points) ** 2).sum(axis=1)
    return loss - least, (h * (1 + np.abs(points))).max(axis=1)


def check_strongly(ctx: Context) -> Findings:
    rng = ctx.rng()
    for n in (1, 2, 7, 50):
        for beta in (1.0, 3.0, 10.0):
            regret, G = quadratic_regret(rng, ctx.pick(200, 5000), n, 1.0, beta, 2.0)
            words = f"random quadratics on [-1, 1], curvatures 1 to {beta:g}"
            yield from ctx.compare_forms("literal", regret, {"mu": 1.0, "L": G, "T": n}, words)


def check_convex(ctx: Context) -> Findings:
    """Regret of linear losses that push across 0, and of random ones, up to long horizons."""
    rng = ctx.rng()
    push = "linear losses that push across 0"
    for T in (1, 2, 10, 100, ctx.pick(400, 2000)):
        inputs = {"D": 2.0, "L": 1.5, "T": float(T)}
        yield ctx.compare("literal", "corrected", measure_convex(**inputs), inputs, push)
        trials = ctx.pick(200, 4000)
        chance = rng.uniform(0, 1, (trials, 1))
        signs = np.where(rng.uniform(size=(trials, T)) < chance, -1.0, 1.0)
        eta = 2.0 / (1.5 * np.sqrt(np.arange(1, T + 1)))
        regret = _linear(signs, rng.uniform(-1, 1, trials), eta, 2.0, 1.5)
        yield ctx.compare("literal", "corrected", regret, inputs, "random linear losses")
    small = {"D": 1.0, "L": 1.0, "T": 100.0}
    words = "half the constant would be too small"
    worst_regret = measure_convex(**small)
    short = 0.75 * np.sqrt(100.0)
    yield ctx.compare(
        "literal", "corrected", worst_regret, small, words, bound=short, role="control"
    )


def check_constant(ctx: Context) -> Findings:
    rng = ctx.rng()
    T, trials = 100, ctx.pick(500, 5000)
    signs = np.where(rng.uniform(size=(trials, T)) < rng.uniform(0, 1, (trials, 1)), -1.0, 1.0)
    regret = _linear(signs, rng.uniform(-0.5, 0.5, trials), np.full(T, 0.1), 1.0, 1.0)
    inputs = {"D": 1.0, "L": 1.0, "T": float(T)}
    yield ctx.compare("literal", "tight", regret, inputs, "random linear losses on an interval")


CHECKS = (
    Check(
        "olu.eq2",
        evidence=check_strongly,
        exact_side=measure_strongly,
        at=(
            Instances(
                "data L/mu from the iterate",
                case_table(
                    "mu L T seed",
                    (1.0, 1.0, 10, 0),
                    (0.5, 2.0, 1000, 1),
                    (4.0, 1.0, 3000, 2),
                    (2.0, 3.0, 1, 3),
                ),
                relations={"tight": "=="},
            ),
        ),
    )
    .measured_by("online", "plain_regret", where=("steps 1/(mu t)",))
    .beside("means of 1 and -1 by turns, a small ball"),
    Check("olu.eq2.convex", evidence=check_convex, exact_side=measure_convex)
    .measured_by("online", "plain_regret", where=("steps D/(L sqrt t)",))
    .beside("worst signs, steps 1/sqrt(t)"),
    Check(
        "olu.eq2.constant",
        evidence=check_constant,
        exact_side=measure_constant,
        worst_cases="verify.olu.worst_cases:games",
        at=(
            Instances(
                "orthogonal linear losses on a ball",
                case_table("D L T", (1, 1, 1), (2, 0.5, 10), (3, 4, 100), (1, 1, 600)),
                relations={"tight": "=="},
            ),
        ),
    )
    .measured_by("online", "plain_regret", where=("step D/(L sqrt T)",))
    .beside("means of 1 and -1 by turns, one step size"),
)

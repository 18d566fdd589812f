"""Algorithm 3 of olu: the sign of its step on means, and Newton steps on smooth losses."""

from fractions import Fraction

import numpy as np

from verify.checks import Check, Context, Findings, Limit
from verify.evidence import Evidence
from verify.olu.active_runs import ActiveStream, Array, seen


def newton(
    stream: ActiveStream, z: Array, kept: np.ndarray, removed: np.ndarray, whole: bool
) -> Array:
    """One projected step on the losses kept: with their gradient, or with that of the removed."""
    if whole:
        pull = -stream.gradients(z, kept).mean(axis=1)
    else:
        pull = stream.gradients(z, removed).sum(axis=1) / len(kept)
    return stream.project(z + np.linalg.solve(stream.hessian(z, kept), pull[..., None])[..., 0])


def ends(stream: ActiveStream, starts: Array, i: int, I1: int, whole: bool) -> tuple[Array, Array]:
    """Where both runs end: the learner deletes losses 1..i, the other never had them."""
    m = len(stream.centres)
    kept_rows = seen(m + 1, range(1, i + 1))
    removed = seen(i + 1)
    learner = stream.phase(starts, seen(m + 1), I1)
    other = stream.phase(starts, kept_rows, I1)
    learner = newton(stream, learner, kept_rows, removed, whole)
    return learner, newton(stream, other, kept_rows, removed, True) if whole else other


def farthest(first: Array, second: Array) -> float:
    """The largest distance between a row of one and a row of the other."""
    return float(np.linalg.norm(first[:, None] - second[None], axis=2).max())


def small(rng: np.random.Generator, m: int, d: int) -> ActiveStream:
    """A stream whose minimisers lie inside the ball: points near 0, offsets small."""
    mu = float(np.exp(rng.normal() / 2))
    kappa = float(np.exp(rng.normal() / 2))
    stream = ActiveStream.draw(rng, m, d, mu, kappa, 2.0)
    return ActiveStream(
        mu, kappa, stream.centres / 4, stream.directions, stream.offsets * 0.1 * mu, 2.0
    )


def measure(
    i: float, I1: float, m: float, mu: float, beta: float, L: float, D: float, M_H: float
) -> float:
    """Both runs of the repaired step on a line of log-cosh losses, from both ends of the domain."""
    n = int(m)
    centres = np.where(np.arange(n) < i, D / 2, -D / 20)[:, None]
    stream = ActiveStream(mu, beta - mu, centres, np.ones((n, 1)), np.zeros(n), D)
    starts = np.array([[-D / 2], [D / 2], [0.0]])
    return farthest(*ends(stream, starts, int(i), int(I1), False))


def measure_59(
    i: float,
    tau_i: float,
    epsilon: float,
    mu: float,
    beta: float,
    L: float,
    D: float,
    I1: float,
    M_H: float,
    **_: float,
) -> float:
    """Least sigma that hides the distance of the two runs of `measure`."""
    apart = measure(i, I1, tau_i - 1, mu, beta, L, D, M_H)
    return float(apart / np.sqrt(2 * epsilon))


def check(ctx: Context) -> Findings:
    """Distance from the kept mean after the Newton step with either sign."""
    words = "means of n points, i at 1: distance from the kept mean"
    for n, i in ((4, 1), (10, 3)):
        x = [Fraction(1)] * i + [Fraction(0)] * (n - i)
        inputs = {"n": n, "i": i}
        zhat = sum(x, Fraction(0)) / n
        pull = sum((zhat - p for p in x[:i]), Fraction(0)) / (n - i)
        minus = float(abs(zhat - pull))
        plus = float(abs(zhat + pull))
        yield ctx.compare("literal", "printed", minus, inputs, words, bound=0.0, script="alg3_sign")
        yield ctx.compare("repaired", "corrected", plus, inputs, words, bound=0.0, relation="==")


def check_shift(ctx: Context) -> Findings:
    yield from _newton(ctx, ctx.pick(40, 500))


def _newton(ctx: Context, count: int) -> Findings:
    """The runs' largest distance, from any two starts, against the sensitivities."""
    rng = ctx.rng()
    words = "log-cosh losses on a ball, any two starts"
    for whole in [False, True] * count:
        m, d = int(rng.integers(6, 15)), int(rng.integers(1, 4))
        i = int(rng.integers(1, m // 2))
        I1 = int(rng.integers(0, 12))
        stream = small(rng, m, d)
        which = seen(m + 1, range(1, i + 1)), seen(m + 1)
        if max(float(np.linalg.norm(stream.minimiser(w))) for w in which) >= 0.99:
            continue  # a minimiser on the boundary need not have gradient 0
        yield _against(ctx, stream, stream.starts(rng, 12), i, I1, whole, words)
    # Curvature mu with beta = 1.05 mu declared, all points at one end: the gradient left out.
    flat = ActiveStream(1.0, 0.05, np.full((4, 1), -1.0), np.zeros((4, 1)), np.zeros(4), 2.0)
    both = np.array([[-1.0], [1.0]])
    for I1 in (1, 2):
        yield _against(ctx, flat, both, 3, I1, False, "quadratics at one end, 3 of 4 deleted")
    # The Hessian changes fastest where tanh^2 = 1/3; one loss of 100 sits far outside the domain.
    centres = np.zeros((100, 1))
    bends = np.full(100, -np.arctanh(np.sqrt(1 / 3)))
    centres[0] = 10.0
    bend = ActiveStream(1.0, 0.01, centres, np.ones((100, 1)), bends, 2.0)
    for whole in (False, True):
        yield _against(ctx, bend, both, 1, 20, whole, "ridge with a little log-cosh, one far loss")


def _against(
    ctx: Context, stream: ActiveStream, starts: Array, i: int, I1: int, whole: bool, words: str
) -> Evidence:
    """The farthest ends of both runs over all starts, against the distance that a form allows."""
    distance = farthest(*ends(stream, starts, i, I1, whole)) - 1e-12
    m = len(stream.centres)
    inputs: dict[str, float] = {**stream.constants, "i": i, "I1": I1, "D": 2.0}
    inputs["M_H"], form = stream.hessian_lipschitz, "tight" if whole else "corrected"
    # At eps = 1/2 the least noise is the distance itself.
    inputs |= {"tau_i": m + 1, "epsilon": 0.5} if ctx.claim.id == "olu.eq59" else {"m": m}
    return ctx.compare("repaired", form, distance, inputs, words, tight=np.nan)


def check_59(ctx: Context) -> Findings:
    yield ctx.declare(
        "literal", "printed", "unspecified", "M and j are undefined and no theorem is stated"
    )
    yield from _newton(ctx, ctx.pick(20, 300))


REASON = "the exact side runs the step with the gradient of the removed losses"
SHIFT = {"repaired": Limit(REASON, others=("tight",))}
NOISE = {**SHIFT, "literal": Limit("no theorem says what the noise hides", others=("printed",))}
CHECKS = (
    Check("olu.alg3", evidence=check).measured_by(
        "online",
        "newton_minus_distance",
        interpretations=("literal",),
        where=("strong convexity", "means"),
        sides={"printed": 0.0},
    ),
    Check(
        "olu.alg3.shift",
        evidence=check_shift,
        exact_side=measure,
        limits=SHIFT,
        far=(
            "two Newton steps that miss by the most, to opposite sides, where the "
            "curvature is least and changes most"
        ),
    )
    .measured_by("online", "starts_apart", forms=("tight",), where=("strong convexity", "newton"))
    .beside("logistic loss of both labels by turns, newton"),
    Check("olu.eq59", evidence=check_59, exact_side=measure_59, limits=NOISE),
)

"""(4) to (6) of safe: definitions; (6) is the dynamic regret of the risks without remainder."""

from collections.abc import Sequence
from fractions import Fraction

from bounds.safe.stream import FOUR
from verify.checks import Check, Context, Findings
from verify.safe.toy_problems import logistic, on_streams, quadratics, random_lists


def measure_4(data: Sequence[float], leaves: Sequence[float], t: float) -> float:
    """Where the gradient over D_t vanishes, in rational numbers."""
    return float(quadratics(data, leaves).star(int(t)))


def measure_5(
    data: Sequence[float], leaves: Sequence[float], t: float, w: float, lam: float
) -> float:
    """Losses and divergences, sample by sample."""
    return float(quadratics(data, leaves).objective(int(t), Fraction(w), Fraction(lam)))


def measure_6(
    data: Sequence[float], leaves: Sequence[float], models: Sequence[float], lam: float
) -> float:
    """The sum of the rounds' objectives."""
    stream = quadratics(data, leaves)
    rounds = [stream.objective(t, Fraction(w), Fraction(lam)) for t, w in enumerate(models, 1)]
    return float(sum(rounds))


def regret(
    data: Sequence[float], leaves: Sequence[float], models: Sequence[float], lam: float
) -> float:
    """The sum of R_t(w_t) - R_t(w_t*) with the whole risk of eq (10)."""
    stream, weight = quadratics(data, leaves), Fraction(lam)
    rounds = [(t, Fraction(w)) for t, w in enumerate(models, 1)]
    excess = (stream.risk(t, w, weight) - stream.risk(t, stream.star(t), weight) for t, w in rounds)
    return float(sum(excess))


def check_4(ctx: Context) -> Findings:
    yield from on_streams(measure_4, count=(80, 2000), words="quadratics on a line")(ctx)
    lhs = measure_4(**FOUR, t=1)
    inputs = {**FOUR, "t": 2}
    yield ctx.compare(
        "literal", "printed", lhs, inputs, "the round before", relation="==", role="control"
    )


def check_6(ctx: Context) -> Findings:
    """Sums of objectives and of regrets over three rounds, on a line and of ridge losses."""
    rng = ctx.rng()
    at = "three rounds on a line"
    for _ in range(ctx.pick(20, 500)):
        inputs = {**random_lists(rng, 3), "lam": float(rng.exponential())}
        inputs |= {"models": (3 * rng.normal(size=3)).tolist()}
        for interpretation, lhs in (("literal", measure_6(**inputs)), ("regret", regret(**inputs))):
            yield ctx.compare(interpretation, "printed", lhs, inputs, at, tolerance=1e-11)
    for _ in range(ctx.pick(5, 100)):
        stream, lam = logistic(rng, 3), float(rng.exponential())
        models = [(t, rng.normal(size=2)) for t in (1, 2, 3)]
        total = sum(stream.objective(t, w, lam) for t, w in models)
        lhs = sum(stream.risk(t, w, lam) - stream.risk(t, stream.star(t), lam) for t, w in models)
        inputs = {"d": 2, "lam": lam}
        at = "ridge-logistic losses"
        options = {"bound": total, "tight": total, "tolerance": 1e-11}
        yield ctx.compare("regret", "printed", lhs, inputs, at, **options)


CHECKS = (
    Check("safe.eq4", check_4, measure_4),
    Check("safe.eq5", on_streams(measure_5, count=(80, 2000)), measure_5),
    Check("safe.eq6", check_6, measure_6),
)

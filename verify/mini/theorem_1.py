"""Theorem 1 of mini: exactly of order r^k on quadratics, with a floor on other losses."""

from fractions import Fraction
from itertools import product

from bounds.mini.theorem_1 import _RATES
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.mini.logistic_runs import LogisticRuns
from verify.mini.problems import THOUSANDTHS, mean_problem


def _line(eta: Fraction, mu: Fraction, beta: Fraction, Gm: Fraction, s: int, k: int) -> Fraction:
    """Error of eq (10) where kept samples pull one way and forgotten ones the other way."""
    problem = mean_problem(mu, eta, -Gm, Gm, s, beta)
    path, other = problem.learn(), problem.retrain()
    return Fraction(abs(other[-1] - path[-1] - problem.mini(k, path)))


def measure(
    eta: float,
    mu: float,
    beta: float,
    Gm: float,
    s: float,
    k: float,
    L: float = 0,
    M: float = 0,
    c: float = 0,
) -> float:
    """The error on 1-D quadratics of curvature mu; beta is the nearest share with 1000 samples."""
    step, a, pull = map(Fraction, (eta, mu, Gm))
    share = Fraction(beta).limit_denominator(1000)
    return float(_line(step, a, share, pull, int(s), int(k)))


def measure_drift(eta: float, mu: float, beta: float, Gm: float, s: float, L: float = 0) -> float:
    """|Dw_s| on the same quadratics: all steps are followed from nothing."""
    problem = mean_problem(mu, eta, -Gm, Gm, int(s), Fraction(beta).limit_denominator(1000))
    return float(abs(problem.retrain()[-1] - problem.learn()[-1]))


def check(ctx: Context) -> Findings:
    """Errors of eq (10) on long quadratic runs, and on random ridge-logistic ones."""
    label, script = "1-D quadratics, full batch, s = 2k", "thm1"
    for inputs in LONG:
        yield ctx.compare("literal", "printed", measure(**inputs), inputs, label, script=script)
    rng = ctx.rng()
    for s, p in product((2, 8, 40), (1, 3)):
        runs = LogisticRuns.random(rng, ctx.pick(300, 3000), s, p)
        label = f"random ridge-logistic runs, p = {p}"
        for k in (1, s // 2, s):
            arguments = {**runs.constants, "Gm": runs.largest_gradient, "s": s, "k": k}
            bound = ctx.claim("corrected", **arguments) + 1e-12
            yield ctx.compare("literal", "corrected", runs.error(k), arguments, label, bound=bound)


def check_drift(ctx: Context) -> Findings:
    rng = ctx.rng()
    label = "random ridge-logistic runs"
    for s in (1, 5, 40):
        runs = LogisticRuns.random(rng, ctx.pick(500, 5000), s, 2)
        arguments = {name: runs.constants[name] for name in ("eta", "mu", "L", "beta")}
        arguments |= {"Gm": runs.largest_gradient, "s": s}
        yield ctx.compare("literal", "tight", runs.distances[:, -1], arguments, label)


NAMES = "eta mu L M beta Gm s k"
LONG = case_table(f"{NAMES} c", *((0.5, 1, 1, 0, 0.5, 0.5, 2 * k, k, 0.01) for k in (10, 40)))
RUNS = ((0.1, 1, 2, 0, 0.25, 1, 50), (0.01, 0.3, 1, 0, 0.05, 2, 60), (1, 0.5, 1, 0, 0.5, 1, 9))
LINE = Instances(
    "1-D quadratics, rational numbers",
    case_table(NAMES, *((*run, k) for run in RUNS for k in (0, 1, run[-1] // 2, run[-1]))),
    interpretations=("quadratic",),
    relations={"corrected": "=="},
)
STEPS = (1, 2, 7, 40)
DRIFT, ALTERNATING = (
    Instances("1-D quadratics", tuple({**_RATES, **rates, "s": s} for s in STEPS), relations=exact)
    for rates, exact in (({}, {"tight": "=="}), ({"eta": 1.5, "mu": 1.2, "L": 1.2}, {}))
)
LIMITS = {"quadratic": THOUSANDTHS, "literal": THOUSANDTHS}
PICTURES = "verify.mini.pictures:errors"
CHECKS = (
    Check("mini.thm1", check, measure, (LINE,), LIMITS, pictures=PICTURES)
    .measured_by(
        "mini",
        "short_error",
        symbols={"mu": "lam", "L": "M", "M": "Lam"},
        interpretations=("literal",),
        where=("no clip", "one step size", "something is kept", "strong convexity"),
    )
    .beside("logcosh loss with one other label, the last of three short steps"),
    Check(
        "mini.thm1.drift",
        check_drift,
        measure_drift,
        (DRIFT, ALTERNATING),
        {"literal": THOUSANDTHS},
    )
    .measured_by(
        "mini",
        "path_distance",
        symbols={"mu": "lam", "L": "M"},
        where=("no clip", "one step size", "something is kept", "strong convexity"),
    )
    .beside("logcosh loss with one other label, the last of three short steps"),
)

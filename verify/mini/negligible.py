"""Sections 4.1 and 5.1 of mini: with the paper's settings ten steps are worth 0.05 percent."""

from fractions import Fraction

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.mini.problems import mean_problem


def _left(eta: float, mu: float, k: int, s: int) -> Fraction:
    """Error of eq (10) over |Dw_{s-k}|, on 1-D quadratics in rational numbers."""
    near = [Fraction(v).limit_denominator(10**6) for v in (mu, eta)]
    problem = mean_problem(near[0], near[1], Fraction(1), Fraction(0), s, Fraction(1, 2))
    path, other = problem.learn(), problem.retrain()
    error = abs(other[-1] - path[-1] - problem.mini(k, path))
    return Fraction(error / abs(other[s - k] - path[s - k]))


def measure(eta: float, mu: float, k: float, L: float = 0) -> float:
    """What eq (10) leaves of |Dw_{s-k}|, five steps after the start."""
    return float(_left(eta, mu, int(k), int(k) + 5))


def measure_share(eta: float, a: float, s: float, k: float) -> float:
    """Eq (10) over Dw_s after all steps, in floating point."""
    problem = mean_problem(a, eta, 1.0, 0.0, int(s), Fraction(1, 2))
    path = problem.learn()
    return float(problem.mini(int(k), path) / (problem.retrain()[-1] - path[-1]))


def measure_setup(eta: float, mu: float, k: float, J: float, L: float = 0) -> float:
    """Share of a unit distance that k J steps on (mu/2) w^2 remove."""
    problem = mean_problem(mu, eta, 1.0, 0.0, int(k * J), Fraction(1, 2))
    return float(1 - (problem.redo(0, 1.0)[-1] - problem.redo(0, 0.0)[-1]))


def check(ctx: Context) -> Findings:
    label = "the paper's settings: what is left is not below one half"
    options = {"bound": 0.5, "role": "class", "script": "thm1_use"}
    for mu in (0.005, 0.01):
        inputs = {"eta": 0.01, "mu": mu, "L": mu + 0.25, "k": 10}
        yield ctx.compare("literal", "printed", measure(**inputs), inputs, label, **options)


def check_setup(ctx: Context) -> Findings:
    reason = (
        "no batch size and no number of steps; k counts epochs in the text and single steps in "
    )
    reason += "eq (10); the coefficient may be that of |w|^2 or of |w|^2/2"
    yield ctx.declare("literal", "tight", "unspecified", reason)


LEFT = case_table(
    "eta mu k L", (0.01, 0.005, 10, 100), (0.5, 0.25, 6, 2), (1, 0.5, 0, 1), (0.1, 2, 13, 10)
)
SHARES = case_table(
    "eta a s k",
    (0.01, 0.01, 40, 10),
    (0.01, 0.01, 2000, 10),
    (0.5, 0.1, 200, 10),
    (0.3, 1, 12, 12),
    (0.3, 1, 12, 0),
    (0.9, 1, 30, 1),
)
SETUP = case_table(
    "eta mu L k J", *((0.01, mu, mu + 0.25, 10, J) for mu in (0.005, 0.01) for J in (1, 469))
)
AT, AT_SHARE, AT_SETUP = (
    (Instances(f"1-D quadratics{how}", inputs, interpretations=(name,), relations={form: "=="}),)
    for how, inputs, name, form in (
        ("", LEFT, "bound", "printed"),
        ("", SHARES, "literal", "tight"),
        (", step by step", SETUP, "chosen", "tight"),
    )
)
CHECKS = (
    Check("mini.thm1.use", evidence=check, exact_side=measure, at=AT),
    Check("mini.thm1.use.share", exact_side=measure_share, at=AT_SHARE),
    Check("mini.setup", evidence=check_setup, exact_side=measure_setup, at=AT_SETUP),
)

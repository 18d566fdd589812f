"""(7), (8), (14), (15) of mini and H(l)u of Appendix B, against steps taken on exact problems."""

from dataclasses import replace
from fractions import Fraction

from verify.checks import Check, Context, Findings, Instances, case_table
from verify.mini.logistic_runs import LogisticRuns
from verify.mini.problems import (
    THOUSANDTHS,
    batch_lists,
    line_quadratics,
    log_cosh,
    mean_problem,
    touched,
)


def measure_norm(eta: float, beta: float, Gm: float) -> float:
    """|G| where kept samples pull with Gm one way and forgotten ones the other way, ridge 0.3."""
    share = Fraction(beta).limit_denominator(1000)
    problem = mean_problem(0.3, eta, -Gm, Gm, 1, share)
    return float(abs(problem.injection(1, 0.7)))


def check_7(ctx: Context) -> Findings:
    """Injections of random quadratics in rationals, against both lines of (7)."""
    rng = ctx.rng()
    label = "quadratics in rational numbers"
    for _ in range(ctx.pick(25, 250)):
        problem = line_quadratics(rng, 5)
        path = problem.learn()
        for t in touched(problem)[:1]:
            w = path[t - 1]
            lists = batch_lists(problem, t, w)
            exact = float(problem.injection(t, w))
            inputs = {"eta": float(problem.eta), **lists}
            if exact == 0:  # rounding of the forms has no relative size there
                continue
            yield from ctx.compare_forms("literal", exact, inputs, label)
            B, dB = len(problem.batches[t - 1]), len(lists["gone"])
            removed_sum = sum(lists["gone"])
            whole = sum(lists["kept"]) + sum(lists["gone"])
            second = float(problem.eta) * (removed_sum / (B - dB) - dB * whole / (B * (B - dB)))
            yield ctx.compare("literal", "printed", exact, inputs, "the second line", bound=second)


def check_norm(ctx: Context) -> Findings:
    runs = LogisticRuns.random(ctx.rng(), ctx.pick(1000, 10_000), 3, 2)
    arguments = {name: runs.constants[name] for name in ("eta", "beta")}
    arguments["Gm"] = runs.largest_gradient
    for t in (1, 2, 3):
        length = runs.injection_norm(t)
        yield ctx.compare("literal", "tight", length, arguments, f"logistic runs, step {t}")


def check_8(ctx: Context) -> Findings:
    """Derivative of a kept step by a complex step, and its secant on quadratics."""
    for rng in ctx.draws(25, 250):
        problem = log_cosh(rng, 3)
        w, rows, h = float(rng.normal()), problem.kept(1), 1e-30
        slope = problem.step(rows, w + h * 1j).imag / h
        inputs = {
            "eta": problem.eta,
            "curvatures": [float(problem.hessian(j, w, 1.0)) for j in rows],
        }
        label = "derivative of a kept step, log cosh, complex step"
        yield ctx.compare("literal", "printed", float(slope), inputs, label)
        exact = line_quadratics(rng, 3)
        rows = exact.kept(1)
        secant = exact.step(rows, Fraction(2)) - exact.step(rows, Fraction(1))
        bends = [float(exact.hessian(j, 0, 1)) for j in rows]
        inputs = {"eta": float(exact.eta), "curvatures": bends}
        label = "secant of quadratics"
        yield ctx.compare("literal", "printed", float(secant), inputs, label)


def check_hbar(ctx: Context) -> Findings:
    """H(l) u from gradients of one kept batch, and from those of two."""
    for rng in ctx.draws(25, 250):
        problem = line_quadratics(rng, 3)
        path = problem.learn()
        rows = problem.kept(3)
        u = Fraction(int(rng.integers(1, 9)), 4)
        if path[2] == path[1]:
            continue
        y = sum(problem.gradient(j, path[2]) - problem.gradient(j, path[1]) for j in rows)
        factor = float(u - problem.eta / len(rows) * y / (path[2] - path[1]) * u)
        inputs = {"eta": float(problem.eta), "u": float(u)}
        inputs |= {"curvatures": [float(problem.hessian(j, 0, 1)) for j in rows]}
        label = "secant of the kept batch's own gradients"
        yield ctx.compare("literal", "printed", factor, inputs, label)
    eta, w0 = Fraction(1, 2), Fraction(1)
    w1 = w0 - eta * w0
    factor = float(1 - eta * ((w1 + 2) - w0) / (w1 - w0))
    inputs = {"eta": 0.5, "curvatures": [1.0], "u": 1.0}
    label = "gradients stored from the batches {0} and {-2}"
    yield ctx.compare("stored", "printed", factor, inputs, label, script="hbar")


NORMS = Instances(
    "opposite gradients",
    case_table("eta beta Gm", *((0.4, beta, 1.5) for beta in (0.05, 0.25, 0.6))),
    relations={"tight": "=="},
)
ADDED = replace(THOUSANDTHS, size=lambda p: p["eta"] * (1 + p["Gm"]))  # of gradients that cancel
CHECKS = (
    Check("mini.eq7", evidence=check_7),
    Check("mini.eq7.norm", check_norm, measure_norm, (NORMS,), {"literal": ADDED}).measured_by(
        "mini", "injection", where=("no clip", "one step size", "something is kept")
    ),
    Check("mini.eq8", evidence=check_8),
    Check("mini.hbar", evidence=check_hbar),
)

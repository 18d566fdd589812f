"""(7), (8), (14), (15) of mini and H(l)u of Appendix B, against steps taken on exact worlds."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from bounds import Hypothesis
from verify.checks import Check, Limit
from verify.context import Context
from verify.evidence import Evidence
from verify.mini.logistic_runs import Runs
from verify.mini.worlds import batch_lists, line_quadratics, log_cosh, mean_world, touched


def measure_norm(eta: float, beta: float, Gm: float) -> float:
    """|G| where kept samples pull with Gm one way and forgotten ones the other way, ridge 0.3."""
    share = Fraction(beta).limit_denominator(1000)
    world = mean_world(0.3, eta, -Gm, Gm, 1, share)
    return float(abs(world.injection(1, 0.7)))


def check_7(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(25, 250)):
        world = line_quadratics(rng, 5)
        path = world.learn()
        for t in touched(world)[:1]:
            w = path[t - 1]
            lists = batch_lists(world, t, w)
            inputs = {"eta": float(world.eta), **lists}
            exact = float(world.injection(t, w))
            if exact == 0:  # rounding of the forms has no relative size there
                continue
            yield from ctx.compare_forms(
                "literal", exact, inputs, "quadratics in rational numbers", relation="=="
            )
            B, dB = len(world.batches[t - 1]), len(lists["gone"])
            second = sum(lists["gone"]) / (B - dB) - dB * (
                sum(lists["kept"]) + sum(lists["gone"])
            ) / (B * (B - dB))
            yield ctx.compare(
                "literal", "printed", exact, inputs, "the second line",
                bound=float(world.eta) * second, relation="==",
            )  # fmt: skip


def check_norm(ctx: Context) -> Iterator[Evidence]:
    for beta in (0.05, 0.25, 0.6):
        inputs = {"eta": 0.4, "beta": beta, "Gm": 1.5}
        yield ctx.compare(
            "literal", "tight", measure_norm(**inputs), inputs, "opposite gradients", relation="=="
        )
    runs = Runs.random(ctx.rng(), ctx.pick(1000, 10_000), 3, 2)
    drawn = {name: runs.constants[name] for name in ("eta", "beta")}
    drawn["Gm"] = runs.largest_gradient
    for t in (1, 2, 3):
        length = runs.injection_norm(t)
        yield ctx.compare("literal", "tight", length, drawn, f"logistic runs, step {t}")


def check_8(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(25, 250)):
        world = log_cosh(rng, 3)
        w, rows, h = float(rng.normal()), world.kept(1), 1e-30
        slope = world.step(rows, w + h * 1j).imag / h
        inputs = {"eta": world.eta, "curvatures": [float(world.hessian(j, w, 1.0)) for j in rows]}
        yield ctx.compare(
            "literal", "printed", float(slope), inputs,
            "derivative of a kept step, log cosh, complex step", relation="==",
        )  # fmt: skip
        exact = line_quadratics(rng, 3)
        rows = exact.kept(1)
        secant = exact.step(rows, Fraction(2)) - exact.step(rows, Fraction(1))
        inputs = {
            "eta": float(exact.eta), "curvatures": [float(exact.hessian(j, 0, 1)) for j in rows],
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", float(secant), inputs, "secant of quadratics", relation="=="
        )


def check_hbar(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(25, 250)):
        world = line_quadratics(rng, 3)
        path, rows, u = world.learn(), world.kept(3), Fraction(int(rng.integers(1, 9)), 4)
        if path[2] == path[1]:
            continue
        y = sum(world.gradient(j, path[2]) - world.gradient(j, path[1]) for j in rows)
        secant = y / (path[2] - path[1])
        inputs = {
            "eta": float(world.eta), "u": float(u),
            "curvatures": [float(world.hessian(j, 0, 1)) for j in rows],
        }  # fmt: skip
        yield ctx.compare(
            "literal", "printed", float(u - world.eta / len(rows) * secant * u), inputs,
            "secant of the kept batch's own gradients", relation="==",
        )  # fmt: skip
    eta, w0 = Fraction(1, 2), Fraction(1)
    w1 = w0 - eta * w0
    secant = ((w1 + 2) - w0) / (w1 - w0)
    inputs = {"eta": 0.5, "curvatures": [1.0], "u": 1.0}
    yield ctx.compare(
        "stored", "printed", float(1 - eta * secant), inputs,
        "gradients stored from the batches {0} and {-2}", relation="==", script="hbar",
    )  # fmt: skip


CHECKS = (
    Check("mini.eq7", evidence=check_7),
    Check(
        "mini.eq7.norm",
        evidence=check_norm,
        oracle=measure_norm,
        limits={
            "literal": Limit(
                "batches share in thousandths",
                (
                    Hypothesis(
                        "the oracle's batches share in thousandths",
                        sets={"beta": lambda beta: round(beta, 3)},
                    ),
                ),
            )
        },
    ),
    Check("mini.eq8", evidence=check_8),
    Check("mini.hbar", evidence=check_hbar),
)

"""(9) of hf: the leave-one-out recursion is exact on quadratics, the printed one is not."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

CLAIM = Claim(
    id="hf.eq9",
    label="Equation (9)",
    kind="equality",
    statement="A batch with u turns the difference D into (I - (eta/b) H) D + (eta/b) g_u, H the "
    "Hessian of the whole batch; with (8) this follows retraining by (5).",
    aliases=("hf.eq22",),
    readings=(
        Reading(
            "literal",
            "retraining by (4)-(5), quadratic losses, where the Taylor remainder is 0",
            ("printed", "corrected"),
            proofs={"corrected": "g_i(v) - g_i(w) = H_i (v - w) in (5) minus (3); D_0 = 0"},
        ),
        Reading(
            "mean",
            "retraining by the mean over the kept samples with the unscaled step",
            ("printed", "corrected"),
            proofs={"corrected": "g_i(v) - g_i(w) = H_i (v - w), with the mean over the kept"},
        ),
    ),
    natural=Natural(
        "T", tuple(float(t) for t in range(1, 41)),
        {"eta": 0.5, "h": 1.0, "n": 2.0, "m": 1.0, "cbar": 0.0, "c_U": -1.0, "w0": 0.0, "q": 1.0},
        log_y=False,
    ),
    quantity="retrained minus learned iterate",
    correction="Take the Hessians of the kept samples only.",
)  # fmt: skip
LIMIT = Claim(
    id="hf.eq9.limit",
    label="Equation (9), at convergence",
    kind="equality",
    statement="With equal Hessians and full batches the relative error of (9) tends to the "
    "deletion rate m/n.",
    readings=(
        Reading(
            "literal",
            "0 < eta h < 2, constant steps, c_U different from the mean",
            ("tight",),
            proofs={"tight": "a -> (m/n)(cbar - c_U), D -> (m/(n - m))(cbar - c_U)"},
        ),
    ),
    natural=Natural("m", tuple(float(m) for m in range(1, 10)), {"n": 10.0}, log_y=False),
    quantity="relative error of the approximator",
)
CLAIMS = (CLAIM, LIMIT)


def measure(
    eta: float, h: float, n: float, m: float, T: float, cbar: float, c_U: float, w0: float,
    q: float = 1.0,
) -> float:  # fmt: skip
    """Retrained minus learned iterate on n quadratics, by running both in exact arithmetic."""
    learned = retrained = Fraction(w0)
    whole = int(n) * Fraction(cbar)
    left, kept = int(n) - int(m), whole - int(m) * Fraction(c_U)
    move = Fraction(eta) * Fraction(h) / int(n)
    for _ in range(int(T)):
        learned -= move * (int(n) * learned - whole)
        retrained -= move * (left * retrained - kept)
        move *= Fraction(q)
    return float(retrained - learned)


def measure_limit(n: float, m: float) -> float:
    """Relative error of the recursion with the whole batch's Hessian once both runs stand still."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_worlds import difference, full_batch, line

    size, gone = int(n), int(m)
    T = int(np.ceil(40 * size / (size - gone)))
    model, training = full_batch(np.ones(size), line(size, gone, 0.3, 1.1), 2.0, 0.9, T)
    forget = np.arange(gone)
    exact = difference(model, training, forget)
    found = differences(model, training, [forget], Recursion("batch")).vectors[0]
    return float(abs(exact - found)[0] / abs(exact)[0])


def error_recursion(world) -> np.ndarray:  # type: ignore[no-untyped-def]
    """Delta_{t+1} = (I - (eta/b) H_B) Delta_t + (eta/b) H_{B and U} D_t, from 0."""
    learned = world.training.run(world.model).points
    D = world.training.run(world.model, world.forget).points - learned
    error = np.zeros(world.model.parameters)
    for t, rows in enumerate(world.training.batches):
        rate = float(world.training.steps[t]) / len(rows)
        H = world.model.H.numpy()
        whole, gone = (H[r].sum(axis=0) for r in (rows, rows[np.isin(rows, world.forget)]))
        error = error - rate * whole @ error + rate * gone @ D[t]
    return error


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_worlds import departure, difference, worlds

    two = {"h": 1.0, "n": 2.0, "m": 1.0, "cbar": 0.0, "c_U": 1.0, "w0": 0.0}
    alone = {"h": 1.0, "n": 1.0, "m": 1.0, "cbar": 0.0, "c_U": 0.0, "w0": 1.0, "q": 1.0}
    cases = [{**two, "eta": 0.5, "q": 1.0, "T": T} for T in (2.0, 5.0, 60.0)]
    cases += [{**two, "eta": 1.0, "q": 0.5, "T": T} for T in (2.0, 5.0, 60.0)]
    cases += [{**alone, "eta": 0.1, "T": T} for T in (2.0, 10.0, 200.0)]
    rng = ctx.rng()
    for _ in range(ctx.pick(30, 300)):
        n = int(rng.integers(2, 9))
        cases.append({
            "eta": float(rng.uniform(0.05, 1)), "h": float(rng.normal() + 0.3), "n": float(n),
            "m": float(rng.integers(1, n + 1)), "T": float(rng.integers(2, 25)),
            "cbar": float(rng.normal()), "c_U": float(rng.normal() + 2),
            "w0": float(rng.normal()), "q": float(rng.choice((1.0, 0.9))),
        })  # fmt: skip
    for inputs in cases:
        if inputs["m"] == inputs["n"]:  # then the forgotten samples are all of them
            inputs["c_U"] = inputs["cbar"]
        for form in ("printed", "corrected"):
            yield ctx.compare(
                "literal", form, measure(**inputs), inputs, "equal Hessians on a line",
                relation="==", script="eq9" if form == "printed" else None, tolerance=1e-8,
            )  # fmt: skip
    forms = {"printed": "batch", "corrected": "kept"}
    pairs: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for world in worlds(rng, ctx.pick(40, 1000), forgotten=1, most=3):
        run, sets = (world.model, world.training), [world.forget]
        for reading, scaling in (("literal", "linear"), ("mean", "mean")):
            exact = difference(*run, world.forget, scaling)
            found = {
                form: differences(*run, sets, Recursion(hessian, scaling)).vectors[0]
                for form, hessian in forms.items()
            }
            for form, vector in found.items():
                pairs.setdefault((reading, form), []).append(departure(vector, exact))
            if reading == "literal":
                repaired = found["printed"] + error_recursion(world)
                pairs.setdefault(("error", "corrected"), []).append(departure(repaired, exact))
                wrong = differences(*run, sets, Recursion("kept", "mean")).vectors[0]
                pairs.setdefault(("control", "corrected"), []).append(departure(wrong, exact))
    texts = {
        "literal": "random batches, decays, sets and signs of the Hessians",
        "mean": "the same, retrained by the mean over what is kept",
        "error": "(9) plus its exact error recursion",
        "control": "the recursion that belongs to the other retraining",
    }
    for (what, form), values in pairs.items():
        left, right = np.array(values).T
        reading = "mean" if what == "mean" else "literal"
        script = "eq9_mean" if what == "mean" else "eq9"
        yield ctx.compare(
            reading, form, left, {}, texts[what], bound=right, relation="==", tolerance=1e-12,
            tight=np.nan, role="control" if what == "control" else "bound",
            script=script if form == "printed" else None,
        )  # fmt: skip


def check_limit(ctx: Context) -> Iterator[Evidence]:
    for n, m in ((2, 1), (10, 1), (10, 3), (20, 10), (10, 9), (50, 5)):
        inputs = {"n": float(n), "m": float(m)}
        yield ctx.compare(
            "literal", "tight", measure_limit(**inputs), inputs, "both runs at rest",
            relation="==",
        )  # fmt: skip


CHECKERS = {CLAIM.id: check, LIMIT.id: check_limit}
MEASURES = {CLAIM.id: measure, LIMIT.id: measure_limit}

"""Theorem 3.1 of hf: additivity and exactness exclude each other."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

FORMS = ("printed", "corrected")
CLAIM = Claim(
    id="hf.thm3.1",
    label="Theorem 3.1",
    kind="equality",
    statement="The statistic of a set is the sum of its samples' statistics.",
    readings=(
        Reading(
            "literal",
            "statistics (11), all along the learned trajectory",
            ("printed",),
            proofs={"printed": "one affine recursion with the same matrices; injections add"},
        ),
        Reading(
            "kept",
            "the statistics that are exact on quadratics (kept samples' Hessians)",
            FORMS,
            proofs={"corrected": "subtract the recursions; on quadratics both sides are v_T - w_T"},
            stance="repair",
        ),
    ),
    natural=Natural(
        "m", tuple(float(m) for m in range(1, 10)),
        {"eta": 0.3, "h": 1.0, "n": 10.0, "T": 60.0, "cbar": 0.0, "c_U": 1.0, "w0": 0.0},
        log_y=False,
    ),
    quantity="exact difference of a set",
    correction="Holds for the vectors (11), which are derivatives; retrained models do not add up.",
)  # fmt: skip
LIMIT = Claim(
    id="hf.thm3.1.limit",
    label="Theorem 3.1, at convergence",
    kind="equality",
    statement="The sum of exact single differences misses the exact one of the set by the share "
    "(m - 1)/(n - 1): equal Hessians, full batches, both runs at rest.",
    readings=(
        Reading(
            "literal",
            "0 < eta h < 2, constant steps, c_U different from the mean",
            ("tight",),
            proofs={"tight": "D^u -> s_u/(n - 1) with sum m s/(n - 1), D^U -> m s/(n - m)"},
        ),
    ),
    natural=Natural("m", tuple(float(m) for m in range(1, 10)), {"n": 10.0}, log_y=False),
    quantity="relative error of the sum",
    correction="(n - 1)/(n - m) times the sum is then exact.",
)
CLAIMS = (CLAIM, LIMIT)


def measure(
    eta: float, h: float, n: float, m: float, T: float, cbar: float, c_U: float, w0: float
) -> float:  # fmt: skip
    """v_T - w_T of the set on quadratics with equal Hessians, by running both."""
    from verify.hf.equation_9 import measure as difference

    return difference(eta, h, n, m, T, cbar, c_U, w0)


def measure_limit(n: float, m: float) -> float:
    """Relative error of the sum of single differences once all runs stand still."""
    from verify.hf.quadratic_worlds import difference, full_batch, line

    size, gone = int(n), int(m)
    T = int(np.ceil(40 * size / (size - gone)))
    model, training = full_batch(np.ones(size), line(size, gone, 0.3, 1.1), 2.0, 0.9, T)
    whole = difference(model, training, np.arange(gone))
    apart = sum(difference(model, training, np.array([u])) for u in range(gone))
    return float(np.abs(whole - apart)[0] / np.abs(whole)[0])


def gap(world, singles: np.ndarray) -> np.ndarray:  # type: ignore[no-untyped-def]
    """G_T by its recursion from the paths of the single differences, shape (m, T + 1, p)."""
    found, H = np.zeros(world.model.parameters), world.model.H.numpy()
    for t, rows in enumerate(world.training.batches):
        rate = float(world.training.steps[t]) / len(rows)
        gone = rows[np.isin(rows, world.forget)]
        kept = H[np.setdiff1d(rows, gone)].sum(axis=0)
        arriving = sum(
            H[gone[gone != u]].sum(axis=0) @ singles[j, t] for j, u in enumerate(world.forget)
        )
        found = found - rate * kept @ found + rate * arriving
    return found


def check(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_worlds import departure, difference, full_batch, worlds

    rng = ctx.rng()
    pairs: dict[str, list[tuple[float, float]]] = {}
    for world in worlds(rng, ctx.pick(30, 800), forgotten=2, most=4):
        run, sets = (world.model, world.training), [world.forget, *([u] for u in world.forget)]
        for hessian in ("batch", "kept"):
            whole, *single = differences(*run, sets, Recursion(hessian)).vectors
            pairs.setdefault(hessian, []).append(departure(np.sum(single, axis=0), whole))
        learned = world.training.run(world.model).points
        paths = np.array([world.training.run(world.model, [u]).points for u in world.forget])
        summed = np.sum(single, axis=0) + gap(world, paths - learned)
        pairs.setdefault("gap", []).append(departure(summed, difference(*run, world.forget)))
    texts = {
        "batch": ("literal", "printed", "random quadratic worlds, sets of 2 to 4"),
        "kept": ("kept", "printed", "random quadratic worlds, sets of 2 to 4"),
        "gap": ("kept", "corrected", "sum plus the recursion of its gap, against both runs"),
    }
    for name, (reading, form, text) in texts.items():
        left, right = np.array(pairs[name]).T
        yield ctx.compare(
            reading, form, left, {}, text, bound=right, relation="==", tolerance=1e-11,
            tight=np.nan, script="thm3_1" if name == "kept" else None,
        )  # fmt: skip
    yield from _smooth(ctx)
    for eta, c in ((0.5, (1.0, 2.0, -1.0)), (0.3, (0.2, 3.0, 5.0))):
        model, training = full_batch(np.ones(3), np.array(c), 0.0, eta, 2)
        both, one, two = (difference(model, training, np.array(s))[0] for s in ([0, 1], [0], [1]))
        inputs = {
            "eta": eta, "h": 1.0, "n": 3.0, "m": 2.0, "T": 2.0, "cbar": sum(c) / 3,
            "c_U": (c[0] + c[1]) / 2, "w0": 0.0,
        }  # fmt: skip
        for form in FORMS:
            yield ctx.compare(
                "kept", form, both, inputs, "three quadratics, two steps", relation="==",
                script="thm3_1" if form == "printed" else None,
            )  # fmt: skip
        yield ctx.compare(
            "kept", "corrected", both - one - two, {"eta": eta}, "gap -(eta^2/9)(c_1 + c_2)",
            bound=-(eta**2) / 9 * (c[0] + c[1]), relation="==", tight=np.nan,
        )  # fmt: skip
    for _ in range(ctx.pick(15, 200)):
        n = int(rng.integers(3, 9))
        inputs = {
            "eta": float(rng.uniform(0.05, 1)), "h": float(rng.normal() + 0.3), "n": float(n),
            "m": float(rng.integers(2, n)), "T": float(rng.integers(2, 25)),
            "cbar": float(rng.normal()), "c_U": float(rng.normal() + 2), "w0": float(rng.normal()),
        }  # fmt: skip
        yield ctx.compare(
            "kept", "corrected", measure(**inputs), inputs, "equal Hessians on a line",
            relation="==", tolerance=1e-8,
        )  # fmt: skip


def _smooth(ctx: Context) -> Iterator[Evidence]:
    """Additivity of (11) beyond quadratics; the exact kind does not add up there either."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.equation_11_13 import smooth_worlds
    from verify.hf.quadratic_worlds import departure

    pairs = []
    for model, training, sample, _ in smooth_worlds(ctx, ctx.pick(4, 40)):
        other = (sample + 1) % model.size
        sets = [[sample, other], [sample], [other]]
        whole, one, two = differences(model, training, sets, Recursion("batch")).vectors
        pairs.append(departure(one + two, whole))
    left, right = np.array(pairs).T
    yield ctx.compare(
        "literal", "printed", left, {}, "logistic and network losses", bound=right,
        relation="==", tolerance=1e-12, tight=np.nan,
    )  # fmt: skip


def check_limit(ctx: Context) -> Iterator[Evidence]:
    for n, m in ((10, 3), (20, 10), (3, 2), (10, 9)):
        inputs = {"n": float(n), "m": float(m)}
        yield ctx.compare(
            "literal", "tight", measure_limit(**inputs), inputs, "all runs at rest", relation="=="
        )


CHECKERS = {CLAIM.id: check, LIMIT.id: check_limit}
MEASURES = {CLAIM.id: measure, LIMIT.id: measure_limit}

"""Equations (17) to (19) of safe: Bayes on counted laws, and models that do not follow them."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from verify.claim import Claim, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.safe.tables import Table, three_features

EQ17 = Claim(
    id="safe.eq17",
    label="Equation (17)",
    kind="equality",
    statement="p_t(y|x) = [p_0(x)/p_t(x)] [p_t(y)/p_0(y)] [p_t(x|y)/p_0(x|y)] p_0(y|x).",
    readings=(
        Reading(
            "literal", "laws of D_0 and D_t, p_0(x|y) > 0 wherever p_t(x|y) is", ("printed",),
            proofs={"printed": "Bayes' rule for p_t and for p_0"},
        ),
    ),
)  # fmt: skip
EQ18 = Claim(
    id="safe.eq18",
    label="Equation (18)",
    kind="equality",
    statement="p_t(y|x) is proportional to [p_t(y)/p_0(y)] [p_t(x|y)/p_0(x|y)] p_0(y|x).",
    readings=(
        Reading(
            "literal", "proportional in y at a fixed x", ("printed",),
            proofs={"printed": "eq (17), whose factor p_0(x)/p_t(x) does not depend on y"},
        ),
    ),
    correction="Nothing is approximated: marginal shifts need be neither negligible nor absorbed.",
)  # fmt: skip
EQ19 = Claim(
    id="safe.eq19",
    label="Equation (19)",
    kind="equality",
    statement="f(x; w_t*) is approximately the label ratio times the conditional ratio times "
    "f(x; w_0), normalised.",
    readings=(
        Reading("literal", "no error is stated", ("printed",)),
        Reading(
            "saturated", "f(.; w_0) = p_0, f(.; w_t*) = p_t, exact ratios; an equality",
            ("printed",), proofs={"printed": "eq (18) for models equal to p_0 and p_t"},
            stance="repair",
        ),
        Reading("smaller", "a model that cannot represent p_t; an equality", ("printed",),
                stance="repair"),
    ),
    correction="Assume f(.; w_t*) = p_t beside f(.; w_0) = p_0, or bound the error of the "
    "log-odds log(q_c f_c(x; w_0)) - log f_c(x; w_t*).",
)  # fmt: skip
CLAIMS = (EQ17, EQ18, EQ19)


def _tables(ctx: Context) -> Iterator[Table]:
    rng = ctx.rng()
    yield from (three_features(N, m) for N, m in ((3, 1), (100, 50), (30, 20)))
    for _ in range(ctx.pick(30, 300)):
        yield Table.random(rng, int(rng.integers(2, 5)), int(rng.integers(2, 5)))


def check_17(ctx: Context) -> Iterator[Evidence]:
    pairs = [
        (table, x, y)
        for table in _tables(ctx)
        for x in range(len(table.before))
        for y in range(table.classes)
    ]
    inputs = {
        "marginal": [float(t.marginal(x)) for t, x, _ in pairs],
        "label": [float(t.label(y)) for t, _, y in pairs],
        "conditional": [float(t.conditional(x, y)) for t, x, y in pairs],
        "p0": [float(t.prior(x, y)) for t, x, y in pairs],
    }
    counted = [float(t.posterior(x, y)) for t, x, y in pairs]
    yield ctx.compare(
        "literal", "printed", counted, inputs, "counted laws, some samples deleted",
        relation="==", tolerance=1e-12,
    )  # fmt: skip
    constant = [p0 * a for p0, a in zip(inputs["p0"], inputs["conditional"], strict=True)]
    yield ctx.compare(
        "literal", "printed", counted, inputs, "without the marginal and the label ratio",
        bound=constant, relation="==", role="control",
    )  # fmt: skip


def check_18(ctx: Context) -> Iterator[Evidence]:
    for table in _tables(ctx):
        for x in range(len(table.before)):
            for y in range(table.classes):
                inputs = table.lists(x, y, "prior")
                yield ctx.compare(
                    "literal", "printed", float(table.posterior(x, y)), inputs,
                    "counted laws, normalised over the classes", relation="==", tolerance=1e-12,
                )  # fmt: skip
    table = three_features(3, 1)
    inputs = table.lists(1, 0, "prior")
    yield ctx.compare(
        "literal", "printed", float(table.posterior(1, 0)), inputs,
        "with the marginal ratio taken as 1 instead of normalising",
        bound=inputs["labels"][0] * inputs["conditionals"][0] * inputs["prior"][0],
        relation="==", role="control",
    )  # fmt: skip


def check_19(ctx: Context) -> Iterator[Evidence]:
    yield ctx.declare(
        "literal", "printed", "unspecified",
        "an approximation sign without an error, and f(.; w_t*) = p_t is assumed nowhere",
    )  # fmt: skip
    for table in _tables(ctx):
        for x in range(len(table.before)):
            yield ctx.compare(
                "saturated", "printed", float(table.posterior(x, 0)), table.lists(x, 0, "model"),
                "a table of probabilities trained on the counts", relation="==", tolerance=1e-12,
            )  # fmt: skip
    table = Table([[3, 1], [1, 3]], [[1, 1], [1, 3]])
    inputs = table.lists(0, 0, "prior")
    blind = {"labels": inputs["labels"], "conditionals": inputs["conditionals"], "model": [0.5] * 2}
    retrained = Fraction(sum(row[0] for row in table.after), sum(map(sum, table.after)))
    yield ctx.compare(
        "smaller", "printed", float(retrained), blind, "a model that does not see x",
        relation="==", script="eq19",
    )  # fmt: skip


CHECKERS = {EQ17.id: check_17, EQ18.id: check_18, EQ19.id: check_19}

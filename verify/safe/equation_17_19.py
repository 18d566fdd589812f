"""Equations (17) to (19) of safe: Bayes on counted laws, and models that do not follow them."""

from collections.abc import Iterator

import numpy as np

from verify.checks import Check, Context, Findings
from verify.safe.tables import Table, three_features


def _tables(ctx: Context) -> Iterator[Table]:
    rng = ctx.rng()
    yield from (three_features(N, m) for N, m in ((3, 1), (100, 50), (30, 20)))
    for _ in range(ctx.pick(30, 300)):
        yield Table.random(rng, int(rng.integers(2, 5)), int(rng.integers(2, 5)))


def check_17(ctx: Context) -> Findings:
    """Posteriors of counted laws, by counting and by Bayes' rule."""
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
    posteriors = [float(t.posterior(x, y)) for t, x, y in pairs]
    at = "counted laws, some samples deleted"
    yield ctx.compare("literal", "printed", posteriors, inputs, at, tolerance=1e-12)
    constant = np.multiply(inputs["p0"], inputs["conditional"])
    options = {"bound": constant, "relation": "==", "role": "control"}
    at = "without the marginal and the label ratio"
    yield ctx.compare("literal", "printed", posteriors, inputs, at, **options)


def check_18(ctx: Context) -> Findings:
    """Posteriors of counted laws, normalised over the classes."""
    at = "counted laws, normalised over the classes"
    for table in _tables(ctx):
        for x in range(len(table.before)):
            for y in range(table.classes):
                lhs = float(table.posterior(x, y))
                inputs = table.lists(x, y, "prior")
                yield ctx.compare("literal", "printed", lhs, inputs, at, tolerance=1e-12)
    table = three_features(3, 1)
    lhs = float(table.posterior(1, 0))
    inputs = table.lists(1, 0, "prior")
    bound = inputs["labels"][0] * inputs["conditionals"][0] * inputs["prior"][0]
    options = {"bound": bound, "relation": "==", "role": "control"}
    at = "with the marginal ratio taken as 1 instead of normalising"
    yield ctx.compare("literal", "printed", lhs, inputs, at, **options)


def check_19(ctx: Context) -> Findings:
    """Posteriors of counted laws when the model is saturated, and when it does not see x."""
    reason = "an approximation sign without an error, and f(.; w_t*) = p_t is assumed nowhere"
    yield ctx.declare("literal", "printed", "unspecified", reason)
    at = "a table of probabilities trained on the counts"
    for table in _tables(ctx):
        for x in range(len(table.before)):
            lhs = float(table.posterior(x, 0))
            inputs = table.lists(x, 0, "model")
            yield ctx.compare("saturated", "printed", lhs, inputs, at, tolerance=1e-12)
    table = Table([[3, 1], [1, 3]], [[1, 1], [1, 3]])
    blind = {**table.lists(0, 0, "model"), "model": [0.5] * 2}
    lhs = sum(row[0] for row in table.after) / sum(map(sum, table.after))
    at = "a model that does not see x"
    yield ctx.compare("smaller", "printed", lhs, blind, at, script="eq19")


CHECKS = (Check("safe.eq17", check_17), Check("safe.eq18", check_18), Check("safe.eq19", check_19))

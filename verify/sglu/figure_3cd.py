"""Figures 3c and 3d of sglu: one epoch at b = 32 is enough, five at b = 512 are not."""

from itertools import product

from bounds.sglu.figure_3cd import CLAIMED, EPSILON, PLANS, STORED, STORED_SIGMAS, TOTALS
from bounds.sglu.settings import REQUESTS, SEQUENTIAL_SIGMAS, SIZES
from verify.checks import Check, Context, Findings
from verify.sglu.sequence_chain import INSIDE, chain_epochs, loop_epochs

SCRIPTS = {"printed": "sec4_atmost15", "stored": "sec4_atmost15_stored"}


def measure(n: float, b: float, S: float, sigma: float, epsilon: float) -> float:
    """Most epochs of a request on exact laws of quadratics, each running as few as it can."""
    return float(max(chain_epochs(n, b, S, sigma, epsilon)))


def check(ctx: Context) -> Findings:
    """Most epochs of any request by each form and on exact laws, every setting of the figures.

    Then the totals, against the lists that are stored with the authors' code.
    """
    for (data, n), (b, claimed), sigma in product(
        SIZES.items(), CLAIMED.items(), SEQUENTIAL_SIGMAS
    ):
        inputs = {"n": n, "b": b, "S": REQUESTS, "sigma": sigma, "epsilon": EPSILON}
        instance = f"{data}, b = {b}: most epochs"
        exact = measure(**inputs)
        most = {"printed": float(max(loop_epochs(**inputs))), "tight": exact}
        most["stored"] = float(ctx.claim("stored", **inputs))
        for form, epochs in most.items():
            for interpretation in ("literal", "small")[: 2 if b == 32 else 1]:
                options = {"bound": claimed, "script": SCRIPTS.get(form)}
                yield ctx.compare(interpretation, form, epochs, inputs, instance, **options)
        instance = f"{instance} on exact laws"
        yield ctx.compare("literal", "tight", exact, inputs, instance, relation="==")
    at = {"n": 9728, "b": 512, "sigma": 0.05}
    instance = "one epoch at b = 512"
    few = float(max(chain_epochs(**at, S=3, epsilon=EPSILON)))
    yield ctx.compare("small", "tight", few, at, instance, bound=1.0, role="control")
    lists = [("lists", form, STORED, STORED_SIGMAS) for form in ("printed", "stored")]
    totals = [("totals", form, table, SEQUENTIAL_SIGMAS) for form, table in TOTALS.items()]
    for interpretation, form, table, sigmas in (*lists, *totals):
        rows = []
        for (data, batch), printed in table.items():
            n = SIZES[data]
            for sigma, total in zip(sigmas, printed, strict=True):
                computed = ctx.scale * sum(PLANS[form](n, batch or n, REQUESTS, sigma, EPSILON))
                row = {"data": data, "b": batch or n, "sigma": sigma, "printed": total}
                rows.append({**row, "computed": computed, "match": computed == total})
        yield ctx.reproduce(interpretation, form, "equal as whole numbers", rows)


CHECKS = (
    Check(
        "sglu.sec4.atmost15",
        evidence=check,
        exact_side=measure,
        limits={"literal": INSIDE, "small": INSIDE},
    ),
)

"""(10), (23), (35) of hf and Stage II: the recollection matrix as printed, four times over."""

from fractions import Fraction

from bounds.hf.equation_10 import INPUTS
from verify.checks import Check, Context, Findings, Instances

AS_PRINTED = {"hf.eq10": "literal", "hf.proofa1": "late", "hf.alg1_stage2": "skipped"}


def measure(eta: float, h: float, n: float, T: float, cbar: float, c_u: float, w0: float) -> float:
    """The recursion (8)-(9) along n quadratics on a line, full batches, in exact arithmetic."""
    w = Fraction(w0)
    vector = Fraction(0)
    move = Fraction(eta) * Fraction(h)
    for _ in range(int(T)):
        vector += move * ((w - Fraction(c_u)) / int(n) - vector)
        w -= move * (w - Fraction(cbar))
    return float(vector)


def _check(ctx: Context) -> Findings:
    """Statistics with the matrices multiplied out as printed and corrected, random quadratics."""
    from simulators.trajectory.recursion import Recursion, differences
    from verify.hf.quadratic_problems import departure, equal, problems
    from verify.hf.recollection_matrix import recollected

    texts = {"printed": AS_PRINTED[ctx.claim.id], "corrected": "corrected"}
    pairs: dict[str, list[tuple[float, float]]] = {form: [] for form in texts}
    for problem in problems(ctx.rng(1), ctx.pick(40, 600)):
        run = (problem.model, problem.training)
        sample = int(problem.forget[0])
        per_epoch = sum(sample in r for r in problem.training.batches)
        per_epoch = len(problem.training.batches) // per_epoch
        statistic = differences(*run, [[sample]], Recursion("batch")).vectors[0]
        for form, interpretation in texts.items():
            product = recollected(*run, sample, per_epoch, interpretation)
            pairs[form].append(departure(statistic, product))
    at = "matrices multiplied out, random batches and Hessians"
    for form, values in pairs.items():
        yield equal(ctx, "literal", form, values, at)


def _line(script: str) -> tuple[Instances]:
    at = Instances(
        "full batches on a line",
        ({**INPUTS, "T": 200}, {**INPUTS, "T": 1, "eta": 0.4}),
        draws=(30, 300),
        within={"eta": (0.05, 1), "h": (-3, 3), "n": (2, 8), "T": (1, 30)},
        tolerance=1e-8,
        relations={"printed": "==", "corrected": "=="},
        script=script,
    )
    return (at,)


CHECKS = (
    Check("hf.eq10", _check, measure, _line("eq10")).measured_by("recollection", "row_vector"),
    Check("hf.proofa1", _check, measure, _line("proofa1")).measured_by(
        "recollection", "row_vector"
    ),
    Check("hf.alg1_stage2", _check, measure, _line("alg1_stage2")).measured_by(
        "recollection", "row_vector", relation="=="
    ),
)

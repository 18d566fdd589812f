"""Definition 2.3 of sglu: "for any alpha > 1" beside a given alpha would leave no Gaussian case."""

from verify.checks import Check, Context, Findings
from verify.sglu.instances import LinearRun, renyi_difference


def check(ctx: Context) -> Findings:
    """Divergences of one pair of quadratic runs at orders below and above the one that is given."""
    run = LinearRun.of(eta=0.8, m=0.1, M=1.0, b=2, J=3, sigma=0.3)
    T, K, order = 4, 2, 2.0
    laws = run.unlearned(T, K), run.learned(-1, T + K)
    epsilon = renyi_difference(*laws, order)
    instance = "(2, eps)-RU on quadratics"
    for alpha, form, what, script in (
        (1.5, "corrected", "orders up to 2", None),
        (order, "corrected", "orders up to 2", None),
        (4.0, "printed", "larger orders exceed eps", "def2_3"),
        (16.0, "printed", "larger orders exceed eps", "def2_3"),
    ):
        exact = renyi_difference(*laws, alpha)
        inputs = {"alpha": alpha, "T": T, "K": K}
        options = {"bound": epsilon, "script": script}
        yield ctx.compare("literal", form, exact, inputs, f"{instance}: {what}", **options)


CHECKS = (Check("sglu.def2.3", evidence=check),)

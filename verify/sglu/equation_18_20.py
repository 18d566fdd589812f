"""(18)-(20) of sglu: the distance in (18) is the one at the start, not the one after T epochs."""

import math

from simulators.exact import line_winf
from simulators.exact.gaussian import Gaussian
from simulators.exact.transfer import Atoms
from verify.checks import Check, Context, Findings, Instances
from verify.sglu.instances import LINE, LinearRun, ProjectedRun, renyi_difference


def measure(
    alpha: float, eta: float, m: float, sigma: float, J: float, T: float, W0: float
) -> float:
    """Exact d_alpha on quadratics started from their stationary law moved by W0."""
    run = LinearRun.of(eta=eta, m=m, M=0.0, b=1, J=J, sigma=sigma)
    limit = run.stationary(-1)
    learned_law = run.learned(-1, T, limit.shifted(W0))
    # Only the mean moves: the covariance is the stationary one, but for rounding.
    return renyi_difference(Gaussian(learned_law.mean, limit.cov), limit, alpha)


def check(ctx: Context) -> Findings:
    """d_alpha to the stationary law: one chain by hand, then quadratics on an interval."""
    simple = {"alpha": 2.0, "eta": 0.5, "m": 1.0, "sigma": 1.0, "J": 1, "T": 3, "W0": 1.0}
    exact = measure(**simple)
    instance = "x -> x/2 + N(0, 1), stationary law moved"
    yield ctx.compare("literal", "printed", exact, simple, instance, script="eq18_20")
    base = {"eta": 0.5, "m": 0.4, "sigma": 0.4, "J": 2}
    box = ProjectedRun.linear(**base, R=1.0, b=1, old=0.3, new=-0.3)
    limit, end = box.stationary(-1), Atoms.at(1.0)
    start = box.learned(-1, 1, end)
    for T in (1, 3):
        inputs = {**base, "alpha": 3.0, "T": T, "W0": line_winf.winf(start, limit)}
        exact = renyi_difference(box.learned(-1, T, start), limit, 3.0)
        for form in ("corrected", "tight"):
            yield ctx.compare("literal", form, exact, inputs, "quadratics on an interval")
        far = renyi_difference(box.learned(-1, T, end), limit, 3.0)
        inputs = {**inputs, "W0": 2.0}
        instance = "(19): from an end of the interval, W_0 = 2R"
        yield ctx.compare("literal", "corrected", far, inputs, instance, tight=math.nan)
    yield from _attained(ctx)


def _attained(ctx: Context) -> Findings:
    """Equality of Lemma 3.4 from two points; (18) on an interval, from end to end."""
    rng = ctx.rng(1)
    options = {"relation": "==", "tolerance": 1e-8}
    for _ in range(ctx.pick(10, 100)):
        real = ("alpha", "eta", "m", "sigma", "W0")
        whole = ("J", "T")
        chosen = {name: float(rng.uniform(*WITHIN[name])) for name in real}
        chosen |= {name: int(rng.integers(1, 5)) for name in whole}
        run = LinearRun.of(**chosen, M=0.0, b=1)
        instance = "quadratics, from two points W_0 apart"
        ends = [run.learned(-1, chosen["T"], Gaussian.point(x)) for x in (chosen["W0"], 0.0)]
        exact = renyi_difference(ends[0], ends[1], chosen["alpha"])
        yield ctx.compare("literal", "tight", exact, chosen, instance, **options)
    inputs = {"alpha": 3.0, "eta": 0.5, "m": 0.4, "sigma": 0.25, "J": 2, "T": 3, "W0": 2.0}
    box = ProjectedRun.linear(**inputs, R=1.0, b=1, old=-0.4, new=-0.4, rest=-0.4)
    exact = renyi_difference(box.stationary(-1), box.learned(-1, 3, Atoms.at(1.0)), 3.0)
    instance = "from one end of the interval to the optimum at the other"
    yield from ctx.compare_forms("literal", exact, inputs, instance)
    less = ctx.claim("tight", **{**inputs, "W0": 1.0})
    remark = "a distance of R would be too small"
    yield ctx.compare("literal", "tight", exact, inputs, remark, bound=less, role="control")


WITHIN = {**LINE, "T": (1, 5), "W0": (0.1, 4)}
MOVED = Instances("quadratics, shifted stationary start", draws=(25, 300), within=WITHIN)
CHECKS = (
    Check("sglu.eq18_20", evidence=check, exact_side=measure, at=(MOVED,)).measured_by(
        "langevin", "learning_renyi", where=("short steps",)
    ),
)

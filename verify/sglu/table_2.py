"""Table 2 of sglu: the burn-in epochs leave nothing that any guarantee could notice."""

import math
from itertools import product

from accounting.noisy_sgd.constants import NoisySGD
from bounds.sglu.accountants import TrainingScenario, loss
from bounds.sglu.settings import BURN_IN, RADIUS, SIZES, constants
from simulators.exact.gaussian import Gaussian
from simulators.exact.gaussian_divergence import winf
from verify.checks import Check, Context, Findings, Instances, case_table
from verify.sglu.instances import LinearRun, renyi_difference


def measure(n: float, b: float, T: float, R: float) -> float:
    """W-infinity between chains of quadratics that start 2R apart, after T epochs."""
    run = _run(n, b)
    one, other = (run.learned(-1, T, Gaussian.point(x)) for x in (2 * R, 0.0))
    return winf(one, other, rtol=1e-9)


def _run(n: float, b: float, sigma: float = 0.03) -> LinearRun:
    setting = {key: float(value) for key, value in constants(n, b).items()}
    return LinearRun.of(**setting, sigma=sigma)


def exact_loss(n: int, b: int, T: float, R: float) -> float:
    """d_2 on quadratics: T learning epochs from R and one of unlearning, retrained from -R."""
    run = _run(n, b)
    unlearned = run.unlearned(T, 1, Gaussian.point(R))
    return renyi_difference(unlearned, run.learned(-1, T, Gaussian.point(-R)), 2.0)


def printed_epsilon(n: int, b: int, T: int | None, epsilon: float) -> float:
    """Algorithm 5's epsilon after T epochs (None: forever) at the noise that is right forever."""
    m = 1e-6 * n
    setting = NoisySGD(n, b, 0.25 + m, m, 1.0, radius=RADIUS)
    forever = loss(TrainingScenario(setting), "printed")
    sigma = forever.sigma(epsilon, 1 / n)
    finite = forever if T is None else loss(TrainingScenario(setting, 1, T, "T"), "printed")
    return finite.epsilon(sigma, 1 / n)


def check(ctx: Context) -> Findings:
    """Exact d_2 on quadratics and epsilon of Algorithm 5 after the burn-in, and at T = infinity."""
    for (data, n), (batch, T) in product(SIZES.items(), BURN_IN.items()):
        b = batch or n
        options = {"tight": math.nan, "relation": "=="}
        inputs = {"n": n, "b": b, "T": T, "R": RADIUS}
        at = f"{data}, b = {b}, T = {T}"
        forever, exact = (exact_loss(n, b, epochs, RADIUS) for epochs in (math.inf, T))
        instance = f"exact d_2 on quadratics from starts 2R apart, and at T = infinity: {at}"
        yield ctx.compare("literal", "printed", exact, inputs, instance, bound=forever, **options)
        for epsilon in (0.05, 1.0, 5.0):
            epsilon_value, bound = (printed_epsilon(n, b, epochs, epsilon) for epochs in (T, None))
            here = {**inputs, "epsilon": epsilon}
            instance = f"epsilon of Algorithm 5, and at T = infinity: {at}"
            yield ctx.compare(
                "literal", "printed", epsilon_value, here, instance, bound=bound, **options
            )
        early = exact_loss(n, b, T // 10, RADIUS)
        options = {"relation": "==", "role": "control"}
        instance = f"a tenth of the epochs: {at}"
        yield ctx.compare("literal", "printed", early, inputs, instance, bound=forever, **options)


SHORT = [
    (n, batch or n, int(T * fraction), RADIUS)
    for n, (batch, T), fraction in product(SIZES.values(), BURN_IN.items(), (0.1, 0.5, 1.0))
]
APART = Instances(
    "quadratics that start 2R apart",
    case_table("n b T R", *SHORT),
    interpretations=("distance",),
    tolerance=1e-7,
    relations={"printed": "=="},
)
CHECKS = (Check("sglu.sec4.t", evidence=check, exact_side=measure, at=(APART,)),)

"""Privacy of noisy SGD on sampled batches, by several accountants; see `SampledSGD`.

    training    the composition of all training steps, as if each were published
    mixture     batch patterns averaged at a common level, linear losses as the worst of the class
    patterns    delta averaged over the patterns (joint convexity)
    exact       the least of these
    lower       the linear instance, which no accountant can beat

All but the last are upper bounds.  How they are found is told in `accounting.sampled.accountants`.
"""

import math
import warnings
from collections.abc import Callable

from accounting.numerics.validation import choice, scalar
from accounting.sampled.accountants import accounts
from accounting.sampled.algorithm import MOST_STEPS, SampledSGD

_FARTHEST, _LONGEST = math.log(1e12), math.log(8)  # of log sigma; of a step in it
_NARROW = 1e-6  # of log sigma, how far an answer may be above the least
ACCOUNTANTS = ("exact", "mixture", "patterns", "training", "lower")


def sampled_epsilon(
    setting: SampledSGD, sigma: float, delta: float, accountant: str = "exact"
) -> float:
    """Return the epsilon at delta that an accountant certifies for the noise multiplier sigma.

    sigma > 0, delta in (0, 1).  Both directions; rounded up, but "lower" down: no accountant can
    certify less than that for all losses of the class.  "training" needs dp-accounting for Poisson
    sampling and batches of fixed size ("exact" goes without where it is not installed).
    Raises ValueError out of range.
    """
    if not isinstance(setting, SampledSGD):
        raise ValueError(f"setting must be a SampledSGD, got {setting!r}")
    s = scalar("sigma", sigma, low=0.0, high=1e100, low_open=True)
    d = scalar("delta", delta, low=0.0, high=1.0, low_open=True, high_open=True)
    name = choice("accountant", accountant, ACCOUNTANTS)
    epsilon = getattr(accounts(setting, d), name)(s)
    return float(epsilon[0] if name == "exact" else epsilon)


def sampled_noise(
    setting: SampledSGD, epsilon: float, delta: float, accountant: str = "exact"
) -> float:
    """Return the least noise multiplier for (epsilon, delta) by an accountant, to 1e-6, from above.

    inf where none suffices.  epsilon >= 0; the rest, and errors, as for `sampled_epsilon`.
    """
    target = scalar("epsilon", epsilon, low=0.0, high=1e300)

    def excess(x: float) -> float:
        value = sampled_epsilon(setting, math.exp(x), delta, accountant)
        # The sign is that of the exact comparison; the size, which may be rounded, only guides the
        # search.
        if value <= target:
            return min(math.log(max(value, 1e-9) / max(target, 1e-9)), 0.0)
        # inf stands for a large excess, and 1e-15 keeps the sign where the logarithm rounds to 0.
        return 50.0 if value == math.inf else math.log(value / max(target, 1e-9)) + 1e-15

    # x = log sigma, from sigma = 1 on.
    points: list[tuple[float, float]] = []
    if choice("accountant", accountant, ACCOUNTANTS) != "lower":
        least = math.log(sampled_noise(setting, epsilon, delta, "lower"))
        # No accountant can go below it, and where it says something most need little more.
        for x in (least, least + _NARROW) if abs(least) < _FARTHEST else ():
            points.append((x, excess(x)))
            if points[-1][1] <= 0:
                return math.exp(x)
    if not points:
        points.append((0.0, excess(0.0)))
    while True:
        x, y = points[-1]
        if abs(x) > _FARTHEST:
            return math.inf if y > 0 else math.exp(x)
        # A little beyond the root, if epsilon is as 1/sigma.
        move = min(1.05 * abs(y) + 0.01, _LONGEST) if y else _LONGEST
        other = x + move if y > 0 else x - move
        points.append((other, excess(other)))
        if (points[-1][1] > 0) != (y > 0):
            return math.exp(_narrowed(excess, points))


def _narrowed(excess: Callable[[float], float], points: list[tuple[float, float]]) -> float:
    """The end of a bracket of width `_NARROW` where a falling function is <= 0.

    points: where it is known, the bracket last.
    """
    # epsilon falls in sigma: the end that certifies is the upper one.
    low, high = sorted(x for x, _ in points[-2:])
    older = old = math.inf
    while high - low > _NARROW:
        # Beside where it is expected, so that the bracket closes; a bisection where it did not.
        x, error = _expected(points)
        x += error if high - x > x - low else -error
        if high - low > older / 2 or not low < x < high:
            x = (low + high) / 2
        if not low < x < high:
            break
        older, old = old, high - low
        points.append((x, excess(x)))
        low, high = (x, high) if points[-1][1] > 0 else (low, x)
    return high


def _expected(points: list[tuple[float, float]]) -> tuple[float, float]:
    """The root of the cubic through the points next to it, and how far it may be off."""
    near: list[tuple[float, float]] = []
    for x, y in sorted(points, key=lambda point: abs(point[1])):
        # Interpolation in y divides by differences of the values.
        if len(near) < 4 and all(y != other for _, other in near):
            near.append((x, y))
    estimate, last = near[0][0], math.inf
    row = [near[0][0]]
    for k in range(1, len(near)):
        # Neville's scheme for x as a function of y, at y = 0.
        x, y = near[k]
        new = [x]
        for j in range(1, k + 1):
            behind = near[k - j][1]
            new.append(new[-1] + (new[-1] - row[j - 1]) * y / (behind - y))
        estimate, last, row = new[-1], abs(new[-1] - estimate), new
    return estimate, max(last, 3e-7)


class RetrainingIsShorter(UserWarning):
    """A plan of unlearning steps is no shorter than the training, which anybody may run again."""


def against_retraining(steps: int, retraining: int) -> str:
    """How a plan of unlearning steps compares with the steps of a training from the start."""
    plan = f"{steps} unlearning steps, retraining {retraining}"
    if steps >= retraining:
        return f"{plan}: retrain"
    return f"{plan}: {steps / retraining:.3g} of it"


def least_unlearning_steps(
    setting: SampledSGD, sigma: float, epsilon: float, delta: float, accountant: str = "exact"
) -> int:
    """Return the least K for (epsilon, delta) at the noise multiplier sigma, by an accountant.

    The setting's own K is not used.  Warns, as `RetrainingIsShorter`, where K is not below the N
    steps of the training: retraining is then shorter, and leaves epsilon = 0.  Raises ValueError
    where 10^6 steps are not enough, and where the setting has a number for each step.
    """
    steps = fewest_steps(setting, sigma, epsilon, delta, accountant)
    if steps >= setting.steps:
        warnings.warn(against_retraining(steps, setting.steps), RetrainingIsShorter, stacklevel=2)
    return steps


def fewest_steps(
    setting: SampledSGD, sigma: float, epsilon: float, delta: float, accountant: str = "exact"
) -> int:
    """`least_unlearning_steps` without its warning, for callers that say the same themselves."""
    target = scalar("epsilon", epsilon, low=0.0, high=1e300)

    def met(steps: int) -> bool:
        at = setting.with_unlearning(steps)
        return sampled_epsilon(at, sigma, delta, accountant) <= target

    if not isinstance(setting, SampledSGD):
        raise ValueError(f"setting must be a SampledSGD, got {setting!r}")
    # No accountant needs fewer steps than the cheapest, which bounds them all from below.
    least = 0
    if choice("accountant", accountant, ACCOUNTANTS) != "lower":
        least = fewest_steps(setting, sigma, epsilon, delta, "lower")
    low, high = least - 1, least
    while not met(high):
        low, high = high, high + max(2 * (high - least), 1)
        if high > MOST_STEPS:
            raise ValueError(
                f"epsilon must be within reach of {MOST_STEPS} unlearning steps at this sigma, "
                f"got {epsilon!r}{_no_contraction(setting, delta)}; retraining takes "
                f"{setting.steps} steps"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if met(middle) else (middle, high)
    return high


def _no_contraction(setting: SampledSGD, delta: float) -> str:
    """Why no number of steps is enough, where steps bring two runs no closer."""
    rows, _ = setting.most_rows(delta)
    if float(setting.contraction(rows).min()) < 1:
        return ""
    if setting.ridge == 0:
        return ": ridge is 0, without which steps do not forget by themselves"
    return f": a step of length {float(setting.eta.max()):g} on {rows} rows does not contract"

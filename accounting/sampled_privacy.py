"""Privacy of noisy SGD on sampled batches, by several accountants; see `SampledSGD`.

    training    the composition of all training steps, as if each were published
    mixture     batch patterns averaged at a common level, linear losses as the worst of the class
    patterns    delta averaged over the patterns (joint convexity)
    exact       the least of these
    lower       the linear instance, which no accountant can beat

All but the last are upper bounds.  How they are found is told in `accounting.sampled_accounts`.
"""

import math
from collections.abc import Callable

from accounting.sampled_accounts import accounts
from accounting.sampled_sgd import MOST_STEPS, SampledSGD
from accounting.validation import choice, scalar

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
    found = getattr(accounts(setting, d), name)(s)
    return float(found[0] if name == "exact" else found)


def sampled_noise(
    setting: SampledSGD, epsilon: float, delta: float, accountant: str = "exact"
) -> float:
    """Return the least noise multiplier for (epsilon, delta) by an accountant, to 1e-6, from above.

    inf where none suffices.  epsilon >= 0; the rest, and errors, as for `sampled_epsilon`.
    """
    wanted = scalar("epsilon", epsilon, low=0.0, high=1e300)
    low = high = 1.0

    def excess(sigma: float) -> float:
        found = sampled_epsilon(setting, sigma, delta, accountant)
        if found <= wanted:
            return min(math.log(max(found, 1e-9) / max(wanted, 1e-9)), 0.0)
        return 50.0 if found == math.inf else math.log(found / max(wanted, 1e-9)) + 1e-15

    above = below = excess(high)
    while below > 0:
        low, above, high = high, below, 2 * high
        if high > 1e12:
            return math.inf
        below = excess(high)
    while low == high or above <= 0:
        high, below, low = low, above, low / 2
        if low < 1e-12:
            return high
        above = excess(low)
    return _narrowed(excess, (low, above), (high, below))


def _narrowed(
    excess: Callable[[float], float], left: tuple[float, float], right: tuple[float, float]
) -> float:
    """The end of a bracket of relative width 1e-6 where a falling function is <= 0."""
    (low, above), (high, below) = left, right
    turn = 0
    while high > low * (1 + 1e-6):
        # Regula falsi in logarithms, from a little to either side; every third time a bisection.
        share = above / (above - below) if turn % 3 < 2 else 0.5
        share += (3e-7, -3e-7)[turn % 2] / math.log(high / low) if turn % 3 < 2 else 0.0
        middle = low * (high / low) ** min(max(share, 1e-3), 1 - 1e-3)
        if not low < middle < high:
            break
        value = excess(middle)
        if value > 0:
            low, above = middle, value
        else:
            high, below = middle, value
        turn += 1
    return high


def least_unlearning_steps(
    setting: SampledSGD, sigma: float, epsilon: float, delta: float, accountant: str = "exact"
) -> int:
    """Return the least K for (epsilon, delta) at the noise multiplier sigma, by an accountant.

    The setting's own K is not used.  Raises ValueError where 10^5 steps are not enough, and where
    the setting has a number for each step.
    """
    wanted = scalar("epsilon", epsilon, low=0.0, high=1e300)

    def met(steps: int) -> bool:
        at = setting.with_unlearning(steps)
        return sampled_epsilon(at, sigma, delta, accountant) <= wanted

    if not isinstance(setting, SampledSGD):
        raise ValueError(f"setting must be a SampledSGD, got {setting!r}")
    # No accountant needs fewer steps than the cheapest, which bounds them all from below.
    least = 0
    if choice("accountant", accountant, ACCOUNTANTS) != "lower":
        least = least_unlearning_steps(setting, sigma, epsilon, delta, "lower")
    low, high = least - 1, least
    while not met(high):
        low, high = high, high + max(2 * (high - least), 1)
        if high > MOST_STEPS:
            raise ValueError(
                f"epsilon must be within reach of {MOST_STEPS} unlearning steps at this sigma, "
                f"got {epsilon!r}"
            )
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if met(middle) else (middle, high)
    return high

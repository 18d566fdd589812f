"""What the accountants of sglu certify, derived again from sums, exact laws and quadrature.

`bounds.sglu.accountants` and `bounds.sglu.unit_loss` are the product; nothing of theirs is used on
the measured side: strengths come from sums over steps and from laws of quadratics, epsilon from a
numerical minimum over orders or from the integral of two densities.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scipy.special import logsumexp

from accounting.noisy_sgd.constants import NoisySGD
from bounds.sglu.accountants import ACCOUNTANTS, TrainingScenario, loss
from simulators.exact.gaussian_divergence import log_hockey_stick_gauss, separation
from verify.checks import Context, Findings
from verify.own.theorem_x3_requests import measure_sequence
from verify.sglu.instances import LinearRun
from verify.sglu.least_energy import least_energy


@dataclass(frozen=True)
class ReplacementPlan:
    """One replaced point in a batch of b, J batches an epoch; K epochs for each of S requests."""

    eta: float
    m: float
    M: float
    b: int
    J: int
    K: int
    R: float = math.inf
    T: int | None = None
    target: str = "stationary"
    order: str = "fixed"
    S: int = 1

    def scenario(self) -> TrainingScenario:
        """The same in terms of the product; L = 1/eta."""
        setting = NoisySGD(self.b * self.J, self.b, 1 / self.eta, self.m, self.M, self.eta, self.R)
        return TrainingScenario(setting, self.K, self.T, self.target, self.order, self.S)

    @property
    def c(self) -> float:
        return 1 - self.eta * self.m

    @property
    def s(self) -> float:
        """Noise of a step at sigma = 1."""
        return math.sqrt(2 * self.eta)

    @property
    def q(self) -> float:
        return 2 * self.eta * self.M / self.b

    def free(self) -> float:
        """Z of the last request, summed over learning epochs and requests; capped if m = 0."""
        epoch, block = self.c**self.J, self.c ** (self.K * self.J)
        if self.target != "stationary":
            return self.q * sum(epoch**t for t in range(self.T or 0))
        single = self.q / (1 - epoch) if self.m else 2 * self.R
        return single * sum(block**i for i in range(self.S))

    def variance(self, steps: int) -> float:
        """Variance of so many steps at sigma = 1."""
        return self.s**2 * sum(self.c ** (2 * i) for i in range(steps))

    def positions(self) -> list[float]:
        """Share of the distance that each equally likely position keeps."""
        last = self.J - 1
        return [self.c ** (last - j) for j in range(self.J)] if self.order == "random" else [1.0]


def printed(plan: ReplacementPlan) -> tuple[str, list[float]]:
    """Kind of Rényi bound, and sqrt(rho) at each position: all noise but the last step's wasted."""
    Z = min(plan.free(), 2 * plan.R)
    contraction = plan.c ** (plan.K * plan.J)
    if plan.target == "T":
        start = 2 * plan.R * plan.c ** ((plan.T or 0) * plan.J)
        return "weak triangle", [math.hypot(start, (start + Z) * contraction) / plan.s]
    once = plan.target == "stationary" and plan.order == "fixed" and plan.S == 1
    roots = [Z * contraction * share / plan.s for share in plan.positions()]
    return ("weak triangle" if once else "Rényi"), roots


def corrected(plan: ReplacementPlan) -> tuple[str, list[float]]:
    """mu at each position, the distance paid by the unlearning steps alone."""
    Z, steps = plan.free(), plan.K * plan.J
    learned_mu = 0.0
    if plan.target == "T":
        all_steps = (plan.T or 0) * plan.J
        start = 2 * plan.R * plan.c**all_steps
        Z = min(Z, 2 * plan.R) + start
        learned_mu = start / math.sqrt(plan.variance(all_steps))
    after = min(Z, 2 * plan.R) * plan.c**steps / math.sqrt(plan.variance(steps))
    return "Gaussian", [learned_mu + after * share for share in plan.positions()]


def exact(plan: ReplacementPlan) -> tuple[str, list[float]]:
    """mu at each position: exact laws of quadratics, or the best shifts by search."""
    steps = {"T": plan.T or 0, "T+K": (plan.T or 0) + plan.K}.get(plan.target, 0) * plan.J
    if steps:
        shifted_epochs = (plan.T or 0) - (plan.K if plan.target == "T" else 0)
        shifts = [0.0] * steps
        for t in range(shifted_epochs):
            shifts[t * plan.J + plan.J - 1] = plan.q
        start = 2 * plan.R if plan.target == "T" else 0.0
        return "Gaussian", [least_energy([plan.c] * steps, shifts, [plan.s] * steps, start)]
    constants = {"eta": plan.eta, "m": plan.m, "M": plan.M, "b": plan.b, "J": plan.J, "sigma": 1.0}
    if plan.S > 1:
        free = measure_sequence(**constants, epochs=[plan.K] * plan.S) if plan.m else math.inf
        return "Gaussian", [min(free, corrected(plan)[1][0])]
    mus = []
    for j in range(plan.J) if plan.order == "random" else [plan.J - 1]:
        mu = math.inf
        if plan.m:
            run = LinearRun.of(**constants, j0=j)
            mu = float(separation(run.unlearned(math.inf, plan.K), run.stationary(-1), rtol=1e-9))
        mus.append(min(mu, *(_restarted(plan, j, tau) for tau in range(200))))
    return "Gaussian", mus


def _restarted(plan: ReplacementPlan, j: int, tau: int) -> float:
    """mu from distance 2R after an arrival tau epochs before the end of learning."""
    quiet = plan.J - 1 - j
    near = 2 * plan.R * plan.c**quiet * plan.c ** (tau * plan.J)
    near += plan.q * plan.c**quiet * sum(plan.c ** (t * plan.J) for t in range(tau))
    steps = (tau + plan.K) * plan.J + quiet
    return near * plan.c ** (plan.K * plan.J) / math.sqrt(plan.variance(steps))


ROUTES: dict[str, Callable[[ReplacementPlan], tuple[str, list[float]]]] = {
    "printed": printed,
    "corrected": corrected,
    "exact": exact,
}


def epsilon(kind: str, strengths: Sequence[float], delta: float) -> float:
    """epsilon of equally likely strengths: least over orders, or where the mean delta is met."""
    from scipy.optimize import brentq, minimize_scalar

    logs = math.log(1 / delta)

    def at(v: float) -> float:
        order = 1 + math.exp(v)
        if kind == "weak triangle":
            return ((order - 0.5) * 2 * order * strengths[0] ** 2 + logs) / (order - 1)
        moments = [math.exp(order * (order - 1) * (r**2 - top)) for r in strengths]
        return order * top + (math.log(sum(moments) / len(moments)) + logs) / (order - 1)

    def excess(e: float) -> float:
        deltas = [log_hockey_stick_gauss(0.0, 1.0, mu, 1.0, e) for mu in strengths]
        return float(logsumexp(deltas)) - math.log(len(deltas)) + logs

    top = max(strengths) ** 2
    if kind == "Gaussian":
        return float(brentq(excess, 0.0, 20 + 20 * top, xtol=1e-12))
    optimum = minimize_scalar(at, bounds=(-12, 12), method="bounded", options={"xatol": 1e-9})
    return float(optimum.fun)


def certified(
    ctx: Context,
    interpretation: str,
    form: str,
    plans: Sequence[ReplacementPlan],
    delta: float = 1e-4,
) -> Findings:
    """Every accountant on every plan: strengths, epsilon at that delta, and the noise for it."""
    for plan in plans:
        for name in ACCOUNTANTS:
            kind, unit = ROUTES[name](plan)
            privacy_loss = loss(plan.scenario(), name)
            sigma = 0.6 * max(unit)
            inputs = {**vars(plan), "accountant": name, "sigma": sigma, "delta": delta}
            needed = epsilon(kind, [mu / sigma for mu in unit], delta)
            for what, derived, stated in (
                ("strength at each position", unit, list(privacy_loss.strengths)),
                ("epsilon", needed, privacy_loss.epsilon(sigma, delta)),
                ("sigma", sigma, privacy_loss.sigma(needed, delta)),
            ):
                yield ctx.compare(
                    interpretation,
                    form,
                    derived,
                    inputs,
                    f"{what} by the {name} accountant",
                    bound=stated,
                    tight=math.nan,
                    relation="==",
                    tolerance=1e-7,
                )

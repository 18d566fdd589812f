"""Costs of active unlearning by olu's own table, and its introduction against its Theorem 3."""

import math

from verify.checks import Check, Context, Findings

_CASES = ((1.0, 2.0), (1.0, 10.0), (1.0, 100.0))  # mu, beta


def active_steps(tau: float, mu: float, beta: float, k: float = 1, L: float = 1.0) -> float:
    """Table 2: log_{1/gamma}(k mu D tau/L) with D = 2L/mu, the widest that L allows."""
    gamma = (beta / mu - 1) / (beta / mu + 1)
    return math.log(2 * k * tau) / -math.log(gamma)


def check_overhead(ctx: Context) -> Findings:
    """Steps and gradients of one deletion by the paper's own table, early and late."""
    yield ctx.compare(
        "passive", "printed", 1.0, {}, "one step, one draw of noise", bound=1.0 * ctx.scale
    )
    for mu, beta in _CASES:
        inputs = {"mu": mu, "beta": beta}
        late, early = (active_steps(tau, mu, beta) for tau in (1e6, 1e3))
        at = "steps at tau = 10^6 against tau = 10^3"
        options = {"tight": float("nan"), "script": "overhead_active"}
        yield ctx.compare("active", "printed", late, inputs, at, bound=early, **options)
        for tau in (1e3, 1e6):
            cost = tau * active_steps(tau, mu, beta)
            at = "gradients of a deletion, against one for each loss so far"
            arguments = {**inputs, "tau": tau}
            yield ctx.compare("gradients", "printed", cost, arguments, at, bound=tau, **options)


def check_convex(ctx: Context) -> Findings:
    """The noise term d sqrt(tau)/u for the first loss and for a late one."""
    for d in (1, 100, 10_000):
        for T in (1e4, 1e8):
            inputs = {"d": d, "T": T}
            bound = 10 * (math.sqrt(T) + d)
            noise = d * math.sqrt(T)
            at = "the first loss deleted at the end: d sqrt(tau)/u"
            options = {"bound": bound, "tight": float("nan"), "script": "intro_convex"}
            yield ctx.compare("literal", "printed", noise, inputs, at, **options)
            u = math.sqrt(T)
            late = {"bound": ctx.scale * (math.sqrt(T) + d), "tight": float("nan")}
            at = "a loss of round sqrt T deleted at the end"
            yield ctx.compare("late", "printed", d * math.sqrt(T) / u, inputs, at, **late)


def check_lipschitz(ctx: Context) -> Findings:
    reason = (
        "Algorithm 1 calibrates its noise by Delta_u, for which the paper gives eta_u L only; with "
        "public gradient norms eta_u |grad f_u(z_u)| would do, which it does not say"
    )
    yield ctx.declare("literal", "printed", "unspecified", reason)


CHECKS = (
    Check("olu.overhead", check_overhead),
    Check("olu.intro.convex", check_convex),
    Check("olu.thm4.lipschitz", check_lipschitz),
)

"""Table 2 of olu: the baselines with their constants (the passive rows are Theorems 2 and 3)."""

from bounds import Hypothesis, Interpretation, Plot, Statement, Symbol
from bounds.olu.noise_terms import enough
from bounds.olu.series import between, moving, rate_of_decay
from bounds.olu.symbols import (
    D,
    L,
    T,
    beta,
    convexity_order,
    different,
    k,
    mu,
    paired,
    tau,
    u,
    within_rounds,
)

ORDER = "an order in T and k, 'omitting constants'"


def order(text: str = ORDER) -> Interpretation:
    """The interpretation in which nothing but an order is claimed."""
    return Interpretation("order", text, {"printed": "<="})


def explicit(text: str) -> Interpretation:
    """The interpretation with constants, which are ours."""
    return Interpretation("explicit", text, {"corrected": "<="}, stance="amended")


REGRET = r"\mathbb{E}[\mathrm{Regret}_T(\mathcal{S},\mathcal{S}^{\mathcal{U}},\mathcal{T})]"


def blocks(xp, regret, T, tau):
    """sum regret(n_i) over n_i = tau_{i+1} - tau_i, i = 0..k, tau_0 = 0, tau_{k+1} = T."""
    return between(xp, regret, 0, tau) + regret(T - tau[xp.count(tau)])


def descent_steps(xp, k, mu, beta, L, D, age):
    """log_{1/gamma}(k mu D age/L)."""
    return xp.log(k * mu * D * age / L) / rate_of_decay(xp, mu, beta)


restart = Statement(
    "olu.tab2",
    "Table 2, discard-and-restart (strongly convex)",
    "table",
    words="Restarting after every deletion has regret O(k log T) and unlearns exactly; "
    "passive unlearning, O(log T + k^2 + noise), outperforms it by a factor k.",
    left=REGRET,
    symbols=(T, L, mu, tau),
    requires=(within_rounds,),
    interpretations=(
        order(),
        explicit("(L^2/2mu) sum of H over the blocks between deletions, against each block's best"),
        Interpretation(
            "factor",
            "passive unlearning is better by a factor k: its printed bound, without noise, "
            "against restarting, T <= 10^6",
            {"printed": "<="},
            stance="component",
        ),
    ),
    plot=Plot("T", (30, 100, 300, 1000), {"L": 1.0, "mu": 1.0, "tau": [10, 20]}, log_x=True),
    quantity="regret of restarting, in blocks that follow the learner",
    correction="(L^2/2mu) sum_i H_{n_i} <= ((k+1)/2)(1 + log(T/(k+1))) L^2/mu.",
)


@restart.form("printed", tex=r"k\log T")
def printed_restart(xp, T, tau):
    """The order that the table gives to restarting after every deletion.

    Note: an order, without constants
    Fails (order): The table gives orders 'omitting constants', so that no run can contradict k log
        T. With constants it is (L²/2μ) Σ H_n over the blocks between deletions.
    Fails (factor): Passive unlearning is said to be better by a factor k, but its own bound without
        noise is {measured} at k = {k}, T = {T}, where discard-and-restart is proved to have at most
        {bound}.
    Source: olu, Table 2
    """
    return xp.count(tau) * xp.log(T)


@restart.form(
    "corrected", tex=r"\frac{L^2}{2\mu}\sum_{i=0}^kH_{n_i},\quad n_i=\tau_{i+1}-\tau_i,\ \tau_0=0"
)
def corrected_restart(xp, T, L, mu, tau):
    """At least the regret of descent restarted after rounds tau_i, steps 1/(mu t) in each block.

    Holds against any point in each block.

    Note: exact unlearning, no noise, no comparator cost; attained in every block
    Proof: descent with steps 1/(mu t) in every block; attained in every block
    Equality: where all gradients have norm L and the point is the best of the block
    """
    return L**2 / (2 * mu) * blocks(xp, xp.harmonic, T, tau)


restart_convex = Statement(
    "olu.tab2.restart_convex",
    "Table 2, discard-and-restart (convex)",
    "table",
    words="Restarting after every deletion has regret O(k sqrt T).",
    left=REGRET,
    symbols=(T, L, D, tau),
    requires=(within_rounds,),
    interpretations=(
        order(),
        explicit("(3/2) D L sum of sqrt(n_i)"),
    ),
    quantity="regret of restarting",
    correction="(3/2) D L sqrt((k + 1) T): smaller by sqrt k.",
)


@restart_convex.form("printed", tex=r"k\sqrt{T}")
def printed_restart_convex(xp, T, tau):
    """The order that the table gives to restarting after every deletion.

    Note: an order; sqrt(k T) is enough
    Fails (order): The table gives orders 'omitting constants', so that no run can contradict k√T.
        With constants it is (3/2)DL √((k + 1)T), smaller by √k.
    Source: olu, Table 2
    """
    return xp.count(tau) * xp.sqrt(T)


@restart_convex.form(
    "corrected",
    tex=r"\frac32DL\sum_{i=0}^k\sqrt{n_i}\le\frac32DL\sqrt{(k+1)T},\quad n_i=\tau_{i+1}-\tau_i,\ "
    r"\tau_0=0",
)
def corrected_restart_convex(xp, T, L, D, tau):
    """At least the regret of descent restarted after rounds tau_i, steps D/(L sqrt t).

    Note: exact unlearning; smaller than the table by sqrt k
    Proof: (3/2) D L sqrt(n) in every block
    """
    return 3 * D * L / 2 * blocks(xp, xp.sqrt, T, tau)


retrain = Statement(
    "olu.tab2.retrain",
    "Table 2, retraining (strongly convex)",
    "table",
    words="Retraining at every deletion has regret O(log T).",
    left=REGRET,
    symbols=(T, L, D, mu, tau),
    requires=(enough, within_rounds),
    interpretations=(
        order(),
        explicit("replay without the deleted losses, steps as they were"),
    ),
    quantity="regret of retraining",
    correction="O(log T + k): the jumps and the comparators are not free.",
)


@retrain.form("printed", tex=r"\log T")
def printed_retrain(xp, T):
    """The order that the table gives to replaying without the deleted losses.

    Note: an order, which leaves out the jumps
    Fails (order): The table gives orders 'omitting constants', and log T says nothing of k: each
        retraining moves the iterate, and each deletion the comparator, for which a term of order k
        is proved.
    Source: olu, Table 2
    """
    return xp.log(T)


@retrain.form(
    "corrected",
    tex=r"\frac{L^2}{2\mu}H_T+\sum_i\Big(LD+\frac{L^2}{2\mu(\tau_i-1)}\Big)"
    r"+\frac{L^2}{\mu}\sum_i\Big(1-\frac{\tau_i}{T}\Big)",
)
def corrected_retrain(xp, T, L, D, mu, tau):
    """At least the regret of descent replayed at tau_i without f_{u_1}..f_{u_i} (steps kept).

    Needs u_i + 1 >= (1 + beta/mu)/2.

    Note: every retraining moves the iterate by up to L/(mu (tau_i - 1))
    Proof: a jump delta costs (2 D |delta| + |delta|^2)/(2 eta); Lemma 5
    """
    jumps = xp.over(lambda i, t: L * D + L**2 / (2 * mu * (t - 1)), tau)
    return L**2 / (2 * mu) * xp.harmonic(T) + jumps + L**2 / mu * moving(xp, T, tau)


path = Symbol(
    "path", "length of the path z_0*..z_k* of the comparators", r"\Lambda", low=0, unit="parameter"
)

retrain_convex = Statement(
    "olu.tab2.retrain_convex",
    "Table 2, retraining (convex)",
    "table",
    words="Retraining at every deletion has regret O(sqrt T).",
    left=REGRET,
    symbols=(T, L, D, u, tau, path),
    requires=(different, paired, enough, within_rounds),
    interpretations=(
        order(),
        explicit("replay without the deleted losses, steps as they were"),
    ),
    quantity="regret of retraining",
    correction="Up to k D L sqrt(tau/u) for the jumps, and L sqrt T times the path.",
)


@retrain_convex.form("printed", tex=r"\sqrt{T}")
def printed_retrain_convex(xp, T):
    """The order that the table gives to replaying without the deleted losses.

    Note: an order: no jumps, no comparators
    Fails (order): The table gives orders 'omitting constants', and √T says nothing of k: jumps to
        the retrained iterates are bounded by kDL√(τ/u) only, and moving comparators may cost an
        order of k√T.
    Source: olu, Table 2
    """
    return xp.sqrt(T)


@retrain_convex.form(
    "corrected",
    tex=r"\frac32DL\sqrt T+DL\sum_i\sqrt{\tau_i}\Big(\frac{1}{\sqrt{u_i}}+\frac{1}{2u_i}\Big)"
    r"+L\sqrt T\,\Lambda",
)
def corrected_retrain_convex(xp, T, L, D, u, tau, path):
    """At least the regret of descent replayed at tau_i without f_{u_1}..f_{u_i}, D/(L sqrt t).

    Needs u_i + 1 >= (beta D/(2L))^2, so that later steps do not expand.

    Note: jumps of up to D/sqrt(u_i), and the path of the comparators
    Proof: jumps of at most eta_u L, and the path of the comparators
    """
    jumps = xp.over(lambda i, t, v: xp.sqrt(t) * (1 / xp.sqrt(v) + 1 / (2 * v)), tau, u)
    return 3 * D * L * xp.sqrt(T) / 2 + D * L * jumps + L * xp.sqrt(T) * path


age = Symbol("age", "time of the deletion", r"\tau[i]", low=2, kind="integer")
active = Statement(
    "olu.tab2.active",
    "Table 2, computation of the active unlearner",
    "table",
    words="An active deletion costs log_{1/gamma}(k mu D tau/L), retraining costs tau.",
    left=r"\text{gradient evaluations of one deletion}",
    symbols=(k, mu, beta, L, D, age),
    requires=(
        convexity_order,
        Hypothesis("k mu D tau >= L", lambda k, mu, D, age, L: k * mu * D * age >= L * (1 - 1e-12)),
    ),
    plot=Plot(
        "age", (10, 30, 100, 300), {"k": 1, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0}, log_x=True
    ),
    quantity="gradient evaluations, counted",
    correction="(tau - 1) times the number of steps: more than a replay.",
)
active.interpreted_as("literal", "both in gradient evaluations")
active.interpreted_as(
    "useful",
    "cheaper than exact retraining by replay, which needs no noise",
    {"printed": "<="},
    stance="amended",
)


@active.form("printed", tex=r"\log_{\frac{1}{\gamma}}\frac{k\mu D\tau[i]}{L}")
def printed_active(xp, k, mu, beta, L, D, age):
    """The computation of one active deletion as the table counts it.

    Note: counts descent steps, each of which goes over all tau losses
    Fails (literal): It counts steps, each of which takes the gradients of all retained losses:
        {measured} gradients for a deletion at k = {k}, τ = {age}, in the unit in which retraining
        costs τ, and not {bound}.
    Fails (useful): Retraining by a replay of all rounds evaluates {bound} gradients, is exact and
        needs no noise; an active deletion evaluates {measured}.
    Source: olu, Table 2
    """
    return descent_steps(xp, k, mu, beta, L, D, age)


@active.form(
    "corrected", tex=r"(\tau[i]-1)\Big\lceil\log_{\frac1\gamma}\frac{k\mu D\tau[i]}{L}\Big\rceil"
)
def corrected_active(xp, k, mu, beta, L, D, age):
    """At least the gradient evaluations of one active deletion; a replay needs at most tau - 1.

    Note: in the unit in which retraining costs tau[i]
    Proof: each descent step goes over all losses that remain
    """
    return (age - 1) * xp.ceiling(descent_steps(xp, k, mu, beta, L, D, age))

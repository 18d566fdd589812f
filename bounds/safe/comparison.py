"""The orders of dynamic regret that safe compares its own with."""

from bounds import Hypothesis, Plot, Statement
from bounds.safe.symbols import T, V

statement = Statement(
    "safe.cmp",
    "Comparison after Theorem 2",
    "asymptotic",
    words="O(sqrt T + V_T) is tighter than the dynamic regrets O(sqrt(V_T T)) and O(T^{2/3}), "
    "and than O(T^2) and O(T) of batch unlearning.",
    left=r"\mathrm{Regret}_T",
    symbols=(T, V),
    growth={
        "T": {"printed": "sqrt(T)", "corrected": "sqrt(T)", "tight": "a constant"},
        "V": {"printed": "V", "corrected": "sqrt(V)", "tight": "V"},
    },
    plot=Plot("T", (36.0, 100.0, 400.0, 1600.0, 10_000.0), {"V": 40.0}, log_x=True),
    quantity="least regret of any algorithm, convex losses revealed after playing",
    correction="The comparison with sqrt(V_T T) is right for V_T between 1 and T, up to a factor "
    "2; it turns round as V_T -> 0. Above T^{2/3} for V_T of the order of T. Above O(1 + V_T), "
    "known where R_t is revealed first; not to be had for losses revealed after playing.",
)
statement.interpreted_as(
    "literal",
    "sqrt T + V_T = O(sqrt(V_T T)) for V_T between 1 and T: at most twice as large",
    {"printed": "<="},
    where=(Hypothesis("1 <= V <= T", lambda T, V: (V >= 1) & (V <= T)),),
)
statement.interpreted_as(
    "all",
    "the same with one constant for all T and V_T, short paths too",
    {"printed": "<="},
    stance="out_of_context",
)
statement.interpreted_as(
    "cube",
    "sqrt T + V_T = O(T^{2/3}), one constant for all T and V_T",
    {"printed": "<="},
    stance="component",
)
statement.interpreted_as(
    "online",
    "convex losses revealed after playing, where safe knows R_t: best possible regret on blocks of "
    "random signs",
    {"printed": "<="},
    stance="amended",
)
statement.interpreted_as(
    "known",
    "strongly convex smooth risks revealed first: regret of J = 1 step of descent, eta = 1/(2 L)",
    {"tight": "<="},
    stance="component",
)
statement.interpreted_as(
    "batch", "O(T^2) and O(T) of the batch methods", {"printed": "<="}, stance="component"
)


@statement.form("printed", tex=r"O(\sqrt{T}+V_T)")
def printed(xp, T, V):
    """SAFE's regret is of this order, says safe, and of a lower one than sqrt(V_T T) and T^(2/3).

    Note: O read as a factor 1; not O(sqrt(V_T T)) as V_T -> 0, not O(T^(2/3)) at V_T = T/2
    Proof (literal): sqrt T <= sqrt(V_T T) as V_T >= 1, and V_T <= sqrt(V_T T) as V_T <= T
    Fails (cube): V_T may grow like T, and then √T + V_T is the larger order: at T = {T}, V_T = {V}
        it is {measured}, more than {c} times T^(2/3).
    Fails (all): For short paths √(V_T T) is the smaller order: at V_T = 1/T it stays 1, and √T +
        V_T grows without bound, to {measured} at T = {T}.
    Fails (online): Where convex losses are revealed after playing no method has this order: on
        blocks of random signs each of them expects a regret of {measured} at T = {T}, V_T = {V},
        more than {c}(√T + V_T) = {bound}. SAFE sees R_t first.
    Source: safe, Section 3.3 after Theorem 2
    """
    return xp.sqrt(T) + V


@statement.form("corrected", tex=r"O\left(\sqrt{T(1+V_T)}\right)")
def corrected(xp, T, V):
    """No algorithm does better, but for a constant, on convex losses revealed after playing.

    Note: best order for convex losses that are revealed after playing (Zhang, Lu and Zhou 2018)
    """
    return xp.sqrt(T * (1 + V))


@statement.form("tight", tex=r"O(1+V_T)")
def tight(xp, T, V):
    """Warm-started descent has a regret of this order where R_t is known, as it is in safe.

    Note: known for strongly convex smooth risks that are revealed first (Mokhtari et al. 2016)
    Proof: A step halves the gap, so that gaps h_t <= (h_{t-1} + v_t)/2 add up to V_T at most. A gap
        is below 1 where every v_t is, and then h_t^2/2 <= h_t/2 (Mokhtari et al. 2016).
    """
    return 1 + V

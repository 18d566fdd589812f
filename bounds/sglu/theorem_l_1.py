"""Theorem L.1 of sglu: output noise of Descent-to-Delete that keeps its noiseless state."""

from bounds import Plot, Statement
from bounds.sglu.descent import I_steps, epsilon_positive, root_gap, settled, shrinkage
from bounds.sglu.symbols import L, M, convexity_order, delta, m_positive, n

statement = Statement(
    "sglu.thml.1",
    "Theorem L.1",
    "inequality",
    words="Descent-to-Delete that keeps its noiseless state gives (epsilon, delta)-unlearning "
    "with output noise (74).",
    left=r"\sigma",
    symbols=(I_steps, epsilon_positive, delta, n, m_positive, L, M),
    requires=(convexity_order,),
    aliases=("sglu.thmL.1", "sglu.eq74"),
    plot=Plot(
        "epsilon",
        (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
        {"I": 5, "delta": 1e-5, "n": 6, "m": 0.5, "L": 1, "M": 1},
        log_x=True,
    ),
    quantity="noise scale sigma",
    correction="2 sqrt(2) in place of 4 sqrt(2) for replacement; "
    "epsilon = O(log(1/delta)) is not needed; say that n_i >= n/2.",
)
statement.interpreted_as(
    "literal",
    "points are removed one request after another, never below half of the n at the start",
    {"printed": "<="},
)
statement.interpreted_as(
    "replacement", "each request replaces one point, n fixed, as in the paper's experiments"
)
statement.interpreted_as(
    "below half", "removals without end, the noise set by the first n", {"printed": "<="}
)


@statement.form(
    "printed",
    tex=r"\sigma=\frac{4\sqrt2M\gamma^I}{mn(1-\gamma^I)(\sqrt{\log(1/\delta)+\epsilon}"
    r"-\sqrt{\log(1/\delta)})}",
)
def printed(xp, I, epsilon, delta, n, m, L, M):  # noqa: E741
    """This noise gives (epsilon, delta)-unlearning for every request.

    Holds for sequences that keep at least n/2 points; the condition epsilon = O(log(1/delta)) is
    not needed. Loose by at least 2 for replacement.

    Note: twice what zero-concentrated privacy asks for when n stays fixed
    Proof (literal): an optimum moves by at most M/(m n_i) <= 2M/(mn); then as for replacement, with
        a factor 2 to spare
    Proof (replacement): twice the corrected form
    Fails (below half): The noise is set once, by the first n, but the optimum of fewer points moves
        farther. After all but one of n = {n} points are removed σ = {measured} is needed, {ratio}
        times what (74) gives.
    Source: sglu, Theorem L.1 and (74)
    """
    gap = root_gap(xp, -xp.log(delta), epsilon)
    return 2 * xp.sqrt(2) * settled(xp, I, n, m, L, M) / gap


@statement.form(
    "corrected",
    tex=r"\sigma=\frac{2\sqrt2M\gamma^I}{mn(1-\gamma^I)(\sqrt{\log(1/\delta)+\epsilon}"
    r"-\sqrt{\log(1/\delta)})}",
)
def corrected(xp, I, epsilon, delta, n, m, L, M):  # noqa: E741
    """This noise gives (epsilon, delta)-unlearning for replacements, n fixed.

    e_i <= gamma^I Delta/(1 - gamma^I) for the unlearned model, gamma^I Delta for the retrained one,
    Delta = 2M/(mn).

    Note: sensitivity 4 M gamma^I/(mn(1 - gamma^I)) and the conversion of Proposition K.2
    Proof: sensitivity below 4M gamma^I/(mn(1 - gamma^I)), zero-concentrated privacy of the Gaussian
    """
    return printed.formula(xp, I, epsilon, delta, n, m, L, M) / 2


@statement.form(
    "tight", tex=r"\sigma=\frac{2M\gamma^I(2-\gamma^I)}{mn(1-\gamma^I)\,\mu^*(\epsilon,\delta)}"
)
def tight(xp, I, epsilon, delta, n, m, L, M):  # noqa: E741
    """This noise gives (epsilon, delta)-unlearning for replacements, and no less does.

    Note: exact Gaussian curve and sensitivity; approached by quadratics after many replacements
    Proof: exact sensitivity and the Gaussian trade-off curve
    """
    distance = settled(xp, I, n, m, L, M) * (1 + shrinkage(xp, L, m, I))
    return distance / xp.mu_star(epsilon, delta)

"""What olu states without a formula: Section 3, doubling and what goes with it."""

from bounds import Statement

average = Statement(
    "olu.batch",
    "Section 5, online-to-batch conversion",
    "claim",
    words="The average of all outputs does not necessarily satisfy the unlearning guarantee, "
    "since it goes back beyond the deletion.",
    quantity="Renyi divergence over alpha eps",
    correction="The comparison that Section 5 calls impossible can be made with the average of the "
    "outputs since the last deletion.",
)
average.interpreted_as(
    "literal",
    "the average of all T outputs; some stream on which it fails",
    {"printed": ">="},
    proofs={
        "printed": "For linear losses the outputs of the two runs are eta L apart from "
        "round u + 1 on, and the noise of tau shifts the outputs from tau on alone. "
        "The divergence of the averages is alpha eps ((T - u)/(T - tau + 1))^2, above "
        "alpha eps for every tau > u + 1."
    },
)
average.interpreted_as(
    "later",
    "the average of the outputs from tau on",
    {"printed": "<="},
    stance="amended",
    proofs={
        "printed": "It is a function of the output at tau and of losses that both runs "
        "see. Divergences do not grow under such a map (post-processing)."
    },
)

doubling = Statement(
    "olu.thm5.doubling",
    "Section 3, doubling",
    "claim",
    words="A constant step needs T and k beforehand; doubling can stand in for that.",
    quantity="sum of the bounds of all restarts",
    correction="A factor of 2.62 on sqrt T, where each restart knows how many deletions it will "
    "see; k is still to be known.",
)
doubling.interpreted_as(
    "literal",
    "restarts at rounds 1, 2, 4, ..., each with eta* for its own length and the "
    "deletions in it; against sqrt(4 + 2 sqrt 2) sqrt T",
    {"printed": "<="},
    proofs={
        "printed": "The run from a restart has its own bound A sqrt(T_j + a k_j^2), at "
        "most A (sqrt T_j + sqrt(a) k_j), and data before the restart leave no trace. "
        "The roots of 1, 2, ..., N/2 add up to less than (sqrt 2 + 1) sqrt N, and the "
        "last run of r rounds adds sqrt r: by Cauchy and Schwarz at most "
        "sqrt((sqrt 2 + 1)^2 + 1) sqrt(N + r). The k_j add up to k."
    },
)
doubling.interpreted_as(
    "free",
    "at no more than the bound for known T",
    {"printed": "<="},
    # The paper names doubling as a way to tune the step, and no price for it.
    stance="amended",
    fails={
        "printed": "Doubling has a price: the bounds of restarts at rounds 1, 2, 4, … add up to "
        "{measured} at T = {T} without any deletion, {ratio} times the {bound} of one"
        " step chosen for T.",
    },
)

less = Statement(
    "olu.thm6.less",
    "Section 4, less noise than the passive method",
    "claim",
    words="This often allows the active unlearning algorithm to add less noise than the "
    "passive method.",
    quantity="noise of the active method",
    correction="With k = 1 it takes tau gamma^{tau - u} > 6 u at least: an early loss, few rounds "
    "after it, and a large condition number.",
)
less.interpreted_as(
    "literal",
    "often, for the noise (40) against line 5 of Algorithm 1",
    {"printed": "<="},
    fails={
        "printed": "'Often' names no streams. With k = 1 and I₂ = 0, as Theorem 6 allows, (40) "
        "is below line 5 only if τγ^(τ-u) > 6u: for an early loss, deleted soon "
        "after, with a large condition number.",
    },
)
less.interpreted_as(
    "always",
    "for every stream, k = 1 and I_2 = 0 as Theorem 6 allows",
    {"printed": "<="},
    # The paper says "often".
    stance="amended",
    fails={
        "printed": "Not on every stream: with k = 1 and I₂ = 0, as Theorem 6 allows, (40) asks "
        "for more noise than line 5 at γ = {gamma}, u = {u}, τ = {tau}, where its "
        "factor is {measured} and that of line 5 is {bound}.",
    },
)

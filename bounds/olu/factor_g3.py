"""What olu says after Theorem 4 of its factor G_3: when the regret stays of the order sqrt T."""

from bounds import Statement

statement = Statement(
    "olu.thm4.g3",
    "After Theorem 4, G_3",
    "claim",
    words="Where the gradients do not grow significantly after a deletion, G_3 = O(sqrt T), the "
    "additional regret from unlearning stays O(sqrt T).",
    quantity="expected regret",
    correction="At most k D L sqrt T are added, whatever G_3, d and the noise are: a jump inside K "
    "costs D sqrt(p)/2. For a fixed k the condition is idle; for a growing one it does not help.",
)
statement.interpreted_as(
    "literal",
    "k fixed while T grows, any gradients and any noise before the projection: against "
    "(3/2 + k) D L sqrt T, of which 3/2 are due without deletions",
    {"printed": "<="},
    proofs={
        "printed": "Telescope |z_t - v|^2/(2 eta_t). A noise inside the projection and a new "
        "comparator each change the squared distance by at most D^2, which costs D sqrt(p)/2, k "
        "times each. The rest is D sqrt(p)/2, and sum eta_t |g_t|^2/2 <= D sqrt(p), by Lemma 7. "
        "p(T) <= L^2 T"
    },
)
statement.interpreted_as(
    "term",
    "the paper's inference: G_3 <= sqrt T in the last term of Theorem 4, with d, k, L and D fixed",
    {"printed": "<="},
    proofs={"printed": "d k^2 L^2 D^2 G_3 is a multiple of G_3"},
    stance="component",
)
statement.interpreted_as(
    "any number",
    "one constant, up to 10, for every number of deletions, as O() is read where k stands beside "
    "sqrt T (Theorem 5): line 5's noise on the line, G_3 <= sqrt T",
    {"printed": "<="},
    fails={
        "printed": "With many deletions the noise of line 5 alone breaks O(√T): at k = {k}, T = "
        "{T}, ε = {epsilon} the expected regret is {measured}, above 10√T = {bound}, "
        "although G₃ = {G_3} is below √T. A fixed k keeps O(√T).",
    },
)

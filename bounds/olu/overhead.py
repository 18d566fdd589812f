"""What olu says of its own cost and regret in the introduction, and after Theorem 4."""

from bounds import Statement

statement = Statement(
    "olu.overhead",
    "Section 1, overhead",
    "claim",
    words="The algorithms add only constant-factor computational overhead.",
    quantity="gradients of a deletion",
    correction="The passive one does. The active one takes log_{1/gamma}(k mu D tau/L) steps at a "
    "deletion by its own Table 2, each over all losses so far: more gradients than retraining.",
)
statement.interpreted_as(
    "passive", "a deletion costs passive unlearning one step", {"printed": "<="}
)
statement.interpreted_as(
    "active",
    "Table 2: steps of active unlearning at a deletion, the same late (tau = 10^6) as early "
    "(tau = 10^3)",
    {"printed": "<="},
    fails={
        "printed": "Active unlearning takes log_(1/γ)(kμDτ/L) steps at a deletion by the paper's"
        " own Table 2, which grows with τ and is no constant factor: {measured} at τ "
        "= 10⁶ against {bound} at τ = 10³.",
    },
)
statement.interpreted_as(
    "gradients",
    "a step on all losses so far counts as so many gradients, as Table 2 counts retraining: at "
    "most those of retraining",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "Every step of active unlearning goes over all losses so far: {measured} "
        "gradients for a deletion at τ = {tau}, where retraining from scratch takes "
        "{bound}.",
    },
)

convex = Statement(
    "olu.intro.convex",
    "Section 1, convex losses",
    "claim",
    words="For convex losses with quadratic growth passive unlearning has expected regret "
    "O(sqrt T + k^2 d).",
    quantity="the noise's part of Theorem 3's regret",
    correction="By Theorem 3, O(sqrt T + k^2 + d k^1.7 sqrt(sum tau_i/u_i^2)): d sqrt T where an "
    "early loss is deleted late.",
)
convex.interpreted_as(
    "literal",
    "against Theorem 3's own term d k^1.7 G_2, any deletion: constants up to 10",
    {"printed": "<="},
    fails={
        "printed": "By the paper's own Theorem 3 the noise costs dk^1.7 √(Σ τ_i/u_i²): d√T = "
        "{measured} when the first loss is deleted at T = {T}, against 10(√T + k²d) ="
        " {bound}. The paper says 'roughly'; one deletion with u² ≥ τ is as cheap.",
    },
)
convex.interpreted_as(
    "late",
    "'roughly': a deletion as good as those that are spoken of after Theorem 3, u_i^2 >= tau_i",
    {"printed": "<="},
    proofs={"printed": "then G_2 <= 1 for k = 1"},
)

adaptive = Statement(
    "olu.thm4.lipschitz",
    "After Theorem 4, Lipschitz constant",
    "claim",
    words="The adaptive method does not require prior knowledge of the Lipschitz constant.",
    quantity="what the noise of Algorithm 1 is computed from",
    correction="Its steps do not; its noise does, unless Delta_u is taken as eta_u |grad f_u(z_u)|,"
    " which the assumption of public gradient norms allows.",
)
adaptive.interpreted_as(
    "literal",
    "neither steps nor noise; line 5 takes Delta_u, which is not said",
    {"printed": "<="},
    fails={
        "printed": "The steps need no L, but the noise does: line 5 takes Δ_u, which is η_u L in"
        " (34). Whether the public gradient norms may stand in for L there is not "
        "said.",
    },
)

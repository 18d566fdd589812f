"""What olu states without a formula: Definition 1 and what goes with it."""

from bounds import Edit, Statement

unlearner = Statement(
    "olu.def1",
    "Definition 1",
    "definition",
    words="R is an (alpha, eps)-unlearner if D_alpha(R(A(S), S^U) || R(A(S minus S^U), {})) "
    "<= eps.",
    correction="Ask for both directions; they differ as soon as the variances do.",
)
unlearner.interpreted_as(
    "literal",
    "the reference is the retrained model after the unlearning noise; one direction",
    {"printed": "=="},
)

composition = Statement(
    "olu.eq3",
    "Equation (3)",
    "definition",
    words="An online learner-unlearner applies g_t = rho_t after h_t after the base update.",
    correction="Project after the noise: P o rho_t o h_t o g_t.",
)
composition.interpreted_as("literal", "the order of the three maps", {"printed": "=="})
composition.interpreted_as(
    "in_k",
    "outputs lie in K, as Section 2.1 asks; rho_t adds Gaussian noise",
    {"printed": "<=", "corrected": "<="},
    edits={
        "printed": Edit(
            "P o rho_t o h_t o g_t: the projection comes last", "g_t = rho_t", "g_t = P after rho_t"
        )
    },
    fails={
        "printed": "The noise ρ_t comes after the projection, so that z_t leaves K, which "
        "Section 2.1 forbids: from a point on the boundary of K = [-1, 1] it does so "
        "with probability {measured}.",
    },
)

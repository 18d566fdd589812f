"""What olu says without a formula of the standard learner: follow the leader, and footnote 1."""

from bounds import Statement

exact = Statement(
    "olu.ftl",
    "Section 5, follow the leader: unlearning",
    "claim",
    words="Without a constraint on computation FTL-type algorithms achieve exact unlearning.",
    quantity="leader",
)
exact.interpreted_as(
    "literal",
    "the leader of what is kept, after each request",
    {"printed": "<="},
    proofs={
        "printed": "The leader depends on the set of losses alone. So after a request it "
        "is the leader of a run that never saw what was deleted, and so are all later ones."
    },
)

regret = Statement(
    "olu.ftl.regret",
    "Section 5, follow the leader: regret",
    "claim",
    words="FTL-type algorithms with deletions have the same regret as in the standard online "
    "learning setting.",
    quantity="regret",
    correction="For strongly convex losses, up to terms in k; for convex ones FTL has regret of "
    "order T, with and without deletions, and only regularised leaders have sqrt T.",
)
regret.interpreted_as(
    "literal",
    "mu-strongly convex, L-Lipschitz losses; k deletions add terms in k",
    {"printed": "<="},
    proofs={
        "printed": "Without deletions the regret is the sum of what F_t, all losses up "
        "to t, loses when its leader moves by x: Lx - mu t x^2/2 at most, and so "
        "L^2/(2 mu t). After i deletions the leader is within iL/(mu (t - 1 - i)) of "
        "the one without, and the comparator within iL/(mu (T - i)) of z_0*; a loss "
        "changes by L times that."
    },
)
regret.interpreted_as(
    "convex",
    "convex losses, FTL itself, against Theorem 3's 3DL sqrt T",
    {"printed": "<="},
    fails={
        "printed": "It does not extend to convex losses and follow-the-leader itself: on "
        "alternating linear losses, with or without deletions, its regret grows like "
        "T, {measured} at T = {T}, where 3DL√T = {bound}.",
    },
)

footnote = Statement(
    "olu.footnote1",
    "Footnote 1, individual quadratic growth",
    "claim",
    words="Individual QG with Assumption 2 yields O(log T) regret in standard online learning "
    "at eta_t = O(1/t).",
    quantity="regret",
)
footnote.interpreted_as(
    "literal",
    "convex losses with a common minimiser and growth kappa each; eta_t = 2/(kappa t)",
    {"printed": "<="},
    proofs={
        "printed": "With d_t the distance to the minimiser, f_t(z_t) - f_t* is at most "
        "twice the slope along it less kappa d_t^2/2, and so at most (d_t^2 - "
        "d_{t+1}^2)/eta_t + eta_t L^2 - kappa d_t^2/2. The squares cancel in the sum, "
        "and sum 2L^2/(kappa t) is left."
    },
)

slower = Statement(
    "olu.footnote1.slower",
    "Footnote 1, slower decay for unlearning",
    "claim",
    words="Unlearning requires a slower decay, so that individual QG no longer suffices for "
    "logarithmic regret.",
    quantity="expected loss to the noise",
)
slower.interpreted_as(
    "literal",
    "eta_t = 2/(kappa t), the least noise that Algorithm 1 may use for convex "
    "losses (no contraction) when round 1 is deleted at T/2: it costs more than "
    "(2L^2/kappa)(1 + log T)",
    {"printed": ">="},
    proofs={
        "printed": "On f_t = kappa z^2/2 noise xi at tau leaves "
        "xi (tau-1)(tau-2)/((t-1)(t-2)) at t. Its losses add up to about "
        "kappa sigma^2 tau/6 in the mean, with sigma of the order of eta_1 L."
    },
)

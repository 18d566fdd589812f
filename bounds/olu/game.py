"""What olu states without a formula: Equation (1) and what goes with it."""

from bounds import Edit, Statement

game = Statement(
    "olu.eq1",
    "Equation (1)",
    "definition",
    words="The learner chooses z_t = g_t(f_{1:t}, z_{1:t-1}), then incurs f_t(z_t).",
    correction="z_{t+1} = g_t(f_{1:t}, z_{1:t}); with f_t visible the game is trivial.",
)
game.interpreted_as(
    "literal",
    "whatever g does, fair coins force regret: E Regret_T >= E|sum of T signs|",
    {"printed": ">=", "corrected": ">="},
    edits={
        "printed": Edit(
            "z_{t+1} = g_t(f_{1:t}, z_{1:t}): z_t may not depend on f_t", "f_{1:t}", "f_{1:t-1}"
        )
    },
    fails={
        "printed": "z_t may depend on f_t itself: the minimiser of f_1 + … + f_t then never has "
        "positive regret. On losses with random signs, T = {T}, its mean regret is "
        "{measured}; whoever does not see f_t before has at least {bound}.",
    },
)

regret = Statement(
    "olu.regret",
    "Regret (Section 2.1)",
    "definition",
    words="Regret_T = sum_t f_t(z_t) - min over K of sum_t f_t(z).",
)
regret.interpreted_as("literal", "losses fixed in advance, K convex", {"printed": "<="})

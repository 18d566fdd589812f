"""Appendix K.3 of sglu: the Gaussian initial law, against what the theorems ask of a start."""

from bounds import Statement

statement = Statement(
    "sglu.k3.start",
    "Appendix K.3, initial law",
    "claim",
    words="Learning by Algorithm 1, as by the baselines, samples the initial weights from "
    "N(0, 2 sigma^2/m).",
    quantity="what an initial law must meet",
    correction="Project the first weights too, or count one step less: 2R c^{Tn/b - 1}. The log-"
    "Sobolev inequality of Theorems M.1 and M.2 is met as it is.",
)
statement.interpreted_as(
    "literal",
    "a start of Algorithm 1: a law on C_R, R = 100, at the noise of Table 3",
    {"printed": "<="},
    fails={
        "printed": "Algorithm 1 asks for a start on the ball of radius 100. N(0, 2σ²/m) in d "
        "= {d} dimensions is all but outside: at σ = {sigma} the probability to "
        "start beyond it is {measured} to four digits."
    },
)
statement.interpreted_as(
    "distance",
    "a start as the proof of Theorem 3.2 has it: after t steps within 2R c^t of the stationary law "
    "in W-infinity, from t = 0 on",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "2R bounds the distance to the stationary law for a start on the ball "
        "only. This one is farther than 2R from all of it with probability "
        "{measured} at σ = {sigma}; one step later 2R is right, so that the bound "
        "is 2R c^(Tn/b − 1)."
    },
)
statement.interpreted_as(
    "log-Sobolev",
    "a start of Theorem M.2, which asks for 2 sigma^2/m-log-Sobolev; C_LSI = 2 sigma^2/m > "
    "sigma^2/m in Theorem M.1, with every step up to 1/L",
    {"printed": "<="},
    proofs={
        "printed": "N(0, v) is v-log-Sobolev (Gross); 2 sigma^2/m is more than sigma^2/m, and "
        "(2/m)(1 - 1/2) = 1/m is at least 1/L. What learning makes of it is in sglu.thmM.2"
    },
    stance="component",
)
statement.interpreted_as(
    "later",
    "within 2R c^(t-1) of the stationary law after t >= 1 steps, from any start",
    {"printed": "<="},
    proofs={
        "printed": "The first projection puts both laws on C_R, where no two points are farther "
        "than 2R apart. With the same noise every later step brings two runs closer by c"
    },
    stance="amended",
)

"""What sglu states without a formula: Remark 3.7."""

from bounds import Statement

statement = Statement(
    "sglu.rem3.7",
    "Remark 3.7",
    "claim",
    words="Only gradient differences <= 2M between any two data points are needed; clipping "
    "with an l2 regulariser gives them.",
)
statement.interpreted_as(
    "literal",
    "unit features, logistic loss plus (lambda/2)|w|^2: differences at most 2M = 2",
    {"printed": "<="},
    proofs={"printed": "the regulariser cancels; each score gradient has norm < 1"},
)
statement.interpreted_as(
    "sufficient",
    "Lemma 3.5 for losses that are not M-Lipschitz but differ by at most 2M",
    {"printed": "<="},
    proofs={"printed": "the proofs use |grad f(x; d) - grad f(x; d')| and nothing else"},
    stance="component",
)

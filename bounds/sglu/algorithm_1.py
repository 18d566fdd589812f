"""What sglu states without a formula: Algorithm 1."""

from bounds import Statement

statement = Statement(
    "sglu.alg1",
    "Algorithm 1",
    "algorithm",
    quantity="error of the distribution function",
    words="T epochs of projected noisy SGD on D over cyclic batches, then K epochs of the same "
    "on D' from the learned point; a step adds noise of variance 2 eta sigma^2.",
    correction="Say that B is stored between learning and unlearning, and whether it is secret; "
    "start inside C_R (a Gaussian start is not supported there).",
)
statement.interpreted_as(
    "literal",
    "lines 1 to 15, the same batches in both processes",
    {"printed": "<="},
    proofs={"printed": "line by line; the projected law is a density and two atoms"},
)
statement.interpreted_as(
    "state",
    "what is kept, released and secret between learning and unlearning",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "Lines 9 to 15 use the batches of learning, so that B must be kept until a "
        "request, while Appendix L says that only the noisy model is. Nor does the paper say "
        "whether B stays secret, as Corollary 3.9 needs."
    },
)

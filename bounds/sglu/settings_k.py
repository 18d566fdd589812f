"""What sglu states without a formula: Appendix K.2 and what goes with it."""

from bounds import Edit, Statement

sizes = Statement(
    "sglu.k2",
    "Appendix K.2",
    "claim",
    words="11264 points of dimension d = 724 (28 x 28 pixels) for MNIST and 9728 of "
    "dimension 512 for CIFAR-10, multiples of the largest batch, 512.",
    aliases=("sglu.K2",),
    correction="d = 784. Section 4 states the sizes before points were dropped (11,982, 10,000); "
    "for MNIST one more batch of 512 could have been kept.",
)
sizes.interpreted_as(
    "literal",
    "dimension of a flattened 28 x 28 image",
    {"printed": "<=", "corrected": "<="},
    proofs={"corrected": "28 x 28 = 784"},
    edits={"printed": Edit("784 for 724", "d = 724", "d = 784")},
    fails={
        "printed": "An image of 28 × 28 pixels has {measured} of them, not d = {bound}. The "
        "digit matters: the steps of Descent-to-Delete by Theorem L.2 grow with d."
    },
)
sizes.interpreted_as(
    "sizes",
    "numbers of training points",
    {"printed": "<="},
    proofs={"printed": "22 x 512 and 19 x 512; Table 3 is reproduced with these only"},
    stance="component",
)

table_1 = Statement(
    "sglu.table1",
    "Table 1",
    "table",
    words="L = 1/4 + lambda, m = lambda, M = 1 and delta = 1/n for both data sets.",
    correction="The table cuts digits off: m is 0.011264 and 0.009728, delta 1/9728 = 1.028e-4.",
)
table_1.interpreted_as(
    "truncated", "lambda = 1e-6 n and 1/n, cut off where printed", {"printed": "<="}
)
table_1.interpreted_as(
    "rounded",
    "the same numbers, rounded",
    {"printed": "<="},
    fails={
        "printed": "m = 10⁻⁶ n is 0.011264 for MNIST, which rounds to 0.0113 and not to the "
        "0.0112 of the table: its digits are cut off. The other three constants "
        "agree."
    },
)

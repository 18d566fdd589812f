"""What sglu states without a formula: Batches of one (Section 4)."""

from bounds import Statement

statement = Statement(
    "sglu.sec4.batch1",
    "Batches of one (Section 4)",
    "claim",
    words="Decreasing b from 32 to 1 reduces the average accuracy of training from scratch "
    "from .87 to .64 on MNIST and from .97 to .81 on CIFAR10, for sigma = .03.",
    quantity="share of pairs of runs in which b = 1 is the less accurate",
)
statement.interpreted_as(
    "literal", "the numbers: the paper's features, splits and epochs at b = 1", {"printed": "<="}
)
statement.interpreted_as(
    "direction",
    "odd against even on 1,536 digits of scikit-learn, the other 261 to "
    "test; rows of norm 1, ridge, step and radius as the paper's: a run at b = 1 is "
    "more often less accurate than one at b = 32 than not",
    {"printed": ">="},
)

"""What mini states without a formula: Table 3."""

from bounds import Edit, Statement

statement = Statement(
    "mini.tab3",
    "Table 3",
    "table",
    words="Test accuracy of Mini for k = 2, ..., 10 under eta = 5%; it grows with k.",
    quantity="test accuracy",
    correction="gamma = 5%. With r^10 = 0.9995 all of k = 2, ..., 10 leave the model where it is.",
)
statement.interpreted_as("literal", "the column k = 10 is Mini at 5% in Table 1", {"printed": "<="})
statement.interpreted_as(
    "monotone",
    "the larger k, the higher the accuracy (or the same)",
    {"printed": "<="},
    stance="component",
)
statement.interpreted_as(
    "slight", "from k = 2 to k = 10 it gains at most 0.03", {"printed": "<="}, stance="component"
)
statement.interpreted_as(
    "symbol",
    "eta as elsewhere: the learning rate, fixed at 0.01 in Section 5.1",
    {"printed": "<=", "corrected": "<="},
    edits={"printed": Edit("gamma = |D_U|/|D| for eta", "eta = 5%", "gamma = 5%")},
    proofs={"corrected": "Section 5.1 calls the ratio gamma"},
    fails={
        "printed": "η is the learning rate elsewhere, {measured} in Section 5.1; what is 5 % in "
        "Table 3 is the unlearning ratio, which that section calls γ."
    },
)
statement.interpreted_as(
    "accuracy", "the accuracies themselves", {"printed": "<="}, stance="component"
)

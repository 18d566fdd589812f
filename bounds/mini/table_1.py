"""What mini states without a formula: Table 1."""

from bounds import Statement

statement = Statement(
    "mini.tab1",
    "Table 1",
    "table",
    words="Test accuracy of five methods at unlearning ratios of 5, 10 and 15% on three data "
    "sets; it diminishes with the ratio whatever the method, and Mini is second to retraining.",
    quantity="test accuracy",
    correction="Accuracies of 0.21 to 0.46 with two classes are inverted predictions, not failed "
    "unlearning; Amnesiac unlearning is the start, hence near 1/2.",
)
statement.interpreted_as("literal", "the accuracies", {"printed": "<="})
statement.interpreted_as(
    "ratio", "a larger ratio never has the larger accuracy", {"printed": "<="}, stance="component"
)
statement.interpreted_as(
    "order",
    "Retraining, then Mini, then DeltaGrad in every cell",
    {"printed": "<="},
    stance="component",
)
statement.interpreted_as(
    "binary",
    "HIGGS has two classes: no classifier is worse than its negation (nothing that mini states)",
    {"printed": "<="},
    stance="amended",
)
statement.interpreted_as(
    "negated",
    "HIGGS: no negated classifier beats retraining (nothing that mini states)",
    {"printed": "<="},
    stance="amended",
)

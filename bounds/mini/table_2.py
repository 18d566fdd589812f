"""What mini states without a formula: Table 2."""

from bounds import Statement

statement = Statement(
    "mini.tab2",
    "Table 2",
    "table",
    words="Precision and recall of a membership attack on unlearned and retained samples; Mini "
    "has the lowest on unlearned samples, and all are above 0.5 on retained ones.",
    quantity="precision or recall",
    correction="After exact retraining precision is the share of unlearned samples among those "
    "tested: the nearer to Retraining the better, and DeltaGrad is nearer in all nine cells.",
)
statement.interpreted_as("literal", "the precisions and recalls", {"printed": "<="})
statement.interpreted_as(
    "copies",
    "another ratio is another experiment: retained cells differ",
    {"printed": "<="},
    stance="amended",
)
statement.interpreted_as(
    "lowest",
    "Mini lowest on unlearned samples among Retraining, DeltaGrad, Mini",
    {"printed": "<="},
    stance="component",
)
statement.interpreted_as(
    "nearest",
    "Mini nearer than DeltaGrad to Retraining's precision on unlearned",
    {"printed": "<="},
    stance="amended",
)
statement.interpreted_as(
    "retained",
    "above 0.5 on retained samples for these three",
    {"printed": "<="},
    stance="component",
)
statement.interpreted_as(
    "guessing",
    "Certified Data Removal and Amnesiac Unlearning exhibit random guessing, on unlearned and "
    "retained samples: precision and recall within .05 of .5",
    {"printed": "<="},
    stance="component",
)
statement.interpreted_as(
    "prevalence",
    "Retraining: precision on unlearned samples does not fall as their number grows",
    {"printed": "<="},
    stance="amended",
)

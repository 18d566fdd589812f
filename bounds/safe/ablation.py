"""What safe states without a formula: Table 2."""

from bounds import Statement

statement = Statement(
    "safe.tab2",
    "Table 2",
    "table",
    words="Without the distribution shift loss (DS) FA is the highest on all data sets; "
    "without the initial gradient (TR) RA and TA fall.",
    quantity="accuracy",
    correction="The sentence after the first removal speaks of TR, not of the distribution shift.",
)
statement.interpreted_as("literal", "w/o DS has the highest FA of the three", {"printed": "<="})
statement.interpreted_as(
    "gradient", "w/o TR has a lower RA and TA than SAFE", {"printed": "<="}, stance="component"
)
statement.interpreted_as(
    "sentence",
    "the drop without TR shows what DS contributes",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "The accuracies fall in the run without the initial gradient (TR). The "
        "distribution shift loss (DS) is still in that run, so that nothing "
        "follows from it about what DS contributes."
    },
)
statement.interpreted_as(
    "original", "w/o DS the FA is that of the original model", {"printed": "<="}, stance="component"
)

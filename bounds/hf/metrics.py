"""What hf states without a formula: Metrics (Section 5.1)."""

from bounds import Statement

statement = Statement(
    "hf.metrics",
    "Metrics (Section 5.1)",
    "definition",
    words="Distance |v_T - w_T - a|; correlation (Pearson, Spearman) of approximate and actual "
    "change of the loss on U.",
    correction="Report the distance relative to |v_T - w_T|: below 1 is better than no unlearning.",
)
statement.interpreted_as("literal", "as defined", {"printed": "=="})
statement.interpreted_as(
    "baseline",
    "distance over |v_T - w_T|, which is 1 for a = 0",
    {"corrected": "=="},
    stance="amended",
)

"""What sglu states without a formula: Definition 2.3."""

from bounds import Edit, Statement

statement = Statement(
    "sglu.def2.3",
    "Definition 2.3",
    "definition",
    words="(M, U) achieves (alpha, eps)-RU if for any alpha > 1 and any adjacent D, D' the "
    "Rényi difference of U(M(D), D, D') and M(D') is at most eps.",
    correction="Fix alpha; name the target: T epochs on D' (as here), T + K, or T = inf.",
)
statement.interpreted_as(
    "literal",
    "the order is quantified again inside the definition, although it is given",
    {"printed": "<=", "corrected": "<="},
    edits={
        "printed": Edit(
            'strike "any alpha > 1 and": alpha is the one of the pair', "any alpha > 1 and ", ""
        )
    },
    fails={
        "printed": "“For any α > 1” replaces the order of the pair (α, ε) and asks for one ε "
        "at all orders at once. Quadratics that are (2, {bound})-RU have Rényi "
        "difference {measured} at order {alpha}."
    },
)

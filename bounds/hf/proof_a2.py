"""What hf states without a formula: Proof of Theorem 3.1, Equations (25)-(30)."""

from bounds import Edit, Statement

statement = Statement(
    "hf.proofa2",
    "Proof of Theorem 3.1, Equations (25)-(30)",
    "equality",
    words="The statistic of {u_1, u_2} follows (27) and (28), ends an epoch as (29), and is "
    "the sum of the two.",
    aliases=("hf.proofA2", "hf.eq25", "hf.eq26", "hf.eq27", "hf.eq28", "hf.eq29", "hf.eq30"),
    correction="(26)-(27) hold for batches without u_1 and u_2.",
)
statement.interpreted_as(
    "literal",
    "(28) as printed: the step of u_2's batch in front of the gradient of u_1",
    {"printed": "==", "corrected": "=="},
    proofs={"corrected": "(9) for a set; both samples may share a batch"},
    edits={"printed": Edit("eta_{E,b(u_1)} in the second line of (28)", "u_2's", "u_1's")},
    fails={
        "printed": "The second line of (28), for u_1, has η of the batch of u_2 in front of the "
        "gradient of u_1. With decaying steps these differ, and the sum is no longer "
        "that of the approximators (11)."
    },
)
statement.interpreted_as(
    "products",
    "(29) as printed: both samples' products run on from b(u)",
    {"printed": "==", "corrected": "=="},
    proofs={"corrected": "(9) for a set, unrolled"},
    edits={"printed": Edit("products from b(u) + 1", "from b(u)", "from b(u) + 1")},
    stance="component",
    fails={
        "printed": "(29) begins both products at b = b(u), so that each gradient is multiplied "
        "by the matrix of its own step; by (9) and (10) they begin at b(u) + 1."
    },
)

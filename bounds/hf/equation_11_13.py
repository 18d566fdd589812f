"""What hf states without a formula: Equations (11)-(13)."""

from bounds import Edit, Statement

statement = Statement(
    "hf.eq11_13",
    "Equations (11)-(13)",
    "equality",
    words="a^{-u} = sum_e M_{e,b(u)} g_u(w_{e,b(u)}), the products in M as (10) has "
    "them, from b(u) + 1 in every epoch, is the first-order effect of u on w_T, and the error is "
    "what is left of v_T - w_T.",
    aliases=("hf.eq11-13", "hf.eq11", "hf.eq12", "hf.eq13"),
    correction="With the indices of (10) repaired: the derivative, hence second-order error in "
    "the deletion weight, not in the number of samples forgotten.",
)
statement.interpreted_as(
    "literal",
    "smooth losses, convex or not; a^{-u} against dw_T/ds, u weighted by 1 - s",
    {"printed": "==", "corrected": "=="},
    proofs={"corrected": "differentiate w_{t+1}(s) = w_t(s) - (eta/b) sum (1 - s_i) g_i"},
    edits={
        "printed": Edit(
            "M of (10) with b from 0 in later epochs",
            "from b(u) + 1 in every epoch",
            "from 0 in later epochs",
        )
    },
    fails={
        "printed": "With the products of (10) as printed a is not the effect of u to first "
        "order: they leave out steps of every later epoch. On whole batches no "
        "Hessian is left, and a is only the sum of (η_e/n)∇ℓ_u."
    },
)
statement.interpreted_as(
    "order",
    "the error as the deletion weight s goes to 0",
    {"corrected": "=="},
    proofs={"corrected": "Taylor: w_T(s) - w_T(0) - s a = O(s^2)"},
    stance="component",
)

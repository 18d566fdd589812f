"""What sglu states without a formula: Appendix F."""

from bounds import Statement

statement = Statement(
    "sglu.appf",
    "Appendix F",
    "inequality",
    words="After convergence the target is nu_{D'} itself, so eps_2(alpha) with "
    "Z = min(2 eta M/(b(1 - c^{n/b})), 2R) bounds the loss without any triangle inequality.",
    quantity="d_alpha(unlearned, target)",
    correction="Say that convergence is assumed for every data set, not for D alone.",
)
statement.interpreted_as(
    "literal",
    "learning has converged for every data set: the target is nu_{D'}",
    {"printed": "<="},
    proofs={"printed": "Lemma 3.4 from W-infinity(nu_D, nu_{D'}) <= Z"},
)
statement.interpreted_as(
    "finite",
    "only M(D) is stationary; the target is M(D') after the same T epochs",
    {"printed": "<="},
    stance="out_of_context",
    fails={
        "printed": "The target is ν_D' only if retraining has converged too. From ν₀ = ν_D, "
        "where only M(D) is stationary, D₂ against M(D') after T = {T} is still "
        "{measured} after {K} epochs; the bound is {bound}."
    },
)

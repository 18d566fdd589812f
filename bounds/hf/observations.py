"""What hf states without a formula: Appendix B.3.2, epochs and what goes with it."""

from bounds import Statement

closer = Statement(
    "hf.fig1",
    "Figure 1, distance",
    "claim",
    words="The approximation error is lower than those of NS and IJ; .171638 against .178246 "
    "and .178244 for logistic regression with 30% deleted.",
    quantity="|w_{-U} - w - a| of the recursion",
    correction="At an optimum NS is exact on quadratics, and hf's recursion tends to IJ (18): the "
    "order is that of runs which have not converged.",
)
closer.interpreted_as("literal", "the printed numbers", {"printed": "<="})
closer.interpreted_as(
    "converged",
    "any strongly convex losses, trained until nothing moves; the paper speaks of its own runs, in "
    "the convex non-convergent setting",
    {"printed": "<="},
    stance="amended",
    fails={
        "printed": "At convergence the order is reversed: the Newton step is exact on "
        "quadratics (error {bound}) and the recursion tends to the infinitesimal "
        "jackknife (error {measured}). The paper's own runs, as it says, have not "
        "converged."
    },
)
closer.interpreted_as(
    "run",
    "logistic regression in the paper's manner, whole batches, 100 epochs at .05",
    {"printed": "<="},
)

correlation = Statement(
    "hf.fig1.correlation",
    "Figure 1, correlation",
    "claim",
    words="Spearman and Pearson coefficients of .80 and .74 capture actual loss changes "
    "accurately; NS and IJ have lower ones.",
    quantity="relative error of the loss change",
    correction="Coefficients do not change when all statistics are multiplied by one number.",
)
correlation.interpreted_as(
    "literal", "the CNN on 1,000 images, seeds and points of the figure", {"printed": "<="}
)
correlation.interpreted_as(
    "accurate",
    "a coefficient of 1 tells that the changes are right",
    {"printed": "<="},
    fails={
        "printed": "Coefficients do not change when all predicted loss changes are multiplied "
        "by one number: with a factor of {factor} the coefficient is 1 and every "
        "change is off by {measured} times itself."
    },
)

epochs = Statement(
    "hf.b32",
    "Appendix B.3.2, epochs",
    "claim",
    words="The error accumulates with the epochs, and stabilises owing to the decay of steps.",
    quantity="|w_{-U} - w - a|",
    correction="That is what logistic regression does, no law: the error rises and falls to 0 "
    "where all losses share their minimiser.",
)
epochs.interpreted_as(
    "literal",
    "as can be observed (Figure 5): logistic regression in the paper's manner, steps .05 * .995^t, "
    "10 to 100 epochs, 20 % forgotten; it rises, by less and less after 50 epochs",
    {"printed": "<="},
)
epochs.interpreted_as(
    "any",
    "it increases with the epochs, for any losses: more than the paper says",
    {"printed": "<="},
    stance="amended",
    fails={
        "printed": "Where all losses share their minimiser both runs end there, and the error "
        "rises and then falls to 0: for two quadratics it is {measured} after five "
        "epochs and {bound} after a hundred."
    },
)
epochs.interpreted_as(
    "decay",
    "quadratics, q < 1: it changes by less and less, and has a limit",
    {"printed": "<="},
    stance="amended",
    proofs={
        "printed": "One step changes the error by at most eta_t (M |error| + (m/b) M "
        "|v_t - w_t|) on quadratics. The steps add up to eta/(1 - q), so that the "
        "changes after step S add up to the rest of that series times the largest "
        "bracket."
    },
)

decay = Statement(
    "hf.b33",
    "Appendix B.3.3, decay of steps",
    "claim",
    words="Step size decay effectively reduces the approximation error.",
    quantity="|w_{-U} - w - a| with decay",
    correction="That is what logistic regression does, no law: decay freezes the error; where it "
    "would fall by itself, that is a loss.",
)
decay.interpreted_as(
    "literal",
    "as can be observed (Figure 6): logistic regression in the paper's manner, 1 to 200 epochs of "
    "steps .05 q^t, q = .995 against q = 1",
    {"printed": "<="},
)
decay.interpreted_as(
    "any",
    "the same losses and epochs with q < 1 and q = 1, for any losses: more than the paper says",
    {"printed": "<="},
    stance="amended",
    fails={
        "printed": "Decay freezes the error that the runs have when steps become small. Where "
        "it would fall by itself that is a loss: for two quadratics with one "
        "minimiser {measured} with q = {q}, {bound} without decay."
    },
)
decay.interpreted_as(
    "far",
    "any losses and epochs, where the removed sample's minimiser is not that of the others: "
    "two quadratics of one curvature",
    {"printed": "<="},
    stance="amended",
    proofs={
        "printed": "The error is (1 - 2P + Q)/2, P the product of 1 - eta_t h/2 and Q "
        "that of 1 - eta_t h. Its derivative by eta_t is h/2 times the difference of "
        "the two products over all other steps. That is positive up to eta_t h = 1, "
        "so that shorter steps leave less."
    },
)

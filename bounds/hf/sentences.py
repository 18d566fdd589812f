"""What hf says of its own tables and figures in the abstract, captions and text."""

from bounds import Statement

costs = Statement(
    "hf.abstract.costs",
    "Abstract, time and storage",
    "claim",
    words="The scheme surpasses existing results by orders of magnitude in time and storage costs.",
    quantity="how many times less than the best of NS and IJ in Table 2",
    correction="Orders of magnitude in the time of a request (199 to 672 times less than IJ); 5.6 "
    "to 29.5 times less storage, and 32 to 132 times less pre-computation.",
)
costs.interpreted_as(
    "time", "seconds of unlearning in Table 2, at least 100 times less", {"printed": "<="}
)
costs.interpreted_as(
    "storage",
    "GB in Table 2, at least 100 times less",
    {"printed": "<="},
    fails={
        "printed": "For the {model} the method stores {bound} times less than NS and IJ by "
        "Table 2, which is not orders of magnitude. The time of a request is: 199 to "
        "672 times less than that of IJ."
    },
)
costs.interpreted_as(
    "one order",
    "GB in Table 2, at least 10 times less: one order of magnitude",
    {"printed": "<="},
    stance="amended",
    fails={
        "printed": "For the {model} the method stores {bound} times less than the best of NS "
        "and IJ by Table 2, which is not even one order of magnitude."
    },
)

caption = Statement(
    "hf.table2.caption",
    "Table 2, caption",
    "claim",
    words="The proposed algorithm outperforms benchmarks regarding all metrics.",
    quantity="metrics of Table 2 in which hf's method is the best",
)
caption.interpreted_as(
    "literal", "seconds, GB and accuracies as they are printed", {"printed": "<="}
)

millisecond = Statement(
    "hf.millisecond",
    "Section 1, time of a request",
    "claim",
    words="The method is only on the millisecond level to forget a sample.",
    quantity="seconds of unlearning over requests, Tables 2 and 3",
)
millisecond.interpreted_as(
    "literal", "seconds of Table 2 over its requests, below ten milliseconds", {"printed": "<="}
)

convex = Statement(
    "hf.fig1.convex",
    "Figure 1(a), correlation",
    "claim",
    words="At 30 % deleted, Pearson and Spearman coefficients of the loss changes are .96 and .95 "
    "for logistic regression.",
    quantity="coefficients over seeds and shares",
)
convex.interpreted_as(
    "literal", "seven seeds of the figure, which are not given", {"printed": "<="}
)

network = Statement(
    "hf.fig1.network",
    "Figure 1(b), distance",
    "claim",
    words="At 30 % deleted the approximation error for the CNN is .96, below those of IJ and NS.",
    quantity="|w_{-U} - w - a| for the CNN",
)
network.interpreted_as(
    "literal", "seven seeds of the figure, which are not given", {"printed": "<="}
)

norms = Statement(
    "hf.fig2",
    "Figure 2",
    "claim",
    words="Whatever sample is forgotten, the norm of hf's vector approximates that of the change; "
    "NS and IJ err hugely for some.",
    quantity="|a| beside |w_{-U} - w|",
    correction="Equal norms do not make equal vectors: -a has the norm of a.",
)
norms.interpreted_as("literal", "the CNN, by random seeds, as in the figure", {"printed": "<="})
norms.interpreted_as(
    "effective",
    "a vector whose norm is that of the change approximates the change",
    {"printed": "<="},
    stance="out_of_context",
    fails={
        "printed": "Vectors of one norm can point anywhere: the negative of the change has its "
        "norm, and a relative error of {measured}. The figure compares norms alone."
    },
)

matrices = Statement(
    "hf.table1.matrices",
    "Section 4.4, storage of NS and IJ",
    "claim",
    words="Storing matrices for NS and IJ takes O(d^2), which is more than O(nd) when n < d.",
    quantity="numbers kept for a request by NS",
    correction="With linear scores n(d + 1) numbers are enough for NS and IJ as well: the rows and "
    "their curvatures, by Woodbury's formula.",
)
matrices.interpreted_as("literal", "so many are enough: the Hessian itself", {"printed": "<="})
matrices.interpreted_as(
    "required",
    "no way takes fewer; linear scores and n < d",
    {"printed": ">="},
    stance="component",
    fails={
        "printed": "With linear scores the n rows and their curvatures are enough for the "
        "Newton step, by Woodbury's formula: n(d + 1) = {measured} numbers at n = "
        "{n}, d = {d}, where the Hessian has {bound}."
    },
)

scaling = Statement(
    "hf.footnote2",
    "Footnote 2, data and parameters",
    "claim",
    words="n usually falls short of d; for language models n ~ d^.74 is expected to remain (Kaplan "
    "et al., 2020).",
    quantity="tokens that d parameters ask for, over d",
    correction="Kaplan et al. (4.4) ask for 5000 d^.74 tokens against overfitting: more than d "
    "below 1.7e14 parameters.",
)
scaling.interpreted_as(
    "literal",
    "n ~ d^.74 with the constant of its source, at 10^6 to 10^12 parameters: n < d",
    {"printed": "<="},
    fails={
        "printed": "The law that it cites has a factor: Kaplan et al. (4.4) ask for 5000·d^0.74 "
        "tokens, {measured} times d at d = {d} parameters. It is less than d only "
        "above 1.7·10¹⁴ parameters."
    },
)
scaling.interpreted_as("exponent", "n/d falls as d grows", {"printed": "<="}, stance="component")

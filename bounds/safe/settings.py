"""What safe states without a formula: Figure 1 and its text and what goes with it."""

from bounds import Edit, Statement

notation = Statement(
    "safe.tab3",
    "Table 3",
    "definition",
    words="Notation: d_KL is a cosine similarity loss, epsilon the mean and delta the variance "
    "of the Gaussian perturbation.",
    quantity="value of the symbol as it is used",
    correction="d_KL is the divergence of (8); epsilon and delta are those of Definition 1; the "
    "perturbation has the mean 0 and the variance phi_t.",
)
notation.interpreted_as(
    "literal",
    "as these are used in Sections 3.1 and 3.3",
    {"printed": "==", "corrected": "=="},
    fails={
        "printed": "Table 3 calls ε the mean and δ the variance of the perturbation and d_KL "
        "a cosine similarity loss. In the text its mean is 0 and its variance φ_t, "
        "ε and δ are those of Definition 1, and d_KL is the divergence of (8)."
    },
)

rounds = Statement(
    "safe.tab5_8",
    "Tables 5 to 8",
    "table",
    words="RA, FA and TA for 10, 20 or 40 rounds of 400 or 800 deletions.",
    aliases=("safe.tab5-8", "safe.tab5", "safe.tab6", "safe.tab7", "safe.tab8"),
    quantity="accuracy",
)
rounds.interpreted_as("literal", "the accuracies", {"printed": "<="})

mardia = Statement(
    "safe.tab9",
    "Table 9",
    "table",
    words="p-values of Mardia's tests (skewness 1.00, kurtosis 0.84 to 0.95) show that the "
    "projected vectors stay Gaussian.",
    quantity="p-value of skewness, exponential data",
    correction="Under normality p is uniform, 1/2 on average; p near 1 in four data sets is the "
    "sign of n near d, where the test has no power.",
)
mardia.interpreted_as("literal", "the p-values", {"printed": "<="})
mardia.interpreted_as(
    "power",
    "a high p-value of skewness shows normality: other data have one below 0.05",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "A high p-value does not show normality, least of all with n near d: {n} "
        "points of {d} independent exponentials have p = {measured} for skewness. "
        "Under normality p would be uniform, 1/2 on average, not 1.00 four times."
    },
)

mardia.interpreted_as(
    "number",
    "the footnote of Section 3 refers to Appendix B.6, Table 6",
    {"printed": "<=", "corrected": "<="},
    edits={"printed": Edit("the number of the table", "Table 6", "Table 9")},
    proofs={"corrected": "Mardia's tests are in Table 9, the only one of Appendix B.6"},
    stance="component",
    fails={
        "printed": "The footnote of Section 3 sends the reader to Table 6 of Appendix B.6 for "
        "Mardia's test. The test is in Table {measured}, the only one there; Table "
        "6 lists accuracies."
    },
)

larger = Statement(
    "safe.b5",
    "Appendix B.5",
    "claim",
    words="A lower K, a higher gamma, changes the parameters more; a higher K changes them less.",
    quantity="length of the first round's change",
)
larger.interpreted_as(
    "literal",
    "the first round, from the same model and gradient: as the figures' text, 'often'",
    {"printed": "<="},
    proofs={"printed": "gamma = sqrt(W)/(K sqrt T) and the step is gamma times the gradient"},
)

figure = Statement(
    "safe.fig1",
    "Figure 1 and its text",
    "claim",
    words="CIFAR10: 12.90 s against 2.55 s is nearly nine times slower; at least 30 % less "
    "time than the second fastest; more than double the time efficiency.",
    quantity="time of the second fastest over SAFE's",
    correction="12.90/2.55 = 5.06; MNIST 1.66/1.13 = 1.47.",
)
figure.interpreted_as(
    "literal",
    "nearly nine times: 8.5 at least",
    {"printed": ">="},
    fails={
        "printed": "12.90 s over 2.55 s is {measured}: on CIFAR10 the second fastest method "
        "takes about five times as long as SAFE, not nearly nine times."
    },
)
figure.interpreted_as(
    "third",
    "at least 30 % less",
    {"printed": ">="},
    proofs={"printed": "the printed times divided by one another"},
    stance="component",
)
figure.interpreted_as(
    "double",
    "twice as fast as the second, MNIST and CIFAR10",
    {"printed": ">="},
    stance="component",
    fails={
        "printed": "On MNIST 1.66 s over 1.13 s makes SAFE {measured} times as fast as the "
        "second fastest method, not more than twice. On CIFAR10 it is five times "
        "as fast."
    },
)

hyper = Statement(
    "safe.hyper",
    "Settings (4.1, B.2, B.5)",
    "table",
    words="lambda is 1000, 1000, 120000, 120000 (4.1); K is 2.5, 8, 2.5, 4 (B.2).",
    quantity="setting",
    correction="Give one lambda and one K for each data set, with the tables that they belong "
    "to: Section 4.1, B.2 and B.5 differ, and B.5 never tried the K = 2.5 of "
    "CIFAR10 or the K = 4 of TinyImagenet.",
)
hyper.interpreted_as(
    "literal",
    "lambda in Section 4.1 and in B.2",
    {"printed": "<="},
    fails={
        "printed": "No λ of Section 4.1 agrees with the one of Appendix B.2 for the same data "
        "set: they are 1000, 1000, 120000, 120000 in the one and 2000, 6000, "
        "100000, 1000000 in the other."
    },
)
hyper.interpreted_as(
    "step",
    "K in B.2 and in B.5",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "For TinyImagenet K is 4 in Appendix B.2 and 2.5 in Appendix B.5. The "
        "values for the other three data sets agree."
    },
)
hyper.interpreted_as(
    "grid",
    "K of B.2 is among the values tried in B.5",
    {"printed": "<="},
    stance="component",
    fails={
        "printed": "Two values of K in B.2 are not among those tried in B.5: 2.5 for CIFAR10 "
        "(tried: 0.4, 1.2, 2, 4) and 4 for TinyImagenet (tried: 0.5, 2.5, 5, 10)."
    },
)

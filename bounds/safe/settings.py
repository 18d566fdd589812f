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
    "literal", "as these are used in Sections 3.1 and 3.3", {"printed": "==", "corrected": "=="}
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
)

mardia.interpreted_as(
    "number",
    "the footnote of Section 3 refers to Appendix B.6, Table 6",
    {"printed": "<=", "corrected": "<="},
    edits={"printed": Edit("the number of the table", "Table 6", "Table 9")},
    proofs={"corrected": "Mardia's tests are in Table 9, the only one of Appendix B.6"},
    stance="component",
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
figure.interpreted_as("literal", "nearly nine times: 8.5 at least", {"printed": ">="})
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
)

hyper = Statement(
    "safe.hyper",
    "Settings (4.1, B.2, B.5)",
    "table",
    words="lambda is 1000, 1000, 120000, 120000 (4.1); K is 2.5, 8, 2.5, 4 (B.2).",
    quantity="setting",
)
hyper.interpreted_as("literal", "lambda in Section 4.1 and in B.2", {"printed": "<="})
hyper.interpreted_as("step", "K in B.2 and in B.5", {"printed": "<="}, stance="component")
hyper.interpreted_as(
    "grid", "K of B.2 is among the values tried in B.5", {"printed": "<="}, stance="component"
)

"""(3) of hf: how many steps the printed ranges of e and b make."""

from bounds import Edit, Plot, Statement
from bounds.hf.symbols import B, E

statement = Statement(
    "hf.eq3",
    "Equation (3)",
    "equality",
    words="SGD steps w_{e,b}, e in {0..E}, b in {0..B}, one batch each; every sample is in "
    "one batch of each epoch, w_{e,0} = w_{e-1,B}, and t = eB + b.",
    left="T",
    symbols=(E, B),
    plot=Plot("E", tuple(float(e) for e in range(20)), {"B": 3.0}, log_y=False),
    quantity="steps",
    correction="b runs to B - 1. The last batch may be short: |B_t| is then its own size.",
)
statement.interpreted_as(
    "literal",
    "B batches hold every sample once an epoch",
    edits={"printed": Edit("b in {0, ..., B - 1}", r"\ldots, B\}", r"\ldots, B-1\}")},
)


@statement.form("printed", tex=r"e \in \{0, \ldots, E\},\ b \in \{0, \ldots, B\}")
def printed(xp, E, B):
    """The ranges of (3) make this many steps. A typo: T is (E + 1) B.

    Note: then t = eB + b names some steps twice
    Fails: With b = 0, ..., B an epoch makes B + 1 steps, though B batches hold every sample once: E
        = {E}, B = {B} makes {bound} steps, where T = EB + B says {measured}.
    Source: hf, (3)
    """
    return (E + 1) * (B + 1)


@statement.form("corrected", tex=r"e \in \{0, \ldots, E\},\ b \in \{0, \ldots, B-1\}")
def corrected(xp, E, B):
    """Training for E + 1 epochs of B batches takes this many steps.

    Note: b runs to B - 1; the next epoch begins at w_{e,B}
    Proof: E + 1 epochs of B batches
    """
    return (E + 1) * B


risks = Statement(
    "hf.eq1_2",
    "Equations (1)-(2)",
    "definition",
    words="F(w) is the expected loss; F_S(w) the mean loss of the samples.",
    aliases=("hf.eq1-2", "hf.eq1", "hf.eq2"),
)
risks.interpreted_as("literal", "samples drawn independently from one law", {"printed": "=="})

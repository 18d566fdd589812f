"""Membership inference in mini: the precision of an attack on a forgotten point's weight."""

import numpy as np

from bounds import Hypothesis, Plot, Statement, Symbol

weight = Symbol("weight", "weight of a forgotten point in the model", "a", unit="parameter")
spread = Symbol(
    "spread",
    "root of the other points' squared weights",
    r"\tau",
    low=0,
    low_open=True,
    unit="parameter",
)
d = Symbol("d", "dimension", "d", low=1, kind="integer")
prevalence = Symbol(
    "prevalence",
    "share of forgotten points among those tested",
    r"\pi",
    low=0,
    high=1,
    low_open=True,
    unit="1",
)

statement = Statement(
    "mini.mia.precision",
    "Precision of membership inference (Section 5.1)",
    "equality",
    words="The precision of <x, w> > 0 for a forgotten point of weight a in w = sum a_i x_i.",
    left=r"P(\text{forgotten}\mid\text{accused})",
    symbols=(weight, spread, d, prevalence),
    plot=Plot(
        "weight",
        tuple(np.linspace(-0.05, 0.05, 41).tolist()),
        {"spread": 0.14, "d": 50, "prevalence": 0.5},
        log_y=False,
    ),
    quantity="precision",
    correction="The prevalence is the target; a negative weight (too much taken away) is below it.",
)
statement.interpreted_as(
    "literal", "independent rows N(0, I_d); spread^2 = sum of the other a_i^2", {"tight": "=="}
)
statement.interpreted_as(
    "retrained",
    "a = 0",
    stance="component",
    where=(Hypothesis("a = 0", sets={"weight": lambda: 0.0}),),
)


@statement.form("corrected", tex=r"\pi")
def corrected(xp, prevalence):
    """Every attack's precision after exact retraining, D_U drawn at random: the prevalence.

    Note: the target: retraining without the points (a = 0), whatever the attack
    Proof: the attack accuses half of both
    """
    return prevalence


@statement.form("tight", tex=r"\frac{\pi\,t}{\pi\,t+(1-\pi)/2},\quad t=F_d(a\sqrt d/\tau)")
def tight(xp, weight, spread, d, prevalence):
    """Precision of accusing <x, w> > 0, w = sum a_i x_i with independent rows N(0, I_d).

    A forgotten x of weight a is accused with probability P(N < a chi_d/tau), a fresh one with 1/2.

    Note: below the target for a < 0: the attack is inverted, not defeated; F_d Student's law
    Proof (literal): given |x|, <x, w> is a |x|^2 + spread |x| N
    Proof (retrained): at a = 0 the score is symmetric, F_d(0) = 1/2
    """
    hit = xp.student(d, weight * xp.sqrt(d) / spread)
    return prevalence * hit / (prevalence * hit + (1 - prevalence) / 2)


logic = Statement(
    "mini.mia",
    "Membership inference (Sections 5.1 and 5.2)",
    "claim",
    words="The lower an attack's precision and recall on unlearned samples, the more private "
    "information was erased.",
    quantity="precision or AUC of an attack",
    correction="The target is agreement with retraining: below it the attack is inverted, and its "
    "negation wins.",
)
logic.interpreted_as(
    "literal",
    "exact retraining, which erases everything, has the least precision",
    {"printed": "<="},
    fails={
        "printed": "After exact retraining precision is the share of forgotten samples among "
        "those tested, here {prevalence}. A model that takes them away twice (weight "
        "{weight}) has {bound}: lower, but the opposite attack then finds them."
    },
)
logic.interpreted_as(
    "retrained",
    "D_U drawn at random: precision after exact retraining is the prevalence, "
    "and the AUC 1/2, for every attack",
    {"corrected": "<="},
    proofs={"corrected": "unlearned and fresh samples are exchangeable given the model"},
    stance="amended",
)
logic.interpreted_as(
    "chosen",
    "the same for a D_U that was chosen by its values",
    {"corrected": "<="},
    stance="amended",
    fails={
        "corrected": "Only samples drawn at random are exchangeable with fresh ones. Where "
        "outliers were forgotten, the attack by loss has an AUC of {measured} after "
        "exact retraining, not {bound}."
    },
)

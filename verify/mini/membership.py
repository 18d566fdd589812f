"""Membership inference in mini: after exact retraining precision is prevalence, not a minimum."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence

LOGIC = Claim(
    id="mini.mia",
    label="Membership inference (Sections 5.1 and 5.2)",
    kind="claim",
    statement="The lower an attack's precision and recall on unlearned samples, the more private "
    "information was erased.",
    readings=(
        Reading(
            "literal", "exact retraining, which erases everything, has the least precision",
            ("printed",),
        ),
        Reading(
            "retrained", "D_U drawn at random: precision after exact retraining is the prevalence, "
            "and the AUC 1/2, for every attack", ("corrected",),
            proofs={"corrected": "unlearned and fresh samples are exchangeable given the model"},
            stance="repair",
        ),
        Reading("chosen", "the same for a D_U that was chosen by its values", ("corrected",),
                stance="repair"),
    ),
    formula=False,
    quantity="precision or AUC of an attack",
    correction="The target is agreement with retraining: below it the attack is inverted, and its "
    "negation wins.",
)  # fmt: skip
PRECISION = Claim(
    id="mini.mia.precision",
    label="Precision of membership inference (Section 5.1)",
    kind="equality",
    statement="The precision of <x, w> > 0 for a forgotten point of weight a in w = sum a_i x_i.",
    readings=(
        Reading(
            "literal", "independent rows N(0, I_d); spread^2 = sum of the other a_i^2", ("tight",),
            proofs={"tight": "given |x|, <x, w> is a |x|^2 + spread |x| N"},
        ),
        Reading(
            "retrained", "a = 0", ("corrected", "tight"),
            proofs={
                "corrected": "the attack accuses half of both",
                "tight": "at a = 0 the score is symmetric, F_d(0) = 1/2",
            },
            stance="part",
        ),
    ),
    natural=Natural(
        "weight", tuple(np.linspace(-0.05, 0.05, 41).tolist()),
        {"spread": 0.14, "d": 50, "prevalence": 0.5}, log_y=False,
    ),
    quantity="precision",
    correction="The prevalence is the target; a negative weight (too much taken away) is below it.",
)  # fmt: skip
CLAIMS = (LOGIC, PRECISION)


def measure(weight: float, spread: float, d: float, prevalence: float) -> float:
    """Precision by integrating P(a |x| + spread N > 0) over the law of |x|."""
    top = math.sqrt(d) + 12

    def density(r: float) -> float:
        logs = (d - 1) * math.log(r) - r * r / 2 - (d / 2 - 1) * math.log(2) - math.lgamma(d / 2)
        return float(ndtr(weight * r / spread) * math.exp(logs))

    hit, _ = quad(density, 0, top, epsabs=0, epsrel=1e-11, limit=300, points=[math.sqrt(d)])
    return float(prevalence * hit / (prevalence * hit + (1 - prevalence) / 2))


Attack = Callable[[float, np.ndarray], float]
ATTACKS: dict[str, Attack] = {
    "loss": lambda x, kept: -abs(x - kept.mean()),
    "value": lambda x, kept: x,
    "side": lambda x, kept: float(np.sin(7 * x + 3 * kept.sum()) > 0),
}


def exchangeable(
    attack: Attack, values: np.ndarray, kept: int, unlearned: int
) -> tuple[float, float]:
    """(precision, AUC) over every way to deal the values into kept, unlearned and fresh ones.

    Precision pools the accused of all deals, those above the second lowest score of each model.
    """
    from simulators.trajectory.membership import auc, rates

    places = set(range(len(values)))
    hits = accused = 0.0
    areas = []
    for stay in combinations(places, kept):
        model = values[list(stay)]
        rest = sorted(places - set(stay))
        scores = {i: attack(values[i], model) for i in rest}
        threshold = sorted(scores.values())[1]
        for gone in combinations(rest, unlearned):
            members = [scores[i] for i in gone]
            others = [scores[i] for i in rest if i not in gone]
            areas.append(auc(members, others))
            found = rates(members, others, threshold)
            hits += found.recall * len(members)
            accused += found.recall * len(members) + found.false_positive_rate * len(others)
    return hits / accused, float(np.mean(areas))


def check_logic(ctx: Context) -> Iterator[Evidence]:
    from simulators.trajectory.membership import auc

    rng = ctx.rng()
    for weight, prevalence in ((-0.05, 0.5), (-0.1, 0.25)):
        inputs = {"weight": weight, "spread": 0.14, "d": 50, "prevalence": prevalence}
        yield ctx.compare(
            "literal", "printed", measure(**{**inputs, "weight": 0.0}), inputs,
            "retraining against a model that takes the points away twice",
            bound=measure(**inputs), tight=np.nan, script="mia",
        )  # fmt: skip
    for _ in range(ctx.pick(2, 20)):
        values = rng.normal(size=7)
        for name, attack in ATTACKS.items():
            for unlearned in (1, 2, 3):
                precision, area = exchangeable(attack, values, 3, unlearned)
                inputs = {"kept": 3, "unlearned": unlearned, "fresh": 4 - unlearned}
                for quantity, found, target in (
                    ("precision", precision, unlearned / 4), ("AUC", area, 0.5),
                ):  # fmt: skip
                    yield ctx.compare(
                        "retrained", "corrected", found, inputs,
                        f"{quantity} of the {name} attack, every deal of 7 values", bound=target,
                        tight=target, relation="==",
                    )  # fmt: skip
    model = np.array([0.5, 1.5])
    scores = [[ATTACKS["loss"](x, model) for x in part] for part in ((0.0, 3.0), (1.0, 2.0))]
    yield ctx.compare(
        "chosen", "corrected", auc(*scores), {"kept": 2, "unlearned": 2, "fresh": 2},
        "AUC of the loss attack where the outliers leave", bound=0.5, tight=0.5, relation="==",
        script="mia_chosen",
    )  # fmt: skip


def check_precision(ctx: Context) -> Iterator[Evidence]:
    rng = ctx.rng()
    for _ in range(ctx.pick(25, 300)):
        inputs = {
            "weight": float(rng.normal()) * 0.2, "spread": float(rng.uniform(0.1, 1)),
            "d": int(rng.integers(1, 80)), "prevalence": float(rng.uniform(0.05, 1)),
        }  # fmt: skip
        about = "the law of |x| integrated"
        yield ctx.compare("literal", "tight", measure(**inputs), inputs, about, relation="==")
        inputs["weight"] = 0.0
        for form in ("corrected", "tight"):
            yield ctx.compare("retrained", form, measure(**inputs), inputs, about, relation="==")


CHECKERS = {LOGIC.id: check_logic, PRECISION.id: check_precision}
MEASURES = {PRECISION.id: measure}

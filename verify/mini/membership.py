"""Membership inference in mini: after exact retraining precision is prevalence, not a minimum."""

import math
from collections.abc import Callable
from itertools import combinations, product

import numpy as np
from scipy.integrate import quad
from scipy.special import ndtr

from bounds import Hypothesis
from verify.checks import Check, Context, Findings, Instances, Limit


def measure(weight: float, spread: float, d: float, prevalence: float) -> float:
    """Precision by integrating P(a |x| + spread N > 0) over the law of |x|."""
    top = math.sqrt(d) + 12

    def density(r: float) -> float:
        logs = (d - 1) * math.log(r) - r * r / 2 - (d / 2 - 1) * math.log(2) - math.lgamma(d / 2)
        return float(ndtr(weight * r / spread) * math.exp(logs))

    steep = 10 * spread / abs(weight) if weight else top  # beyond it the normal law's tail is 0
    ends = [end for end in (steep, math.sqrt(d)) if 0 < end < top]
    hit, _ = quad(density, 0, top, epsabs=0, epsrel=1e-11, limit=300, points=ends)
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

    positions = set(range(len(values)))
    hits = accused = 0.0
    areas = []
    for stay in combinations(positions, kept):
        model = values[list(stay)]
        rest = sorted(positions - set(stay))
        scores = {i: attack(values[i], model) for i in rest}
        threshold = sorted(scores.values())[1]
        for deletions in combinations(rest, unlearned):
            members = [scores[i] for i in deletions]
            others = [scores[i] for i in rest if i not in deletions]
            areas.append(auc(members, others))
            attack_rates = rates(members, others, threshold)
            hits += attack_rates.recall * len(members)
            accused += attack_rates.recall * len(members) + attack_rates.false_positive_rate * len(
                others
            )
    return hits / accused, float(np.mean(areas))


def check_logic(ctx: Context) -> Findings:
    """Precision and AUC of attacks over every deal of a few values, before and after retraining."""
    from simulators.trajectory.membership import auc

    rng = ctx.rng()
    label = "retraining against a model that takes the points away twice"
    for weight, prevalence in ((-0.05, 0.5), (-0.1, 0.25)):
        inputs = {"weight": weight, "spread": 0.14, "d": 50, "prevalence": prevalence}
        options = {"bound": measure(**inputs), "tight": np.nan, "script": "mia"}
        retrained = measure(**{**inputs, "weight": 0.0})
        yield ctx.compare("literal", "printed", retrained, inputs, label, **options)
    for _ in range(ctx.pick(2, 20)):
        values = rng.normal(size=7)
        for (name, attack), deletions in product(ATTACKS.items(), (1, 2, 3)):
            precision, area = exchangeable(attack, values, 3, deletions)
            inputs = {"kept": 3, "unlearned": deletions, "fresh": 4 - deletions}
            for what, measurement, target in (
                ("precision", precision, deletions / 4),
                ("AUC", area, 0.5),
            ):
                label = f"{what} of the {name} attack, every deal of 7 values"
                options = {"bound": target, "tight": target, "relation": "=="}
                yield ctx.compare("retrained", "corrected", measurement, inputs, label, **options)
    model = np.array([0.5, 1.5])
    inputs = {"kept": 2, "unlearned": 2, "fresh": 2}
    scores = [[ATTACKS["loss"](x, model) for x in part] for part in ((0.0, 3.0), (1.0, 2.0))]
    label = "AUC of the loss attack where the outliers leave"
    options = {"bound": 0.5, "tight": 0.5, "relation": "==", "script": "mia_chosen"}
    yield ctx.compare("chosen", "corrected", auc(*scores), inputs, label, **options)


WITHIN = {"weight": (-0.6, 0.6), "spread": (0.1, 1), "d": (1, 80), "prevalence": (0.05, 1)}
ABOUT = "the law of |x| integrated"
LEAST = "a probability by quadrature from 0, where the least ones lie"
ANY = Instances(ABOUT, draws=(25, 300), within=WITHIN, interpretations=("literal",))
NONE = Instances(
    ABOUT, draws=(25, 300), within={**WITHIN, "weight": (0, 0)}, interpretations=("retrained",)
)
WIDE = Hypothesis("weight >= -1000*spread", lambda weight, spread: weight >= -1000 * spread)
LIMITS = {"literal": Limit(LEAST, (WIDE,), size=lambda p: 1.0)}
CHECKS = (
    Check("mini.mia", evidence=check_logic),
    Check("mini.mia.precision", exact_side=measure, at=(ANY, NONE), limits=LIMITS),
)

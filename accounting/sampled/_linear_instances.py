"""Linear losses that tell most: pairs of laws that an accountant of the whole class must cover.

The row in question has the gradient +g C, g the part of C that it may have at a step, the one that
it is exchanged for -g C, all others h C, and every map is x -> (1 - eta lambda) x; so both runs end
in mixtures of Gaussians of one variance.  A row that is there while others are unlearned is sampled
in both runs and blurs both alike.

A masked row in a batch of fixed size or of an epoch: h = -1, so that the batch counts 1 less where
the place is masked, and 1 + g less where the row is in it: both runs are mixtures over the places.
"""

from dataclasses import replace

import numpy as np

from accounting.curves.discrete_sums import Joined, Law, OneLaw, Term
from accounting.sampled._inclusions import Transported, exchanges, inclusions, instance
from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.changed_data import shortened
from accounting.sampled.schedules import RESIZING

Sides = tuple[Law | None, Law | None]


def instances(setting: SampledSGD, steps: Transported) -> list[Sides]:
    """Pairs of sides, sigma = 1; no accountant may answer less than any of them needs."""
    several = setting.sampling == "poisson"
    # Batches of fixed size: h = -1, so that the row counts g + 1 where it stands for another.
    y = (inclusions if several else instance)(setting, steps, setting.exchange).linear
    blur = None
    if setting.adjacency in ("add", "replace") and steps.clock.size > steps.training:
        blur = instance(setting, steps, setting.exchange, late=True).linear
    cases: list[Sides] = []
    if setting.adjacency == "replace":
        cases.append((_sum(y, 1, blur, -1), _sum(y, -1, blur, -1)))  # h = 0
        scale = 1.0 if setting.sampling == "poisson" else 2.0  # h = -g, or no gradient after it
        return [*cases, *_apart(y, scale, None)]
    cases += _apart(y, 1.0, blur)  # h = 0
    if setting.sampling in ("fixed", "shuffled") and setting.adjacency not in RESIZING:
        alone = instance(replace(setting, row_share=1.0), steps, 1.0).linear
        both = _at_once(setting, steps, y, alone)
        cases += [((both,), (alone,)), ((alone,), (both,))]
    elif isinstance(y, Term) and not shortened(setting):
        # Shuffled, h = g: only the row that moves to the free place counts.
        last_values = np.broadcast_to(y.values[:, -1:], y.values.shape)
        cases += _apart(Term(last_values, y.chances, y.zero), 1.0, None)
    return cases


def _at_once(setting: SampledSGD, steps: Transported, y: OneLaw, masked: OneLaw) -> OneLaw:
    """The row and what is masked in its place, which are drawn together: their values add."""
    if isinstance(y, Term) and isinstance(masked, Term):
        return Term(y.values + masked.values, y.chances, y.zero)
    return exchanges(setting, steps).linear


def _apart(y: OneLaw, scale: float, blur: OneLaw | None) -> list[Sides]:
    """With the row against without it, both ways."""
    if blur is None:
        return [((y.times(scale),), None), (None, (y.times(-scale),))]
    cases: list[Sides] = []
    for sign in (scale, -scale):
        sides = _sum(y, sign, blur, sign), (blur.times(sign),)
        cases.append(sides if sign > 0 else sides[::-1])
    return cases


def _sum(y: OneLaw, sign: float, other: OneLaw | None, side: float) -> Law:
    if other is None:
        return (y.times(sign),)
    return (Joined(y.times(sign), other.times(side)),)

"""delta of many steps on one row, by sums of 200 bits over another line with half steps."""

from collections.abc import Callable

import numpy as np


def exact_delta(relation: str, shift: float, rate: float, often: int) -> Callable[[float], float]:
    """delta as a function of epsilon."""
    from flint import acb, arb, ctx

    from accounting.compositions.contours import CompositionContour
    from accounting.compositions.mixture_steps import MixtureStep

    ctx.prec = 200
    step = MixtureStep(np.array([shift]), np.array([rate]), relation)

    def log_ratio(x: arb) -> arb:
        b = arb(shift)
        return (arb(1) - arb(rate) + arb(rate) * (b * x - b * b / 2).exp()).log()

    def points(c: float, last: float) -> list[tuple[arb, arb]]:
        h = min(0.05, 2 * np.pi * 1.5 / shift / (70 + 4.2 * last))
        far = 14 + (1 + c) * shift
        near = far if relation == "replace" else 14.0
        found = []
        for j in range(int((near + far) / h) + 1):
            x = arb(h) * j - arb(near)
            log = log_ratio(x)
            normal = (-x * x / 2).exp() / (2 * arb.pi()).sqrt() * arb(h)
            mass = normal if relation == "add" else normal * log.exp()
            loss = {"remove": log, "add": -log}.get(relation)
            loss = log - log_ratio(-x) if loss is None else loss
            found.append((loss, mass * (loss * arb(c)).exp()))
        return found

    def value(epsilon: float) -> float:
        # Any line will do: the one where the other's integrand is smallest, moved a little.
        line = min(
            (CompositionContour([(step, often)], c) for c in np.geomspace(0.5, 40, 24)),
            key=lambda each: each.log - each.c * epsilon + each.size,
        )
        line.aim(smooth=False)
        c, last = 1.1 * line.c, 1.2 * float(line.t[-1])
        h = 2 * np.pi / (1.3 * line.period)
        nodes = points(c, last)
        total = arb(0)
        for j in range(int(last / h) + 1):
            u = acb(c, (j + 0.5) * h)
            turn = acb(0, (j + 0.5) * h)
            moment = acb(0)
            for loss, mass in nodes:
                moment += (turn * loss).exp() * mass
            total += (moment**often * (-u * arb(epsilon)).exp() / (u * (1 + u))).real
        return float(total * arb(h) / arb.pi())

    return value

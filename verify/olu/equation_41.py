"""(41) of olu: what the two runs do differently at requests before the last."""

from fractions import Fraction

import numpy as np

from accounting.deletions.active import first_order
from accounting.deletions.online_descent import OnlineDescent, inverse_time
from accounting.deletions.schedule import DeletionSchedule
from verify.checks import Check, Context, Findings
from verify.olu.active_runs import ActiveStream, active_pair, ordered_schedule, seen


def check(ctx: Context) -> Findings:
    """Distance of the two runs after three requests on log-cosh losses, and after five at one time.

    Three quadratics on [0, 1] show that a request sees losses that a later one asks for.
    """
    yield from _three_requests(ctx)
    yield from _at_one_time(ctx)
    apart = float(abs(_request_1((2, 3)) - _request_1((2,))))
    inputs = {"u": "1, 3", "tau": "4, 5", "I2": 1, "beta": 9}
    words = "three quadratics on [0, 1]: the second loss asked for was seen by the first request"
    yield ctx.compare("any", "printed", apart, inputs, words, bound=0.0, script="eq41")

    # 2nL/(mu m_j) would not do in place of 2nL/(mu (m_j - j)): L = 3 on [0, 1], one of two kept.
    words = "one step from z = 1/2 over (1 - rho) 2L/(mu kept), rho = 4/5"
    for role, kept_count in (("bound", 2), ("control", 3)):
        inputs = {"z": "1/2", "L": 3, "kept": kept_count}
        bound = 0.2 * 2 * 3.0 / kept_count
        yield ctx.compare("repaired", "corrected", apart, inputs, words, bound=bound, role=role)


def _three_requests(ctx: Context) -> Findings:
    """Random streams and three requests: in order of their losses, and in any order."""
    rng = ctx.rng()
    for case in range(ctx.pick(60, 1500)):
        stream = ActiveStream.steep(rng, 16, 4)
        I1 = int(rng.integers(0, 3))
        I2 = int(rng.integers(0, 4))
        starts = stream.starts(rng, 20)
        if case % 2:
            u, tau = ordered_schedule(rng, 3, 16, 4)
            words = "maps of block j without u_1..u_3, and without u_1..u_j"
            for j in (1, 2):
                first, time = [1, *tau][j - 1], tau[j - 1]
                ends = []
                for out in (u, u[:j]):
                    points = stream.descend(starts, first, time - 1, out)
                    ends.append(stream.phase(points, seen(time, out), I2))
                distances = np.linalg.norm(ends[0] - ends[1], axis=1) + 1
                inputs = {"u": str(u), "tau": str(tau), "j": j}
                yield ctx.compare("literal", "printed", distances, inputs, words, bound=1.0)
        else:
            tau = sorted(int(t) for t in rng.choice(np.arange(6, 17), size=3, replace=False))
            u = [int(t) for t in rng.choice(np.arange(3, tau[0]), size=2, replace=False)]
            u.append(int(rng.choice([t for t in range(3, tau[2]) if t not in u])))
        requests = DeletionSchedule(np.array(u), np.array(tau))
        bound = first_order(_learner(stream), requests, I2, I1).totals[-1]
        distances = active_pair(stream, starts, u, tau, I1, I2)
        inputs = {"u": str(u), "tau": str(tau), "I1": I1, "I2": I2}
        words = "log-cosh losses with ridge on a ball, three requests"
        yield ctx.compare("repaired", "corrected", distances, inputs, words, bound=bound)


def _at_one_time(ctx: Context) -> Findings:
    """Five requests at once: at the fourth, one of the two losses kept is the fifth to go."""
    points = np.array([[0.0]] * 4 + [[-0.5], [0.5]])
    u = [1, 2, 3, 4, 6]
    tau = [7] * 5
    quiet = ActiveStream(1.0, 0.0, points, np.ones((6, 1)), np.zeros(6), 1.0)
    steps = [20] * 4 + [0]
    distances = active_pair(quiet, np.zeros((1, 1)), u, tau, 0, steps)
    requests = DeletionSchedule(np.array(u), np.array(tau))
    bound = first_order(_learner(quiet), requests, steps).totals[-1]
    inputs = {"u": str(u), "tau": "7"}
    words = "six quadratics, five requests at one time"
    yield ctx.compare("repaired", "corrected", distances, inputs, words, bound=bound)


def _learner(stream: ActiveStream) -> OnlineDescent:
    """The learner of a stream, with steps 1/(mu t)."""
    return OnlineDescent(stream.mu, stream.beta, stream.lipschitz, inverse_time(stream.mu))


def _request_1(kept: tuple[int, ...]) -> Fraction:
    """One projected step from 1/2 on the mean of the kept quadratics."""
    points = {1: Fraction(0), 2: Fraction(-2), 3: Fraction(3)}
    z = Fraction(1, 2)
    mean = sum((points[t] for t in kept), Fraction(0)) / len(kept)
    next_point = z - Fraction(1, 5) * (z - mean)
    return max(Fraction(0), min(Fraction(1), next_point))


CHECKS = (Check("olu.eq41", evidence=check),)

"""Forty planted slips: what runs, and the number of what somebody took it for.

A slip is a mechanism whose claim is the certified number of another one: noise twice as large, an
order more, one step more, sampled batches, a divisor that stays. Each is (kind, mechanism).
"""

import math

from accounting.mechanism import Mechanism

DELTA = 1e-5


def document(steps, *, released="last", adjacency="maps", **more):
    return {
        "schema": "forgetproof/mechanism/1",
        "name": "planted",
        "relation": {"adjacency": adjacency},
        "steps": steps,
        "released": released,
        "requests": "oblivious",
        "claims": [],
        **more,
    }


def maps(count=10, contraction=0.95, shift=0.02, deviation=0.08, start=0.2):
    noise = {"deviation": deviation, "on": "iterate"}
    step = {"count": count, "contraction": contraction, "shift": shift, "noise": noise}
    return document([step], start=start)


def gradient(count, batches, deviation, *, on="sum", divisor=100, sees=True, **more):
    return {
        "count": count,
        "sees": sees,
        "batches": batches,
        "clip": {"norm": 1.0, "each": "row"},
        "divisor": {"value": divisor, "is": "constant"},
        "noise": {"deviation": deviation, "on": on},
        "step_size": 0.5,
        **more,
    }


def training(drawn, count, deviation, n=1000, size=100, **more):
    batches = {"drawn": drawn} | ({} if drawn == "full" else {"size": size})
    step = gradient(count, batches, deviation, **more)
    return document([step], released="every", adjacency="zero", n=n)


def unlearning(steps, deviation=5.0):
    """Full batches of convex losses, then some on the rows that stay."""
    seen = gradient(50, {"drawn": "full"}, deviation, divisor=500, decay=0.1)
    blind = seen | {"count": steps, "sees": False}
    return document([seen, blind], adjacency="delete", n=500, losses="scalar", smoothness=0.25)


def billed(executed, other, delta=DELTA):
    """What runs, with the epsilon of the other."""
    epsilon = Mechanism.of_document(other).upper(delta)
    claim = {"epsilon": epsilon, "delta": DELTA}
    return Mechanism.of_document(executed | {"claims": [claim]})


def scaled(executed, factor):
    steps = [
        s | {"noise": s["noise"] | {"deviation": s["noise"]["deviation"] * factor}}
        for s in executed["steps"]
    ]
    return executed | {"steps": steps}


RUNS = (
    maps(),
    maps(count=50, contraction=0.99, deviation=0.15),
    maps(count=1, contraction=1.0, shift=0.0, deviation=2.0, start=1.0),
    training("cyclic", 30, 4.0),
    training("full", 20, 8.0),
    unlearning(30),
)
FLAT = (0.1, 0.5, 1.0, 2.0, 8.0)


def flat(slope):
    """A curve that holds, converted as if it did not grow with the order."""
    deviation = 0.2 / math.sqrt(2 * slope) * (1 + 1e-9)
    run = maps(count=1, contraction=1.0, shift=0.0, deviation=deviation, start=0.2)
    rest = math.log1p(-1e-3) - (math.log(DELTA) + math.log(1000)) / 999
    claims = [{"slope": slope}, {"epsilon": slope + rest, "delta": DELTA, "made_from": 0}]
    return Mechanism.of_document(run | {"claims": claims})


def follows(dimension, divisor):
    """Nothing but a divisor that is one less where a row has left."""
    run = training("full", 5, 8.0, divisor=divisor)
    step = run["steps"][0]
    step = step | {"divisor": {"value": divisor, "is": "from_n", "beside": divisor - 1}}
    executed = run | {"steps": [step], "relation": {"adjacency": "delete"}, "dimension": dimension}
    return billed(executed, run | {"relation": {"adjacency": "delete"}})


def planted(few=False):
    """(kind, mechanism) of all slips, or of fewer whose numbers are dear."""
    for run in RUNS:
        yield "twice the noise", billed(run, scaled(run, 2.0))
    for run in RUNS[:5]:
        yield "noise over the root of 2", billed(run, scaled(run, math.sqrt(2)))
    for slope in FLAT:
        yield "the order left out", flat(slope)
    for divisor in (20, 50, 100, 200):
        run = training("full", 10, 6.0, on="sum", divisor=divisor)
        yield "sum or mean", billed(run, training("full", 10, 6.0, on="mean", divisor=divisor))
    for steps in (5, 10, 20, 30):
        yield "one step more", billed(unlearning(steps), unlearning(steps + 1))
    run = maps(count=10, shift=0.0)
    yield "one step more", billed(run, maps(count=11, shift=0.0))
    for n, deviation in ((3000, 0.6), (2000, 0.7), (5000, 0.6), (10000, 0.65))[: 1 if few else 4]:
        run = training("shuffled", n // 100, deviation, n=n)
        yield "shuffled", billed(run, training("poisson", n // 100, deviation, n=n))
    for deviation in (3.0,) if few else (1.0, 3.0):
        run = training("cyclic", 30, deviation)
        yield "in the order of the file", billed(run, training("poisson", 30, deviation))
    for dimension, divisor in ((650, 62), (7850, 62), (1000, 100), (100000, 500)):
        yield "n or n - 1", follows(dimension, divisor)
    for run, steps in ((RUNS[0], 10), (RUNS[1], 50), (RUNS[3], 30), (RUNS[4], 20), (RUNS[5], 80)):
        yield "delta of every step", billed(run, run, steps * DELTA)

"""Ledgers and certificates of a producer who only writes what an engine would."""

import hashlib
import itertools
from pathlib import Path

from forgetproof.certificates import Ledger, certify

STEP = {
    "count": 1,
    "sees": True,
    "batches": {"drawn": "poisson", "rate": 0.25},
    "clip": {"norm": {"value": 1.0, "origin": "enforced", "by": "the clip"}, "each": "row"},
    "divisor": {"value": 359, "is": "constant"},
    "noise": {"deviation": 1.0, "on": "sum", "drawn": "fresh", "seed": "system"},
    "step_size": 1.0,
    "decay": 0.02,
}


def mechanism(target=(2.0, 1e-5), **step):
    """A mechanism of one step, as the settings of a ledger have it."""
    return {
        "schema": "forgetproof/mechanism/1",
        "name": "noisy logistic steps",
        "relation": {"adjacency": "zero", "rows": 1, "reference": "N+K"},
        "n": 1437,
        "losses": "scalar",
        "smoothness": {"value": 0.25, "origin": "enforced"},
        "steps": [{**STEP, **step}],
        "released": "last",
        "requests": "oblivious",
        "claims": [{"epsilon": target[0], "delta": target[1]}],
    }


def executed(folder, events=(300, (3, 169)), settings=None, model=b"weights"):
    """A ledger of training steps and (rows, steps) of requests, released as model.npy."""
    clock = itertools.count(1_700_000_000, 3600).__next__
    settings = {"mechanism": mechanism()} if settings is None else settings
    ledger = Ledger.open(folder, settings, key=b"k" * 32, clock=clock)
    names = itertools.count()
    for event in events:
        if isinstance(event, int):
            ledger.append("train", steps=event)
            continue
        rows = [ledger.digest(next(names)) for _ in range(event[0])]
        sequence = ledger.append("request", rows=rows, steps=event[1])
        ledger.append("unlearned", request=sequence, steps=event[1])
    path = Path(folder) / "model.npy"
    ledger.append("release", model=hashlib.sha256(model).hexdigest())
    path.write_bytes(model)
    return ledger, path


def certified(folder, *arguments, **options):
    """(ledger, path of the certificate) of an executed mechanism."""
    ledger, path = executed(folder, *arguments)
    return ledger, certify(ledger, path, versions={}, **options)

"""The run manifest: what a reader needs to repeat a run."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import bounds
from verify.fingerprint import formula_hash
from verify.outcome import Outcome

LIBRARIES = (
    "forgetproof",
    "numpy",
    "scipy",
    "sympy",
    "mpmath",
    "torch",
    "scikit-learn",
    "numba",
)


def manifest(
    *,
    seed: int,
    profile: str,
    scale: float,
    jobs: int,
    device: str = "cpu",
    outcomes: Iterable[Outcome] = (),
) -> dict[str, Any]:
    """Seed, settings, versions and machine of a run; with outcomes, what their verdicts rest on.

    "formulas" maps each claim to the hash of the code behind its verdict; "data" lists the
    hashes of the data sets that instances name as `data_sha256`.
    """
    records = list(outcomes)
    versions: dict[str, str | None] = {}
    # A third party's papers come with distributions of their own.
    for name in dict.fromkeys((*LIBRARIES, *map(_distribution, records))):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = None
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "seed": seed,
        "profile": profile,
        "scale": scale,
        "jobs": jobs,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
        "processors": os.cpu_count(),
        "threads": os.environ.get("OMP_NUM_THREADS", "not limited"),
        "device": _device(device),
        "data": _data_hashes(records),
        "versions": versions,
        "formulas": {o.claim.id: formula_hash(o.claim) for o in records},
    }


def _distribution(outcome: Outcome) -> str:
    """The installed package that the claim's paper came with."""
    return bounds.paper(outcome.claim.paper).distribution


def _device(asked: str) -> str:
    """The accelerator, if the run used one; asking must not import torch."""
    torch = sys.modules.get("torch")
    if asked == "cpu" or torch is None or not torch.cuda.is_available():
        return "cpu"
    return str(torch.cuda.get_device_name())


def _data_hashes(outcomes: Iterable[Outcome]) -> list[str]:
    inputs = (getattr(e, "inputs", {}) for o in outcomes for e in o.evidence)
    return sorted({str(i["data_sha256"]) for i in inputs if i.get("data_sha256")})

"""The run manifest: what a reader needs to repeat a run."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Mapping
from typing import Any

LIBRARIES = ("forgetproof", "numpy", "scipy", "sympy", "mpmath", "torch", "scikit-learn")


def manifest(*, seed: int, profile: str, scale: float, jobs: int) -> dict[str, Any]:
    """Seed, settings, versions and machine type of a run."""
    versions: dict[str, str | None] = {}
    for name in LIBRARIES:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = None
    return {
        "seed": seed,
        "profile": profile,
        "scale": scale,
        "jobs": jobs,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "system": platform.system(),
        "versions": versions,
    }


def data_hashes(evidence_inputs: Mapping[str, Any]) -> str | None:
    """The hash of the data set an instance used, if it names one."""
    value = evidence_inputs.get("data_sha256")
    return str(value) if value else None

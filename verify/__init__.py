"""Claims, checks and verdicts: each bound held against the experiment it is about."""

from __future__ import annotations

from typing import Any


def __getattr__(name: str) -> Any:
    """`verify.audit` is there without an import of its own, and may be called."""
    if name != "audit":
        raise AttributeError(f"module 'verify' has no attribute {name!r}")
    from importlib import import_module

    return import_module("verify.audit")

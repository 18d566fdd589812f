"""What an engine has written down as mechanisms: its ledger, and the certificate of a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from accounting.mechanism import Mechanism
from forgetproof.certificates import Ledger, recorded_mechanism


def of_ledger(path: Path) -> Mechanism:
    """Return what a ledger says was executed; nothing is written.

    Raises ValueError for a file that is no ledger, and for one of which no row has left.
    """
    ledger = Ledger.at(path.parent, path.name)
    return Mechanism.of_document(recorded_mechanism(ledger.history))


def is_certificate(document: Any) -> bool:
    """Whether a JSON document is a certificate of a model."""
    return isinstance(document, dict) and isinstance(document.get("predicate"), dict)


def of_certificate(document: Mapping[str, Any]) -> Mechanism:
    """Return the mechanism of a certificate, with what is certified as its last claim.

    Raises ValueError where it has none. Digests and chains are for `forgetproof check`.
    """
    predicate = document["predicate"]
    mechanism, claim = predicate.get("mechanism"), predicate.get("claim")
    if not isinstance(mechanism, dict):
        raise ValueError("predicate.mechanism must be an object, got none")
    claims = list(mechanism.get("claims", ()))
    if isinstance(claim, dict) and {"epsilon", "delta"} <= claim.keys():
        claims.append({"epsilon": claim["epsilon"], "delta": claim["delta"]})
    return Mechanism.of_document({**mechanism, "claims": claims})

"""`certificate.json`: what was deleted, what was executed, and what the checker certifies of it.

An in-toto Statement v1 about the file of a model.  The claim is the number that `checker.py` has
computed in a process of its own; sharper ones of the producer stand beside it.  No private data:
rows are counted, and their keyed digests stay in the ledger.
"""

from __future__ import annotations

import contextlib
import decimal
import hashlib
import json
import os
import platform
from collections.abc import Mapping, Sequence
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

from forgetproof.certificates.keys import sync_folder
from forgetproof.certificates.ledger import Ledger
from forgetproof.certificates.process import CheckerProcess
from forgetproof.certificates.recorded import recorded_mechanism
from forgetproof.certificates.schema import insist
from forgetproof.certificates.strict_json import parse

FILE = "certificate.json"
STATEMENT = "https://in-toto.io/Statement/v1"
PREDICATE = "urn:forgetproof:unlearning-certificate:v1"
TRUSTED = (
    "the steps were executed as recorded, on losses of the class that is named",
    "noise and draws are fresh, secret and Gaussian, up to the rounding of floating point",
    "requests depend on no model, noise or batch",
    "no other state was seen, nor losses, norms or batches of the training",
    "the settings were fixed without looking at the rows",
    "a copy of a row under another id is another row",
)
"""What no document of a producer can show; the checker prints a list of its own."""


class UnlearningCertificate:
    """A certificate's document, read or made, with its shape checked.

    Raises ValueError naming the path of a field that is not as `certificate.schema.json` says.
    """

    def __init__(self, document: Mapping[str, Any]) -> None:
        insist(dict(document))
        self.document = dict(document)
        requests = self.predicate["requests"]
        if self.executed != bool(requests):
            what = "some requests with a ledger" if self.executed else "empty without a ledger"
            raise ValueError(f"predicate.requests must be {what}, got {len(requests)}")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> UnlearningCertificate:
        """The certificate in a file; ValueError for what is none, OSError where none can be read.

        What it says is not verified: that is the checker's work.
        """
        return cls(parse(Path(path).read_bytes(), str(path)))

    @property
    def predicate(self) -> dict[str, Any]:
        """What is said of the model."""
        predicate: dict[str, Any] = self.document["predicate"]
        return predicate

    @property
    def model(self) -> str:
        """The name of the model's file."""
        return str(self.document["subject"][0]["name"])

    @property
    def model_digest(self) -> str:
        """SHA-256 of the model's file."""
        return str(self.document["subject"][0]["digest"]["sha256"])

    @property
    def executed(self) -> bool:
        """Whether a ledger says what was executed; else the document is a claim of settings."""
        return self.predicate["ledger"] is not None

    @property
    def rows(self) -> int:
        """How many rows have left; of a claim, how many leave in one request."""
        if not self.executed:
            relation = self.predicate["mechanism"].get("relation")
            rows = relation.get("rows") if isinstance(relation, dict) else None
            return rows if isinstance(rows, int) else 1
        return sum(each["rows"] for each in self.predicate["requests"])

    @property
    def released_before(self) -> int:
        """How many states of the model were released before this one."""
        released = self.predicate["mechanism"].get("released")
        return len(released) if isinstance(released, list) else 0

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the document to a file, whole or not at all; OSError where it cannot be."""
        _written(Path(path), self.text())

    def text(self) -> bytes:
        """The document as it stands in a file."""
        return json.dumps(self.document, indent=1, allow_nan=False).encode("ascii") + b"\n"


def certify(
    ledger: Ledger,
    model: str | os.PathLike[str],
    *,
    conditions: Sequence[str] = (),
    sharper: tuple[float, str] | None = None,
    together: float | None = None,
    retraining: int | None = None,
    versions: Mapping[str, str] | None = None,
    checker: CheckerProcess | None = None,
) -> Path:
    """Write the certificate of the model that was released last, beside the ledger.

    model: its file, whose digest the last event, a release, has.
    conditions: in words, what the guarantee needs beside what is always on trust.
    sharper: epsilon and the name of the producer's accountant, at the target's delta.
    together: epsilon of all models released so far, by the producer; inf is left out.
    retraining: steps of training anew.  versions: of the programs, beside forgetproof and Python.
    checker: one that runs already; by default one is started for this question.

    The target is the last claim of the mechanism in the ledger's settings.  The digest of the file
    is in the ledger before the file is there.  Raises ValueError where the last event is not the
    release of this model, no row has left, the mechanism is not covered by the checker, or what it
    certifies misses the target.
    """
    events, history = ledger.events(), ledger.history
    digest = hashlib.sha256(Path(model).read_bytes()).hexdigest()
    if events[-1]["event"] != "release" or events[-1]["model"] != digest:
        raise ValueError(f"model must be the one that was released last, got {Path(model).name}")
    mechanism = recorded_mechanism(history)
    targets = [each for each in mechanism.get("claims", ()) if "epsilon" in each]
    if not targets:
        raise ValueError("claims must have an epsilon and a delta for the target, got none")
    target = {name: targets[-1][name] for name in ("epsilon", "delta")}
    with contextlib.ExitStack() as stack:
        answers = checker or stack.enter_context(CheckerProcess())
        epsilon = rounded_up(answers.epsilon(mechanism, target["delta"]))
    if not epsilon <= target["epsilon"]:
        raise ValueError(
            f"epsilon must be at most {target['epsilon']:g}, the target, got {epsilon:g}, which "
            "the checker certifies"
        )
    certificate = UnlearningCertificate(
        {
            "_type": STATEMENT,
            "subject": [{"name": Path(model).name, "digest": {"sha256": digest}}],
            "predicateType": PREDICATE,
            "predicate": {
                "mechanism": mechanism,
                "claim": {"epsilon": epsilon, "delta": target["delta"]},
                "target": target,
                "sharper": sharper and {"epsilon": sharper[0], "accountant": sharper[1]},
                "together": together if together is not None and together < 1e300 else None,
                "ledger": {"lines": len(events), "head": ledger.head},
                "requests": [
                    {
                        "sequence": each.sequence,
                        "time": each.time,
                        "steps": each.steps,
                        "rows": len(each.rows),
                    }
                    for each in history.requests
                ],
                "retraining": retraining,
                "conditions": list(conditions),
                "trusted": list(TRUSTED),
                "versions": {**package_versions(), **(versions or {})},
                "code": events[0].get("code"),
            },
        }
    )
    data = certificate.text()
    ledger.append("certificate", certificate=hashlib.sha256(data).hexdigest())
    return _written(ledger.path.with_name(FILE), data)


def rounded_up(epsilon: float) -> float:
    """The epsilon with six digits, not below it; inf stays."""
    exact = decimal.Decimal(epsilon)
    context = decimal.Context(prec=6, rounding=decimal.ROUND_CEILING)
    value = float(context.create_decimal(exact))
    # A decimal of six digits, as a float, may lie below it.
    return value if value >= epsilon else float(context.next_plus(context.create_decimal(exact)))


def package_versions() -> dict[str, str]:
    """Versions of forgetproof, Python and numpy."""
    # By name: the package offers `lint`, which reads certificates.
    package = import_module("forgetproof")

    python = platform.python_version()
    return {
        "forgetproof": package.__version__,
        "python": python,
        "numpy": metadata.version("numpy"),
    }


def _written(path: Path, data: bytes) -> Path:
    """Writes a file whole or not at all, on the disk when this returns."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
    sync_folder(path.parent)
    return path

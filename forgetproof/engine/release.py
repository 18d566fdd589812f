"""A model's release: its file, its certificate, and a sheet for people."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

import torch

from forgetproof.certificates import Ledger, UnlearningCertificate, certify
from forgetproof.certificates.sheet import page
from forgetproof.engine.planning import accountant
from forgetproof.engine.refusals import EngineRefusal
from forgetproof.engine.run import RecordedTraining
from forgetproof.engine.statement import insist_on_certificate
from forgetproof.engine.states import model_bytes, write_whole

SHEET = "sheet.html"


@dataclass(frozen=True)
class Release:
    """What was written, and the digest of the model in hexadecimal digits."""

    model: Path
    digest: str
    certificate: Path | None = None
    sheet: Path | None = None


def write_release(run: RecordedTraining, ledger: Ledger, name: str, certificate: bool) -> Release:
    """Writes the model of a run beside its ledger and, where rows have left, what certifies it.

    The digest of the model is in the ledger before its file is there.  Raises EngineRefusal for a
    certificate that cannot be, before anything is written; ValueError for a bad name.
    """
    certifies = certificate and run.left > 0
    if certifies:
        insist_on_certificate(run)
        _insist_on_checker(run)
    path = ledger.path.parent / name
    if path.name != name or path.suffix not in (".pt", ".npz"):
        raise ValueError(f"name must be one of a file, ending in .pt or .npz, got {name!r}")
    data = model_bytes(run.model, path.suffix)
    digest = hashlib.sha256(data).hexdigest()
    ledger.append("release", model=digest)
    write_whole(path, data)
    run.releases.append(run.executed)
    if not certifies:
        return Release(path, digest)
    file = _certificate(run, ledger, path)
    sheet = file.with_name(SHEET)
    # Words of the caller may have halves of characters, which no file takes.
    text = page(UnlearningCertificate.read(file)).encode("utf-8", "backslashreplace")
    write_whole(sheet, text)
    return Release(path, digest, file, sheet)


def _insist_on_checker(run: RecordedTraining) -> None:
    if not run.settings.contracts:
        raise EngineRefusal(
            "loss must be one of one prediction for a certificate, got any, which the checker does "
            "not cover: release(certificate=False) writes the model alone"
        )


def _conditions(features: str) -> list[str]:
    """What a certificate needs beside what is always on trust."""
    conditions = ["the first weights and the end of training were chosen without the rows"]
    if features:
        conditions.append(f"rows are features of a public map of each row alone: {features}")
    return conditions


def _certificate(run: RecordedTraining, ledger: Ledger, model: Path) -> Path:
    """Certifies the model that was released last."""
    settings = run.settings
    return certify(
        ledger,
        model,
        conditions=_conditions(settings.features),
        sharper=(run.epsilon(), accountant(settings)),
        retraining=settings.steps,
        versions={"torch": str(torch.__version__)},
    )

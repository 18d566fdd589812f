"""`forgetproof check`: a certificate or claim, by the checker in a process of its own."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from accounting.problems.answer import shown
from forgetproof.certificates.process import run_checker
from forgetproof.options import emit_json, json_option
from forgetproof.progress import progress

if TYPE_CHECKING:
    from forgetproof.certificates.certificate import UnlearningCertificate
    from forgetproof.certificates.settings import SettingsCheck

_KEPT = ("type:", "claim: misses", "model:")
"""Reasons of the checker that are not about its number: no accountant overrules them."""


@click.command(
    "check",
    epilog="\b\nExample: forgetproof check certificate.json\n"
    "Example: forgetproof check unlearning.json ridge=0.1 unlearning_steps=53",
)
@click.argument("certificate", type=click.Path(path_type=Path), metavar="CERTIFICATE")
@click.argument("settings", nargs=-1, metavar="[NAME=VALUE]...")
@click.option("--ledger", type=click.Path(path_type=Path), help="The ledger it was made from.")
@click.option("--head", help="A digest of a line that you kept: it must be in the ledger.")
@json_option
def command(
    certificate: Path,
    settings: tuple[str, ...],
    ledger: Path | None,
    head: str | None,
    as_json: bool,
) -> int:
    """Recompute the number of a certificate, replay its ledger, and compare the digests.

    Exit code 1 where it is refused, each reason on a line. The checker is one file on numpy,
    forgetproof/checker.py, which an auditor can copy and run without anything else of forgetproof.
    Where the model lies beside the certificate, its digest is compared.

    NAME=VALUE are settings that the code uses now: what is claimed has to hold for them as well.
    A claim without a ledger may rest on the accountant of forgetproof, which is sharper than the
    checker: its lines then say so.
    """
    arguments = [_file("certificate", certificate)]
    if head is not None and ledger is None:
        raise ValueError(f"head must come with ledger, got {head!r} alone")
    changed = _assignments(settings)
    document = _document(certificate)
    if ledger is not None:
        arguments += ["--ledger", _file("ledger", ledger)]
        if document is not None and not document.executed:
            raise ValueError(
                f"ledger must be left out for a claim without one, got {str(ledger)!r}"
            )
    if head is not None:
        if len(head) != 64 or not set(head) <= set("0123456789abcdef"):
            raise ValueError(f"head must be a SHA-256 in 64 hexadecimal digits, got {head!r}")
        arguments += ["--head", head]
    with progress(0, what="checking"):
        answer = run_checker(arguments)
    lines, code, comparison = answer.stdout.splitlines(), answer.returncode, None
    if code not in (0, 1):
        words = answer.stderr.removeprefix("unreadable: ").strip() or answer.stdout.strip()
        if document is None or document.executed:
            what = "certificate" if ledger is None else "certificate and ledger"
            raise ValueError(f"{what} must be readable: {words}")
        # A claim that its schema admits may be of a kind that the checker does not know.
        lines = [f"refused: not covered: {words}"]
    if changed and document is None:
        raise ValueError("certificate must be as its schema says for settings to be compared")
    if document is not None and (changed or not document.executed):
        from forgetproof.certificates.settings import check_settings

        comparison = check_settings(document.document, changed)
        lines = _judged(document, lines, comparison)
        code = int(any(line.startswith("refused: ") for line in lines))
    if as_json:
        told = {"certified": code == 0, "lines": lines}
        emit_json(told | ({} if comparison is None else {"settings": _numbers(comparison)}))
    else:
        click.echo("\n".join(lines))
    return code


def _judged(
    document: UnlearningCertificate, lines: Sequence[str], comparison: SettingsCheck
) -> list[str]:
    """The lines of the checker, or why all is refused, with what is certified of the settings."""
    refused = [line for line in lines if line.startswith("refused: ")]
    if refused and not document.executed:
        # Of a claim the sharper of the two numbers counts.
        refused = [line for line in refused if line[9:].startswith(_KEPT)]
    if not comparison.holds:
        refused.append(f"refused: {comparison}")
    if not document.executed and not _is_mechanism(document):
        refused.append("refused: mechanism: the digest of the subject is another's")
    if refused:
        return refused
    said = list(lines)
    if said[0].startswith("refused: "):
        said = [*_of_accountant(document, comparison), *(f"by the checker: {x}" for x in said)]
    if comparison.differences:
        said.append(f"settings in use: {comparison}")
    return said


def _of_accountant(document: UnlearningCertificate, comparison: SettingsCheck) -> list[str]:
    """What is to be said where the accountant certifies a claim, and the checker does not."""
    predicate = document.predicate
    number = f"{shown(comparison.claimed, 6)} at delta {shown(comparison.delta, 6)}"
    return [
        f"certified: epsilon {number}",
        f"verified: the number, by {comparison.route}, and not by the checker",
        *(f"condition: {each}" for each in predicate["conditions"]),
        *(f"on trust: {each}" for each in predicate["trusted"]),
    ]


def _is_mechanism(document: UnlearningCertificate) -> bool:
    """Whether the subject is the mechanism that stands in the document, where it is none else."""
    from forgetproof.certificates.claim import SUBJECT, mechanism_digest

    mechanism = document.predicate["mechanism"]
    return document.model != SUBJECT or document.model_digest == mechanism_digest(mechanism)


def _numbers(comparison: SettingsCheck) -> dict[str, Any]:
    return {
        "claimed": comparison.claimed,
        "delta": comparison.delta,
        "certified": comparison.certified,
        "route": comparison.route,
        "differences": list(comparison.differences),
        "reasons": list(comparison.reasons),
    }


def _assignments(texts: Sequence[str]) -> dict[str, Any]:
    """Settings by name. A value that is no number or expression is a word."""
    from forgetproof.expressions import assignment

    found: dict[str, Any] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        word = sign and name.isidentifier() and value.replace("-", "").replace("+", "").isalpha()
        found_name, setting = (name, value) if word else assignment(text)
        if found_name in found:
            raise ValueError(f"{name} must be given once, got {found[name]} and {value}")
        found[found_name] = setting
    return found


def _document(path: Path) -> UnlearningCertificate | None:
    """The document as its schema has it; None where it is not: what is wrong says the checker."""
    from forgetproof.certificates.certificate import UnlearningCertificate

    try:
        return UnlearningCertificate.read(path)
    except (ValueError, OSError, RecursionError):
        return None


def _file(name: str, path: Path) -> str:
    """The path of a plain file, which a device or a folder is not."""
    if not path.is_file():
        raise ValueError(f"{name} must be a file, got {str(path)!r}")
    # Absolute, so that no name is taken for an option.
    return str(path.absolute())

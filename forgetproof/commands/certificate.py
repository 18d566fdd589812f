"""`forgetproof certificate`: what a folder's ledger and certificate say, and forks of a ledger."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from forgetproof.certificates import Ledger, UnlearningCertificate
from forgetproof.options import emit_json, json_option
from forgetproof.spelling import SuggestingGroup


@click.group(
    "certificate",
    cls=SuggestingGroup,
    no_args_is_help=False,
    epilog="\b\nExample: forgetproof certificate show model-folder",
)
def command() -> None:
    """Look at the ledger and certificate of a folder; compare two certificates."""


@command.command("show", epilog="\b\nExample: forgetproof certificate show model-folder")
@click.argument("folder", type=click.Path(path_type=Path), metavar="FOLDER")
@json_option
def show(folder: Path, as_json: bool) -> None:
    """Say what was done to a model, what is left of its budget, and what its certificate says.

    Only the chain of the ledger is verified here: forgetproof check verifies the certificate.
    """
    for name in ("ledger.jsonl", "certificate.json"):
        if (folder / name).exists() and not (folder / name).is_file():
            raise ValueError(f"folder must have {name} as a file, got {str(folder)!r}")
    if not (folder / "ledger.jsonl").is_file():
        raise ValueError(f"folder must have a ledger.jsonl, got {str(folder)!r}")
    ledger = Ledger.at(folder)
    path = folder / "certificate.json"
    certificate = UnlearningCertificate.read(path) if path.is_file() else None
    document = _told(ledger, certificate)
    if as_json:
        emit_json(document)
        return
    click.echo(f"ledger       {document['lines']} lines, head {document['head']}")
    for event in ledger.events():
        click.echo(f"  {event['sequence']:>4}  {event['event']:<11}  {_words(event)}".rstrip())
    for name, used in document["spent"].items():
        limit = document["limits"][name]
        click.echo(f"{name:<13}{used}" + ("" if limit is None else f" of {limit}"))
    if certificate is None:
        click.echo("certificate  none")
        return
    claim, target = certificate.predicate["claim"], certificate.predicate["target"]
    click.echo(
        f"certificate  epsilon {claim['epsilon']:g} at delta {claim['delta']:g} of the last model "
        f"alone, target {target['epsilon']:g}"
    )


def _told(ledger: Ledger, certificate: UnlearningCertificate | None) -> dict[str, Any]:
    budget = ledger.budget
    return {
        "lines": len(ledger.events()),
        "head": ledger.head,
        "events": [{"event": e["event"], "words": _words(e)} for e in ledger.events()],
        "spent": budget.spent(ledger.history),
        "limits": vars(budget),
        "certificate": certificate and certificate.document,
    }


def _words(event: dict[str, Any]) -> str:
    """The counts of an event; digests only of models."""
    parts = [f"{event['steps']} steps"] if "steps" in event else []
    if isinstance(event.get("rows"), list):
        parts.insert(0, f"{len(event['rows'])} rows")
    if event["event"] == "release":
        parts.append(f"model {event['model']}")
    return ", ".join(parts)


@command.command("compare", epilog="\b\nExample: forgetproof certificate compare a.json b.json")
@click.argument("first", type=click.Path(path_type=Path), metavar="A")
@click.argument("second", type=click.Path(path_type=Path), metavar="B")
@click.option("--ledger", type=click.Path(path_type=Path), help="The ledger of both, to be sure.")
@json_option
def compare(first: Path, second: Path, ledger: Path | None, as_json: bool) -> int:
    """Say whether two certificates can come from one ledger; exit code 1 where they cannot.

    Two lines of one place with different digests are a fork: somebody has gone back and written
    the past anew. With --ledger, both lines are looked for in it.
    """
    paths = {"A": first, "B": second} | ({} if ledger is None else {"ledger": ledger})
    for name, path in paths.items():
        if not path.is_file():
            raise ValueError(f"{name} must be a file, got {str(path)!r}")
    pair = [UnlearningCertificate.read(path).predicate for path in (first, second)]
    for name, each in zip("AB", pair, strict=True):
        if each["ledger"] is None:
            raise ValueError(f"{name} must have a ledger to be compared, got a claim of settings")
    heads = None if ledger is None else Ledger.at(ledger.parent, ledger.name).heads
    word, forked = _compared(pair, heads)
    if as_json:
        emit_json({"one_ledger": not forked, "words": word, "heads": [p["ledger"] for p in pair]})
    else:
        click.echo(word)
    return int(forked)


def _compared(pair: list[dict[str, Any]], heads: tuple[str, ...] | None) -> tuple[str, bool]:
    (first, second) = (each["ledger"] for each in pair)
    templates = [{**each["mechanism"], "steps": None, "relation": None} for each in pair]
    templates = [{**each, "released": None} for each in templates]
    if templates[0] != templates[1]:
        return "two ledgers: the mechanisms were fixed with other values", True
    if first["lines"] == second["lines"] and first["head"] != second["head"]:
        return f"a fork: two digests of line {first['lines']}", True
    if heads is None:
        if first == second:
            return f"one ledger: the same line {first['lines']}", False
        return (
            f"lines {first['lines']} and {second['lines']}, which may be of one ledger: --ledger "
            "tells",
            False,
        )
    for name, each in (("A", first), ("B", second)):
        if each["lines"] > len(heads) or heads[each["lines"] - 1] != each["head"]:
            return f"a fork: line {each['lines']} of {name} is not in the ledger", True
    return f"one ledger: lines {first['lines']} and {second['lines']} are in it", False

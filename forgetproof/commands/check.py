"""`forgetproof check`: a certificate, by the checker in a process of its own."""

from pathlib import Path

import click

from forgetproof.certificates.process import run_checker
from forgetproof.options import emit_json, json_option


@click.command("check", epilog="\b\nExample: forgetproof check certificate.json")
@click.argument("certificate", type=click.Path(path_type=Path), metavar="CERTIFICATE")
@click.option("--ledger", type=click.Path(path_type=Path), help="The ledger it was made from.")
@click.option("--head", help="A digest of a line that you kept: it must be in the ledger.")
@json_option
def command(certificate: Path, ledger: Path | None, head: str | None, as_json: bool) -> int:
    """Recompute the number of a certificate, replay its ledger, and compare the digests.

    Exit code 1 where it is refused, each reason on a line. The checker is one file on numpy,
    forgetproof/checker.py, which an auditor can copy and run without anything else of forgetproof.
    Where the model lies beside the certificate, its digest is compared.
    """
    arguments = [_file("certificate", certificate)]
    if head is not None and ledger is None:
        raise ValueError(f"head must come with ledger, got {head!r} alone")
    if ledger is not None:
        arguments += ["--ledger", _file("ledger", ledger)]
    if head is not None:
        if len(head) != 64 or not set(head) <= set("0123456789abcdef"):
            raise ValueError(f"head must be a SHA-256 in 64 hexadecimal digits, got {head!r}")
        arguments += ["--head", head]
    answer = run_checker(arguments)
    if answer.returncode not in (0, 1):
        words = answer.stderr.removeprefix("unreadable: ").strip() or answer.stdout.strip()
        what = "certificate" if ledger is None else "certificate and ledger"
        raise ValueError(f"{what} must be readable: {words}")
    lines = answer.stdout.splitlines()
    if as_json:
        emit_json({"certified": answer.returncode == 0, "lines": lines})
    else:
        click.echo("\n".join(lines))
    return answer.returncode


def _file(name: str, path: Path) -> str:
    """The path of a plain file, which a device or a folder is not."""
    if not path.is_file():
        raise ValueError(f"{name} must be a file, got {str(path)!r}")
    # Absolute, so that no name is taken for an option.
    return str(path.absolute())

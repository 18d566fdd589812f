"""`forgetproof sheet`: one page about a certificate, for people."""

from pathlib import Path

import click

from forgetproof.certificates.certificate import UnlearningCertificate
from forgetproof.certificates.sheet import markdown, page
from forgetproof.options import emit_json, json_option


@click.command(
    "sheet", epilog="\b\nExample: forgetproof sheet certificate.json --out certificate.html"
)
@click.argument("certificate", type=click.Path(path_type=Path), metavar="CERTIFICATE")
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file; its suffix decides: .html or .md.",
)
@json_option
def command(certificate: Path, out: Path, as_json: bool) -> None:
    """Write what a certificate says on one page: for a compliance officer, say.

    What was deleted and when, the guarantee in a sentence and in numbers, what an attacker could
    still do, conditions, cost, versions, and how to check it. The page has no scripts and needs no
    other file. It repeats the certificate: whether that holds, forgetproof check says.
    """
    if out.suffix not in (".html", ".md"):
        raise ValueError(f"out must end in .html or .md, got {out.name!r}")
    if not out.parent.is_dir():
        raise ValueError(f"out must lie in a folder that exists, got {str(out)!r}")
    if not certificate.is_file():
        raise ValueError(f"certificate must be a file, got {str(certificate)!r}")
    read = UnlearningCertificate.read(certificate)
    text = page(read) if out.suffix == ".html" else markdown(read)
    # Words of the producer may have halves of characters, which no file takes.
    out.write_bytes(text.encode("utf-8", "backslashreplace"))
    if as_json:
        emit_json({"certificate": str(certificate), "out": str(out)})
    else:
        click.echo(str(out))

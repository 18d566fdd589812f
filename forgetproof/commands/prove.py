"""`forgetproof prove`: fills the holes of a proof, and says whether it is then accepted."""

from __future__ import annotations

from pathlib import Path

import click

from bounds.kernel import ProofRejected, check
from bounds.proof_files.multipliers import filled
from forgetproof.options import emit_json, json_option


@click.command("prove", epilog="\b\nExample: forgetproof prove lemma.proof --out lemma.proof")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write it here.")
@json_option
def command(file: Path, out: Path | None, as_json: bool) -> None:
    """Look for the multipliers of a proof's lines, and check it.

    A line `by ? [fact], [fact(k)], sq(x - y)` leaves its expression open: what is written after the
    question mark is combined by a linear program, over constants, factors that are known to be >= 0
    and divisors that are known to be > 0; the constants are rounded to fractions. What is found is
    only a proposal: the checker of proofs has to accept it.

    Without --out the filled proof is printed. Exit code 1 where a line does not follow or no
    multipliers are found; the message says which.
    """
    if not file.is_file():
        raise ValueError(f"file must be a file with a proof, got {file}")
    try:
        text = filled(file.read_text("utf-8"))
        proof = check(text)
    except UnicodeDecodeError as error:
        raise ValueError(f"file must be text in UTF-8, got {file}") from error
    except ProofRejected as error:
        if as_json:
            emit_json({"accepted": False, "reason": str(error)})
        else:
            click.echo(f"rejected: {error}", err=True)
        raise SystemExit(1) from None
    if out is not None:
        try:
            out.write_text(text, "utf-8")
        except OSError as error:
            raise ValueError(
                f"out must be a file to write to, got {out}: {error.strerror}"
            ) from error
    if as_json:
        emit_json({"accepted": True, "text": text, "theorems": list(proof.theorems)})
        return
    if out is None:
        click.echo(text, nl=False)
    click.echo(f"-- accepted, from {', '.join(proof.theorems) or 'algebra alone'}", err=out is None)

"""`forgetproof mechanism`: documents of what is executed, drafted from a script or looked at."""

import json
from pathlib import Path
from typing import Any

import click

from accounting.mechanism import Mechanism
from forgetproof.linting.drafts import draft
from forgetproof.options import emit_json, json_option
from simulators.data.disk import write

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    "mechanism",
    epilog="\b\nExample: forgetproof mechanism --draft train.py --out train.mechanism.json",
)
@click.option("--draft", "script", type=FILE, required=True, help="The Python script to read.")
@click.option("--out", type=FILE, help="Write the document here.")
@json_option
def command(script: Path, out: Path | None, as_json: bool) -> int:
    """Draft the mechanism document of a training script, which is read and never executed.

    A value that stands literally in the script carries its file and line; everything else is
    `unknown`, and is for you to fill in. `forgetproof lint` calls no claim of a draft false.
    """
    if out is not None and not out.parent.is_dir():
        raise ValueError(f"out must lie in a folder that exists, got {str(out)!r}")
    if not script.is_file():
        raise ValueError(f"draft must be a file that exists, got {str(script)!r}")
    document = draft(script)
    mechanism = Mechanism.of_document(document)
    if out is not None:
        write(out, _text(document).encode())
    if as_json:
        emit_json(document)
        return 0
    for path, place in document["places"].items():
        click.echo(f"{place['file']}:{place['line']}: {path} = {_at(document, path)}")
    click.echo(f"unknown: {', '.join(mechanism.unknowns)}")
    if out is not None:
        click.echo(f"wrote {out}")
    return 0


def _text(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _at(document: dict[str, Any], path: str) -> Any:
    """The value at a path such as steps[0].noise.drawn."""
    value: Any = document
    for key in path.replace("[", ".").replace("]", "").split("."):
        value = value[int(key) if isinstance(value, list) else key]
    return value

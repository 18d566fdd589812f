"""`forgetproof new-paper`: an installable package with one statement, to be made a paper's own."""

import re
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from forgetproof.options import emit_json, json_option

SUFFIX = ".in"


@click.command("new-paper", epilog="\b\nExample: forgetproof new-paper descent-to-delete --key d2d")
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--key", required=True, help="The word before the dot in the ids of its statements.")
@json_option
def command(folder: Path, key: str, as_json: bool) -> None:
    """Write a package that announces a paper: statement, check, counterexample, verdicts, test.

    Its README begins with the paper's inequality, held against a few numbers by `forgetproof
    check-bound`, and says what of the package to change then.
    """
    import bounds

    if not re.fullmatch(r"[a-z][a-z0-9_]*", key):
        raise ValueError(f"key must be lower case letters, digits and _, got {key!r}")
    if conflicts := [p for p in bounds.papers() if key in p.names]:
        raise ValueError(f"key must be new, got {key!r}, which names {conflicts[0].cited}")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ValueError(f"DIR must be a new or an empty folder, got {folder}")
    paths = _write(files("forgetproof") / "starter", folder, key)
    if as_json:
        emit_json({"key": key, "folder": str(folder), "files": [str(path) for path in paths]})
        return
    for path in paths:
        click.echo(str(path))
    click.echo(
        f"\nFirst: the inequality against numbers, as {folder}/README.md begins.\n"
        f"Next: pip install -e {folder}; forgetproof verify --paper {key}; pytest {folder}\n"
        f"Then put the paper's name into {key}_paper/__init__.py and its statements beside it; "
        "docs/your-paper.md walks through one."
    )


def _write(source: Traversable, target: Path, key: str) -> list[Path]:
    """The files of the starter, with the key put in, in the order of their names."""
    paths = []
    for entry in sorted(source.iterdir(), key=lambda e: e.name):
        if entry.is_dir():
            # The package bears the key, so that two papers may be installed side by side.
            inner = f"{key}_paper" if entry.name == "package" else entry.name
            paths += _write(entry, target / inner, key)
        elif entry.name.endswith(SUFFIX):
            path = target / entry.name.removesuffix(SUFFIX)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(entry.read_text("utf-8").replace("@KEY@", key), "utf-8")
            paths.append(path)
    return paths

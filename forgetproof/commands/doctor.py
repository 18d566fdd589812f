"""`forgetproof doctor`: what is installed, and what in this folder is in the way."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from forgetproof import __version__
from forgetproof.cli import install
from forgetproof.guard import HOME, hiding
from forgetproof.installation import DISTRIBUTION, ENABLES, Package, extras, papers, version_of
from forgetproof.options import emit_json, json_option

THREADS = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


@click.command("doctor", epilog="\b\nExample: forgetproof doctor")
@json_option
def command(as_json: bool) -> int:
    """Say what is installed, what is missing and how to get it, and what hides our modules here.

    Exit code 1 where something has to be mended: a file or folder that Python would import in place
    of a package of forgetproof, from this folder or from PYTHONPATH, or a forgetproof that is not
    installed. A missing extra is nothing to mend: the line says what it would enable.
    """
    brought = extras()
    to_mend = [*_not_installed(), *_hidden()]
    if as_json:
        emit_json(
            {
                "version": __version__,
                "python": platform.python_version(),
                "cores": _cores(),
                "threads": {name: os.environ.get(name) for name in THREADS},
                "papers": dict(papers()),
                "extras": {name: _document(name, packages) for name, packages in brought.items()},
                "to_mend": to_mend,
            }
        )
        return int(bool(to_mend))
    click.echo(f"forgetproof {__version__} in {HOME}, Python {platform.python_version()}")
    click.echo(f"  {'cores':<12} {_cores()}; {_threads()}")
    click.echo(f"  {'papers':<12} {', '.join(papers()) or _no_papers()}")
    for name, packages in brought.items():
        click.echo(f"  {name:<12} {_state(packages)}: {ENABLES[name]}")
        if any(package.trouble for package in packages):
            click.echo(f"  {'':<12} -> {install(name)}")
    for line in to_mend:
        click.echo(f"to mend: {line}")
    click.echo(f"{len(to_mend)} to mend" if to_mend else "fine")
    return int(bool(to_mend))


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _threads() -> str:
    """The settings of the threads of matrix products, and what holds without one."""
    settings = [f"{name} = {os.environ[name]}" for name in THREADS if os.environ.get(name)]
    return ", ".join(settings) or "OMP_NUM_THREADS is unset: matrix products use all of them"


def _no_papers() -> str:
    folder = HOME / "papers"
    return f"none -> pip install {folder if folder.is_dir() else 'forgetproof-papers'}"


def _state(packages: tuple[Package, ...]) -> str:
    """The versions of an extra's packages, or what is wrong with them."""
    troubles = [package.trouble for package in packages if package.trouble]
    return ", ".join(troubles or [f"{package.name} {package.version}" for package in packages])


def _document(name: str, packages: tuple[Package, ...]) -> Mapping[str, Any]:
    return {
        "enables": ENABLES[name],
        "packages": {package.name: package.version for package in packages},
        "troubles": [package.trouble for package in packages if package.trouble],
        "install": install(name),
    }


def _not_installed() -> Iterator[str]:
    if version_of(DISTRIBUTION) is None:
        python = sys.executable or "python"
        yield (
            f"forgetproof runs from {HOME} and is not installed, so that neither its papers nor "
            f"its pytest plugin are found -> {python} -m pip install -e {HOME}"
        )


def _hidden() -> Iterator[str]:
    for name, file in hiding():
        yield (
            f"{file} hides {name}, a package that forgetproof brings, from Python in this folder "
            "(the command forgetproof works) -> rename it, or run Python elsewhere"
        )

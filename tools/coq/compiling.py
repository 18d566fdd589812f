"""Compiles exported proofs with `coqc`, and looks at what each rests on."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tools.coq.export import CoqFile
from tools.coq.prelude import PRELUDE, declared, prelude
from tools.coq.words import theorem_name

MISSING = "coqc is not installed: `apt install coq` (Debian), or https://coq.inria.fr/download"
LIMIT = 600
"""Seconds of the clock that one file may take."""
# Coq's own classical reals.
_CLASSICAL = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "Classical_Prop.classic",
        "FunctionalExtensionality.functional_extensionality_dep",
    }
)
_AXIOM = re.compile(r"^([\w.']+)(?= *:|$)", re.M)


class Compiled(NamedTuple):
    """What Coq says of a file: nothing where it accepts; seconds of a core."""

    name: str
    seconds: float
    failure: str


def installed() -> bool:
    """Whether `coqc` is on the path."""
    return shutil.which("coqc") is not None


def compiled(files: Sequence[CoqFile], folder: Path, jobs: int) -> Iterator[Compiled]:
    """The prelude, then every file in the order in which they come, as each is done."""
    text = prelude()
    (folder / f"{PRELUDE}.v").write_text(text, "utf-8")
    first, _ = run(folder, PRELUDE)
    yield first
    if first.failure:
        return
    known = declared(text)
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(lambda file: _checked(folder, file, known), files)


def _checked(folder: Path, file: CoqFile, known: frozenset[str]) -> Compiled:
    (folder / f"{file.name}.v").write_text(file.text, "utf-8")
    result, said = run(folder, file.name)
    return result if result.failure else result._replace(failure=beyond(file, said, known))


def beyond(file: CoqFile, said: str, known: frozenset[str]) -> str:
    """What the theorem rests on without being said to; empty if there is nothing."""
    _, found, axioms = said.partition("Axioms:\n")
    if not found and "Closed under the global context" not in said:
        return "Coq does not say what the theorem rests on"
    used = set(_AXIOM.findall(axioms))
    named = {theorem_name(name) for name in file.theorems}
    trusted = {name for name in known if not name.startswith(theorem_name(""))}
    beyond = used - trusted - named - _CLASSICAL
    return f"rests on {', '.join(sorted(beyond))}" if beyond else ""


def run(folder: Path, name: str) -> tuple[Compiled, str]:
    """Compiles one file; its seconds are those of the child itself."""
    command = ["timeout", str(LIMIT), "coqc", "-q", "-R", ".", "", f"{name}.v"]
    with (folder / f"{name}.out").open("w+", encoding="utf-8") as out:
        child = subprocess.Popen(command, cwd=folder, stdout=out, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said = out.read()
    failure = ""
    if child.returncode:
        failure = (
            f"{LIMIT} s were not enough" if child.returncode == 124 else " ".join(said.split())
        )
    return Compiled(name, usage.ru_utime + usage.ru_stime, failure), said

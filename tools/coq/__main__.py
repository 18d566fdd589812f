"""Exports proofs to Coq, a second checker, and compiles them.

python -m tools.coq                    # all proofs of all papers; a table; exit code 1 on a failure
python -m tools.coq sglu olu.eq2       # of these papers and statements
python -m tools.coq --out DIR --jobs 2 # keeps the files; two at a time

Each line of a proof becomes a lemma with its multipliers written out, an induction one of Coq, and
the goal a theorem for all that the proof declares and assumes.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import bounds
from bounds import proof_files
from bounds.kernel import ProofRejected
from tools.coq import compiling
from tools.coq.context import NotExported
from tools.coq.export import CoqFile, exported


def main(words: Sequence[str] | None = None) -> int:
    """Exit code: 0, 1 for a failure, 2 for what cannot be asked."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("chosen", nargs="*", metavar="PAPER|ID")
    parser.add_argument("--out", type=Path, metavar="DIR", help="keep the files here")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    arguments = parser.parse_args(words)
    if arguments.jobs < 1:
        parser.error(f"--jobs must be >= 1, got {arguments.jobs}")
    try:
        proofs = chosen(arguments.chosen)
    except (ValueError, LookupError) as error:
        parser.error(" ".join(str(error).split()))
    if not compiling.installed():
        print(compiling.MISSING, file=sys.stderr)
        return 2
    if arguments.out is not None:
        arguments.out.mkdir(parents=True, exist_ok=True)
        return table(proofs, arguments.out, arguments.jobs)
    with tempfile.TemporaryDirectory() as folder:
        return table(proofs, Path(folder), arguments.jobs)


def chosen(words: Sequence[str]) -> list[proof_files.ProofFile]:
    """The proofs of these papers and statements; of all without a word."""
    papers = {paper.key: paper for paper in bounds.papers()}
    proofs: list[proof_files.ProofFile] = []
    for word in words or papers:
        if word in papers:
            proofs += proof_files.of_paper(papers[word])
            continue
        of_claim = proof_files.of_claim(bounds.get(word))
        if not of_claim:
            raise ValueError(f"{word} has no proof")
        proofs += of_claim
    return proofs


def table(proofs: Sequence[proof_files.ProofFile], folder: Path, jobs: int) -> int:
    """Prints a row for each proof and the sums; the exit code."""
    failures, files = 0, []
    for proof in proofs:
        try:
            files.append(exported(proof.text))
        except (ProofRejected, NotExported) as error:
            failures += 1
            print(f"{proof.id} {proof.form}: not exported: {error}")
    seconds, lines = 0.0, 0
    results = compiling.compiled(files, folder, jobs)
    prelude = next(results)
    rows = zip(files, results, strict=not prelude.failure)
    print(f"{'proof':34} {'lines':>5} {'lemmas':>6} {'seconds':>7}")
    if prelude.failure:
        print(f"{prelude.name}: {prelude.failure}")
        return 1
    for file, result in rows:
        seconds, lines = seconds + result.seconds, lines + file.lines
        failures += bool(result.failure)
        print(_row(file, result), flush=True)
    print(
        f"{len(proofs)} proofs, {lines} lines, {seconds + prelude.seconds:.0f} s of a core, "
        f"{failures} failures"
    )
    return 1 if failures else 0


def _row(file: CoqFile, result: compiling.Compiled) -> str:
    row = f"{file.title:34} {file.lines:5} {file.lemmas:6} {result.seconds:7.1f}"
    return f"{row}  {result.failure}".rstrip()


if __name__ == "__main__":
    sys.exit(main())

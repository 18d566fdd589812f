"""Shows which forms' TeX says what they compute, and notes them beside the papers.

python -m tools.tex_witness                  # counts of all papers, and what does not match
python -m tools.tex_witness sglu olu.thm2    # of these papers and claims
python -m tools.tex_witness --write          # also shipped as lists that the suite holds
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import bounds
from verify.tex import witnesses
from verify.tex.listed import NAME


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("chosen", nargs="*", metavar="PAPER|ID")
    parser.add_argument("--write", action="store_true", help=f"write {NAME} of whole papers")
    arguments = parser.parse_args()
    papers = {paper.key for paper in bounds.papers()}
    chosen = arguments.chosen or sorted(papers)
    started = time.perf_counter()
    total: Counter[str] = Counter()
    for word in chosen:
        counts, matching = shown(bounds.ids(word) if word in papers else [word])
        print(f"{word:5}", *(f"{counts[w]:4} {w}" for w in ("matches", "differs", "unread")))
        total += counts
        if arguments.write and word in papers:
            write(word, matching)
    print("all  ", *(f"{total[w]:4} {w}" for w in ("matches", "differs", "unread")))
    print(f"{time.perf_counter() - started:.0f} s")


def shown(ids: Iterable[str]) -> tuple[Counter[str], dict[str, list[str]]]:
    """How many forms match, differ and are unread; those that match, by claim."""
    counts: Counter[str] = Counter()
    matching: dict[str, list[str]] = {}
    for form, outcome in witnesses(map(bounds.get, ids)):
        counts[outcome.word] += 1
        if outcome.word == "matches":
            matching.setdefault(form.statement.id, []).append(form.name)
        else:
            key = f"{form.statement.id}/{form.name}"
            print(f"{key} {outcome.word}: {outcome.reason}\n    {form.tex}")
    return counts, matching


def write(paper: str, matching: dict[str, list[str]]) -> None:
    """A line a claim, as the expected verdicts have it."""
    lines = [f"  {json.dumps(id)}: {json.dumps(forms)}" for id, forms in matching.items()]
    beside = Path(str(files(bounds.paper(paper).checks) / NAME))
    beside.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()

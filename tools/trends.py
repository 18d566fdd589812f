"""Finds which way forms go in their arguments, and where to, and notes it beside the papers.

python -m tools.trends [ID ...]   # what random inputs show
python -m tools.trends --write ID ...   # its lines, which the suite holds at other inputs

A line that other inputs contradict is removed by hand, and comes back only where its id is named.
"""

from __future__ import annotations

import argparse
import json
import time
from importlib.resources import files
from pathlib import Path

import numpy as np

import bounds
from bounds.draws import admissible
from bounds.interpretations import CHAIN
from bounds.trends import NAME, WAYS, ends, pairs, step, value

PAIRS, TOLD = 60, 6
"""Pairs of inputs tried, and how many of them must tell."""
POINTS = 10
SECONDS = 1.0  # for one form and argument: slower ones are left out


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("ids", nargs="*", help="statements; all by default")
    parser.add_argument(
        "--write", action="store_true", help=f"put the lines of the named statements into {NAME}"
    )
    arguments = parser.parse_args()
    if arguments.write and not arguments.ids:
        parser.error("--write needs the ids of statements: what was removed of others stays out")
    for paper in bounds.papers():
        asked = [s for s in bounds.statements(paper.key) if s.id in (arguments.ids or [s.id])]
        rows = {s.id: row(s) for s in asked}
        print("\n".join(line(id, found) for id, found in rows.items() if found))
        if arguments.write and rows:
            write(Path(str(files(paper.package) / NAME)), paper.key, rows)


Row = dict[str, str | dict[str, str]]


def line(id: str, found: Row) -> str:
    return f"  {json.dumps(id)}: {json.dumps(found)}"


def write(beside: Path, paper: str, rows: dict[str, Row]) -> None:
    """Replace the lines of these statements; those of others, and what they lack, stay."""
    told = json.loads(beside.read_text("utf-8")) if beside.is_file() else {}
    told |= rows
    lines = [line(s.id, told[s.id]) for s in bounds.statements(paper) if told.get(s.id)]
    beside.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def row(statement: bounds.Statement) -> Row:
    """Argument -> way, or form -> way."""
    found: Row = {}
    for name, symbol in statement.symbols.items():
        if symbol.kind in ("real", "integer"):
            forms = {n: f for n, f in statement.forms.items() if name in f.arguments}
            ways = {n: told for n, f in forms.items() if (told := way(f, name))}
            same = len(ways) == len(forms) and len(set(ways.values())) == 1
            if ways:
                found[name] = next(iter(ways.values())) if same else ways
    return found


def way(form: bounds.Form, name: str) -> str:
    """What pairs of inputs show of one form; "" where it goes both ways, or nothing tells."""
    rng, signs, start = np.random.default_rng(1), [], time.process_time()
    for low, high in pairs(form, name, rng, PAIRS):
        signs.append(step(value(form, low), value(form, high)))
        if time.process_time() - start > SECONDS:
            return ""
    told = {s for s in signs if s}
    if len(told) != 1 or sum(map(abs, signs)) < TOLD:
        return ""
    word = next(w for w, sign in WAYS.items() if sign in told)
    return word + end(form, name, rng, start)


def end(form: bounds.Form, name: str, rng: np.random.Generator, start: float) -> str:
    """Where the form goes from every input; "" where nothing tells."""
    kept: set[str] | None = None
    for _ in range(POINTS):
        try:
            found = ends(form, name, admissible(form.statement, form, rng))
        except RuntimeError:
            return ""
        if time.process_time() - start > SECONDS:
            return ""
        kept = found if kept is None else kept & found
    assert kept is not None
    if {"0", "inf"} <= kept:
        return ""  # it was never far
    sharper = CHAIN[: CHAIN.index(form.name)] if form.name in CHAIN else ()
    return next((f" to {x}" for x in ("0", "inf", *sharper) if x in kept), "")


if __name__ == "__main__":
    main()

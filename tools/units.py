"""Shows what forms are measured in, and whose terms disagree, and notes it beside the papers.

python -m tools.units            # forms whose terms disagree, claims with forms in different units
python -m tools.units --write    # also shipped as lists that the suite holds
"""

import argparse
import json
from importlib.resources import files
from pathlib import Path

import bounds
from bounds.units import apart
from bounds.units.listed import LEFT, NAME, listed, row


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help=f"write {NAME} of every paper")
    arguments = parser.parse_args()
    for paper in bounds.papers():
        statements = bounds.statements(paper.key)
        for statement in statements:
            shown(statement)
        if arguments.write:
            rows = {s.id: found for s in statements if (found := kept(s, paper)) is not None}
            lines = [f"  {json.dumps(id)}: {json.dumps(found)}" for id, found in rows.items()]
            beside = Path(str(files(paper.package) / NAME))
            beside.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def kept(statement: bounds.Statement, paper: bounds.Paper) -> str | dict[str, str] | None:
    """What belongs on the list, with the unit of the left side that was written there by hand."""
    derived = row(statement)
    left = (listed(paper, statement.id) or {}).get(LEFT)
    if left is None:
        return derived
    forms = {"": derived} if isinstance(derived, str) else derived or {}
    return {**forms, LEFT: left}


def shown(statement: bounds.Statement) -> None:
    """The disagreements of a statement, a line each."""
    found = statement.units()
    for name, units in found.items():
        for clash in units.clashes:
            print(f"{statement.id}/{name}: {clash}")
    if apart(statement):
        print(f"{statement.id}: {', '.join(f'{name} in {u}' for name, u in found.items())}")


if __name__ == "__main__":
    main()

"""Searches for certificates that one form is never above another, and writes them beside a paper.

python -m tools.prove                        # counts; what is open, with the reason
python -m tools.prove sglu olu.thm2          # of these papers and claims, a third party's as well
python -m tools.prove --write                # also to the file that the suite holds
python -m tools.prove --afresh --seconds 60  # without a look at what is there, and longer

The difference of every pair of `Interpretation.order` is taken from the two formulas, opened by
cases, and steps are searched for (`tools.steps`). A certificate that is there is kept as long as
the checker
takes it: those with lemmas that the search does not know were written by hand. A pair without one
is written as open, with the reason that stands there, or what the search came to.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import bounds
from bounds import Statement
from bounds.algebra.cases import MOST, generic
from bounds.algebra.certificates import Rejected, check, opened
from bounds.certificates import NAME, Certificate, Step, rows
from tools import steps


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("chosen", nargs="*", metavar="PAPER|ID")
    parser.add_argument("--write", action="store_true", help=f"write {NAME} of whole papers")
    parser.add_argument("--afresh", action="store_true", help="as if there were none yet")
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="of this process, for a pair, twice"
    )
    arguments = parser.parse_args()
    papers = [paper.key for paper in bounds.papers()]
    total: Counter[str] = Counter()
    for word in arguments.chosen or papers:
        ids = bounds.ids(word) if word in papers else (bounds.get(word).id,)
        lines = [
            row
            for id in ids
            for row in proved(bounds.get(id), arguments.seconds, arguments.afresh, total)
        ]
        if arguments.write and word in papers:
            write(word, lines)
    print(*(f"{count} {word}" for word, count in sorted(total.items())), sep=", ")


def proved(
    claim: Statement, seconds: float, afresh: bool, total: Counter[str]
) -> Iterator[Certificate]:
    """A line for every pair of forms of a claim; counts what became of them and prints it."""
    there = {} if afresh else {row.pair: row for row in rows(claim.paper)}
    for interpretation in claim.interpretations:
        for sharper, looser in interpretation.order:
            blank = Certificate(claim.id, interpretation.name, sharper, looser)
            before = there.get(blank.pair, replace(blank, open="nothing was tried"))
            started = time.process_time()
            row, word = before, "kept"
            if before.open or _fault(before, claim):
                row, word = attempt(blank, claim, seconds, [*there.values()]), "found"
                if row.open:
                    word = "open"
                    row = replace(row, open=before.open) if blank.pair in there else row
            total[word] += 1
            took = time.process_time() - started
            print(f"{word:5} {took:5.1f} s  {' '.join(row.pair)}", row.open and f": {row.open}")
            yield row


def attempt(
    blank: Certificate, claim: Statement, seconds: float, others: list[Certificate]
) -> Certificate:
    """A certificate of the pair that the checker takes, or an open line with the reason."""
    for other in others:  # of the same forms under another interpretation
        if (other.claim, other.sharper, other.looser) == (claim.id, *blank.pair[2:]):
            borrowed = replace(other, interpretation=blank.interpretation)
            if not other.open and not _fault(borrowed, claim):
                return borrowed
    reason = "no steps were found"
    for whole in (True, False):
        try:
            with steps.limited(seconds):
                if row := _searched(replace(blank, whole=whole), claim):
                    return row
        except TimeoutError:
            reason = f"no steps were found in {seconds:g} s"
        except ValueError as error:
            return replace(blank, open=str(error))
    return replace(blank, open=reason)


def _searched(row: Certificate, claim: Statement) -> Certificate | None:
    """The certificate with steps for every case, if they are found and the checker takes them."""
    forms = tuple(generic(claim[form].symbolic()) for form in row.pair[2:])
    walks = list(opened(row, claim))
    if len(walks) >= MOST:
        return None
    cases: list[tuple[Step, ...]] = []
    for walk, gap in walks:
        if (done := steps.found(walk, gap, (forms[0], forms[1]))) is None:
            return None
        cases.append(tuple(done))
    row = replace(row, cases=tuple(cases))
    return None if _fault(row, claim) else row


def _fault(row: Certificate, claim: Statement) -> str:
    """Why the checker rejects it; empty where it does not."""
    try:
        check(row, claim)
    except Rejected as error:
        return str(error)
    return ""


def write(paper: str, lines: list[Certificate]) -> None:
    """The file of a paper, a pair a paragraph."""
    beside = Path(str(files(bounds.paper(paper).package) / NAME))
    beside.write_text("[\n" + ",\n".join(map(as_json, lines)) + "\n]\n", encoding="utf-8")


def as_json(row: Certificate) -> str:
    """The line of a pair, a step a line."""
    head = {key: getattr(row, key) for key in ("claim", "interpretation", "sharper", "looser")}
    if row.open:
        return json.dumps(head, ensure_ascii=False)[:-1] + f',\n  "open": {json.dumps(row.open)}}}'
    head |= {} if row.whole else {"whole": False}
    head |= {"box": dict(row.box)} if row.box else {}
    cases = (",\n".join(f"    {json.dumps(step)}" for step in steps) for steps in row.cases)
    text = ", ".join(f"[\n{case}\n  ]" if case else "[]" for case in cases)
    return f'{json.dumps(head, ensure_ascii=False)[:-1]},\n  "cases": [{text}]}}'


if __name__ == "__main__":
    main()

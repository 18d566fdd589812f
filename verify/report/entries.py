"""One row for every interpretation and form of every claim: what the tables and exports show."""

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields

from verify.jsonio import plain
from verify.origin import source
from verify.outcome import Outcome
from verify.power import powers


@dataclass(frozen=True)
class VerdictEntry:
    """A verdict with its claim's name and headline; None where a number does not apply.

    `origin` says whose statement it is, "paper" or "ours" (`Statement.origin`). `red_below` and
    `red_above` are the factors on the bound beyond which a green verdict turns red: 0 and infinity
    where none does. `proof` is what sort of proof `holds` rests on, and what is checked of it
    (`Proof.told`), `source` the distribution that brought the paper, where it is not the project's
    own.
    """

    claim: str
    paper: str
    source: str
    label: str
    kind: str
    origin: str
    headline: str
    interpretation: str
    stance: str
    form: str
    word: str
    proof: str
    attainment: float | None
    basis: str
    slack_low: float | None
    slack_high: float | None
    red_below: float | None
    red_above: float | None
    instances: int
    seconds: float
    reason: str


def entries(outcomes: Iterable[Outcome]) -> list[VerdictEntry]:
    """The rows of a run, in its order; a check that broke has the last line of its traceback."""
    table_rows = []
    for outcome in outcomes:
        claim, error = outcome.claim, outcome.error
        power = {p.key: p for p in powers([outcome])}
        stances = {r.name: r.stance for r in claim.interpretations}
        for v in outcome.verdicts:
            low, high = v.slack or (None, None)
            mine = power.get(v.key)
            table_rows.append(
                VerdictEntry(
                    claim.id,
                    claim.paper,
                    source(claim.paper),
                    claim.label,
                    claim.kind,
                    claim.origin,
                    outcome.headline,
                    v.interpretation,
                    stances[v.interpretation],
                    v.form,
                    "error" if error else v.word,
                    v.proof.told if v.proof else "",
                    v.attainment,
                    v.basis,
                    low,
                    high,
                    mine.lowest if mine else None,
                    mine.highest if mine else None,
                    v.instances,
                    round(outcome.seconds, 3),
                    _last_line(error) if error else v.reason,
                )
            )
    return table_rows


def csv_text(table: Iterable[VerdictEntry]) -> str:
    """The rows as CSV; text that a spreadsheet would take for a formula begins with '."""
    buffer = io.StringIO()
    writer = csv.writer(buffer)
    writer.writerow(field.name for field in fields(VerdictEntry))
    for row in table:
        writer.writerow(_cell(value) for value in asdict(row).values())
    return buffer.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str):
        return f"'{value}" if value.startswith(("=", "+", "-", "@", "\t", "\r")) else value
    return "" if value is None else plain(value)


def _last_line(error: str) -> str:
    return (error.strip().splitlines() or [""])[-1]

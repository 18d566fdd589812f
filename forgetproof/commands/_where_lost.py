"""Where a printed bound is lost, as formulas beside numbers: `forgetproof explain --where-lost`."""

from __future__ import annotations

import math
import textwrap
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import click

import bounds
from bounds.trends import trends
from forgetproof.options import emit_json
from forgetproof.progress import WaitingLine

if TYPE_CHECKING:
    from bounds import Statement

DIRECTIONS = {"rises": "increasing", "falls": "decreasing"}
LONG = 60
"""Operations of a form that is not explained at once."""
LONGEST_QUOTIENT, MOST_CASES = 250, 16
"""Operations of two forms, and cases of their quotient, from where on it is not simplified: it
would fill a page, and take up to minutes."""


def show_where_lost(claim: Statement, latex: bool, as_json: bool) -> None:
    """Prints what each form of a claim is, how far it is from the best one, and what drives it.

    Raises ValueError for a claim without a formula.
    """
    style = "latex" if latex else "text"
    if not claim.forms:
        raise ValueError(
            f"where_lost must be asked of a claim with a formula, got {claim.id}, which has none"
        )
    # The sharpest form that there is; forms of other names in their own order.
    best = next(name for name in ("tight", "corrected", *claim.forms) if name in claim.forms)
    units = claim.units()
    steps = _WorkNotices(claim)
    document: dict[str, Any] = {
        "id": claim.id,
        "label": claim.label,
        "origin": claim.origin,
        "words": claim.words,
        "best": best,
        "forms": {
            name: _form(claim, name, best, style, steps) | _units(units[name])
            for name in claim.forms
        },
        "drives": {name: _drives(claim, name) for name in _driven(claim)},
        "units": _measured(units),
    }
    steps.end()
    if as_json:
        emit_json(document)
        return
    ours = ", ours" if claim.origin == "ours" else ""
    click.echo(f"{claim.id} ({claim.label}{ours}): {claim.words}")
    for name, form in document["forms"].items():
        click.echo(f"\n{name}: {form['note'] or claim.left}")
        if form["because"]:
            click.echo(f"  no formula: {form['because']}")
        elif not form["disagree"]:
            click.echo(f"  unit: {form['unit']}")
        for terms in form["disagree"]:
            click.echo(f"  units disagree: {terms}")
        for row in form["ratio"]:
            where = "" if not row["where"] else "   where " + " and ".join(row["where"])
            click.echo(f"  {name}/{form['against']} = {row['expression'] or row['words']}{where}")
        letters = dict.fromkeys(letter for row in form["ratio"] for letter in row["letters"])
        if letters:
            click.echo(f"  with {', '.join(letters)}")
        for line in form["checked"]:
            click.echo(textwrap.fill(line, 96, initial_indent="  ", subsequent_indent="    "))
        if form["slack"] is not None:
            click.echo(f"  {name}/{best} = {form['slack']:.6g} at the numbers of the plot")
    for name, rows in document["drives"].items():
        click.echo(f"\nwhat drives the {name} form")
        for row in rows:
            click.echo(f"  {row['symbol']:<10} {_told_drive(row)}")
    unit_texts = [f"{name} {unit}" for name, unit in document["units"].items() if unit != "1"]
    click.echo(f"\nunits: {', '.join(unit_texts) or 'all are numbers'}")


def _units(units: Any) -> dict[str, Any]:
    """The unit of a form, and its terms that disagree."""
    return {
        "unit": None if units.value is None else str(units.value),
        "disagree": [str(clash) for clash in units.clashes],
    }


def _measured(units: Any) -> dict[str, str]:
    """The units of the symbols, as their forms have them."""
    rows = [u.symbols for u in units.values()]
    return {name: str(unit) for symbols in rows for name, unit in symbols.items()}


def _driven(claim: Any) -> list[str]:
    """Forms whose growth is told: the best that is an expression, of a claim on growth all."""
    if claim.kind == "asymptotic":
        return [name for name in claim.forms if _expressed(claim[name])]
    return [name for name in (_written(claim),) if name]


def _expressed(form: Any) -> bool:
    """Whether the form is an expression in free symbols."""
    return form.formula is not None and not form.because


def _written(claim: Any) -> str:
    """The best form that is an expression; empty where none is."""
    order = [n for n in ("tight", "corrected") if n in claim.forms] + list(claim.forms)
    return next((name for name in order if _expressed(claim[name])), "")


class _WorkNotices:
    """Says on standard error what is worked on: at once of a long form, else when it takes long."""

    def __init__(self, claim: Any) -> None:
        self.claim = claim
        self.waiting = WaitingLine()

    def __call__(self, name: str, what: str) -> None:
        self.end()
        form, line = self.claim[name], f"{self.claim.id}: {what}"
        if not _expressed(form):
            return
        if form.symbolic().count_ops() > LONG:
            click.echo(f"{line} ...", err=True)
        else:
            self.waiting.begin(line)

    def end(self) -> None:
        """What was worked on is finished."""
        self.waiting.end()


def _form(claim: Any, name: str, best: str, style: str, steps: _WorkNotices) -> dict[str, Any]:
    from forgetproof.commands._symbolic import checked, possible_rows

    form, against = claim[name], _written(claim)
    answers: list[Any] = []
    if _expressed(form) and name != against:
        steps(against, f"{name}/{against}")
        answers = _quotient(form, claim[against])
    return {
        "tex": form.tex,
        "note": form.note,
        "because": form.because or ("" if form.formula else "it is computed by an algorithm"),
        "against": against,
        "ratio": possible_rows(answers, claim, style),
        "slack": _slack(claim, name, best),
        "checked": checked(claim, name),
    }


def _quotient(form: Any, against: Any) -> list[Any]:
    """One form over another, simplified, unless nobody would read it."""
    from bounds import algebra

    sizes = [_size(form.statement.id, each.name) for each in (form, against)]
    operations = sum(size for size, _ in sizes)
    count = math.prod(count for _, count in sizes)
    if operations <= LONGEST_QUOTIENT and count <= MOST_CASES:
        return list(algebra.ratio(form, against))
    words = f"not simplified: {operations} operations in {count} cases"
    return [algebra.Derived(f"ratio {form.name}/{against.name}", "numeric", None, (), 0, words)]


@lru_cache(maxsize=32)
def _size(id: str, name: str) -> tuple[int, int]:
    """The operations of a form, and its cases."""
    from bounds.algebra.cases import cases

    expression = bounds.get(id)[name].symbolic()
    return int(expression.count_ops()), len(cases(expression))


def _slack(claim: Any, name: str, best: str) -> float | None:
    """The form over the best one at the middle of the plot."""
    if name == best or not claim.plot:
        return None
    values = claim.plot.values
    inputs = {**claim.plot.inputs, claim.plot.symbol: values[len(values) // 2]}
    forms = [claim[each] for each in (name, best)]
    # A plot of one form need not say what another one takes.
    if any(a not in inputs and a not in form.optional for form in forms for a in form.arguments):
        return None
    first, second = (
        form(**{a: inputs[a] for a in form.arguments if a in inputs}) for form in forms
    )
    return float(first) / float(second) if second else None


def _drives(claim: Any, name: str) -> list[dict[str, Any]]:
    """Direction, limit and growth of a form in each of its numbers.

    Directions and limits are those that `trends.json` lists, growth what the statement says of its
    forms; tests hold both to the formulas, and what is in neither is not told.
    """
    form = claim[name]
    listed = {trend.name: trend for trend in trends(claim) if trend.form.name == name}
    growth = claim.growth if not isinstance(claim.growth, str) else {}
    rows = []
    for argument in form.arguments:
        if claim.symbols[argument].kind not in ("real", "integer"):
            continue
        trend, stated = listed.get(argument), growth.get(argument, "")
        rows.append(
            {
                "symbol": argument,
                "direction": DIRECTIONS[trend.way] if trend else "",
                "limit": trend.end if trend else "",
                "order": stated if isinstance(stated, str) else stated.get(name, ""),
            }
        )
    return rows


def _told_drive(row: dict[str, Any]) -> str:
    """Direction, limit and growth in words."""
    words = [row["direction"] or "no one direction is listed"]
    if row["limit"]:
        end = {"0": "0", "inf": "infinity"}.get(row["limit"], f"the {row['limit']} form")
        words.append(f"to {end} as it grows")
    if row["order"] not in ("", "free"):
        words.append(f"like {row['order']} when large")
    return ", ".join(words)

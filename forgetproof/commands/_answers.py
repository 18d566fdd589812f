"""The answers of a privacy problem on paper: one way to print them, one JSON document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from accounting.problems.answer import NONE_SUFFICES, shown
from forgetproof.commands._assumptions import show_assumptions
from forgetproof.commands._steps_table import show_table
from forgetproof.options import INTERRUPTED, emit_json
from forgetproof.progress import line_when_long
from simulators.device.reporting import reporting

if TYPE_CHECKING:
    from accounting.problems import Answer, Answers, Problem
    from accounting.problems.answer import AnswersInterrupted, Question
    from forgetproof.for_rows import ForRows

MOST_ROWS = 40


def show_interrupted(problem: Problem, stop: AnswersInterrupted, as_json: bool) -> int:
    """Prints the answers that there were at Ctrl-C, and returns the exit code."""
    show(problem, stop.answers, as_json)
    line = f"forgetproof: interrupted; not asked to the end: {', '.join(stop.left)}"
    click.echo(line, err=True)
    return INTERRUPTED


def show(
    problem: Problem,
    answers: Answers,
    as_json: bool,
    posed: ForRows | None = None,
    folder: str | None = None,
) -> None:
    """Prints the answers, as text or as one document, with the rows that posed the problem.

    folder: where the answer, its claim and its program are written too.
    """
    # What may be refused yet is computed before anything is printed.
    rows = {}
    if posed is not None:
        line = f"{problem.algorithm}: what the noise costs on the rows held out"
        with line_when_long(line) as move, reporting(move):
            rows["rows"] = posed.document()
    files: list[str] = []
    if posed is not None and folder is not None:
        from forgetproof.commands._rows import save

        files = save(posed, document(problem, answers) | rows, folder)
    if as_json:
        emit_json(document(problem, answers) | rows)
        return
    click.echo(_headline(problem, answers))
    for name, answer in answers.by.items():
        mark = "  <- recommended" if name == answers.recommended else ""
        note = problem.accountants[name]
        click.echo(f"  {name:<10} {_line(problem, answers, answer)}; {note}{mark}")
    if posed is not None and posed.table is not None:
        show_table(posed.table)
    for line in answers.remarks:
        click.echo(line)
    if answers.recommended is not None:
        click.echo(answers.best.apply)
    if problem.condition is not None:
        click.echo(f"conditional on: {problem.condition}")
    _places(problem, answers)
    inputs = {
        name: value
        for name, value in _inputs(problem, answers.question).items()
        if value is not None
    }
    click.echo(f"problem: {', '.join(f'{name} = {_said(x)}' for name, x in inputs.items())}")
    if posed is not None:
        _rows(posed)
    show_assumptions(problem.assumptions)
    if files:
        click.echo(f"wrote {', '.join(files)} in {folder}")


def _rows(posed: ForRows) -> None:
    """Where the constants come from, what the noise costs, and what to paste."""
    document, cost = posed.task.document(), posed.cost
    click.echo(
        f"rows: {document['name']}, n = {document['n']} learned from, "
        f"{document['held_out']} held out, dimension = {document['dimension']}"
    )
    for line in document["record"]:
        click.echo(f"  {line}")
    for name, bound in document["bounds"].items():
        source = "public" if bound["public"] else "computed from the rows, which sigma then shows"
        click.echo(f"  {name} = {_said(bound['value'])}, {source}")
    if "column_range" in posed.problem.assumptions.from_data:
        click.echo(
            "  column_range, computed from the rows, which the model then shows (public: "
            "--range COLUMN=LOW:HIGH, --ranges FILE)"
        )
    follows = ", ".join(f"{name} = {_said(x)}" for name, x in document["constants"].items())
    click.echo(f"  loss {document['loss']}: {follows}")
    if cost is not None:
        click.echo(
            f"cost on the {cost['rows']} rows held out: {cost['measure'].replace('_', ' ')} "
            f"{cost['with']:.4g} +- {cost['standard_error']:.2g} in {cost['trials']} runs, "
            f"{cost['without']:.4g} without noise{_by_majority(cost)}; measured on the rows, not "
            "to be published"
        )
        _warn_of_chance(cost)
    if posed.snippet is not None:
        click.echo("to paste")
        for line in posed.snippet.splitlines():
            click.echo(f"  {line}")
    elif posed.form == "opacus" and posed.answers.recommended is not None:
        click.echo(
            "no program for Opacus: it is written for logistic loss, steps without a ball, Poisson "
            "batches, and noise that float32 does not round away"
        )


def _by_majority(cost: Mapping[str, Any]) -> str:
    share = cost["majority_class"]
    return "" if share is None else f", {share:.4g} by always saying {cost['majority_name']}"


def _warn_of_chance(cost: Mapping[str, Any]) -> None:
    """A line where a model has learned nothing, before noise or with it."""
    share = cost["majority_class"]
    if share is None:
        return
    worthless = f"the model is no better than always {cost['majority_name']}"
    if cost["without"] <= share:
        click.echo(
            f"warning: without noise {worthless}; columns on one scale (--range COLUMN=LOW:HIGH, "
            "--scale file) and --intercept may help"
        )
    elif cost["with"] <= share:
        click.echo(f"warning: with this noise {worthless}")


def document(problem: Problem, answers: Answers) -> dict[str, Any]:
    """The answers as data, in the form that `forgetproof/answer.schema.json` describes."""
    best = answers.recommended
    return {
        "question": answers.question,
        "algorithm": problem.algorithm,
        "target": {"epsilon": answers.epsilon, "delta": answers.delta},
        "guarantee": guarantee(answers),
        "accountants": {name: _entry(answer) for name, answer in answers.by.items()},
        "recommended": best,
        "apply": None if best is None else answers.by[best].apply,
        "conditional_on": problem.condition,
        "places": problem.places,
        "details": dict(answers.details),
        "problem": _inputs(problem, answers.question),
        "assumptions": problem.assumptions.document(),
    }


def guarantee(answers: Answers) -> str:
    """What an epsilon means, in symbols."""
    epsilon = "epsilon" if answers.epsilon is None else f"{answers.epsilon:g}"
    if answers.delta is None:
        return f"D_alpha <= {epsilon} alpha for every alpha > 1"
    return f"({epsilon}, {answers.delta:g})-indistinguishable"


def _entry(answer: Answer) -> dict[str, Any]:
    several = answer.epsilon is not None and answer.epsilon.ndim > 0
    return {
        "sigma": answer.noise,
        "standard_deviation": answer.deviation,
        "epsilon": None if answer.epsilon is None else answer.epsilon.max(),
        "each_epsilon": answer.epsilon if several else None,
        "valid": answer.valid,
        "apply": answer.apply,
        "details": dict(answer.details),
    }


def _inputs(problem: Problem, question: Question) -> dict[str, Any]:
    """Every field that is read and is a number or a word, and what follows from them."""
    unread = problem.unused(question)
    values = {of.name: getattr(problem, of.name) for of in fields(problem) if of.name not in unread}
    plain = {k: v for k, v in values.items() if v is None or isinstance(v, str | int | float)}
    return {**plain, **problem.facts}


def _headline(problem: Problem, answers: Answers) -> str:
    asked = {
        "noise": "least noise for",
        "privacy": "what this noise certifies:",
        "plan": "at this noise, for",
    }
    return f"{problem.algorithm}: {asked[answers.question]} {guarantee(answers)}"


def _line(problem: Problem, answers: Answers, answer: Answer) -> str:
    failed = answer.details.get("failed")
    if failed is not None:
        what = "epsilon inf" if answers.question == "privacy" else f"sigma {_numbers(answer.noise)}"
        return f"{what}  no answer, which counts as infinite: {failed}"
    # Several epsilons, one a place: the guarantee is the worst of them.
    worst = None if answer.epsilon is None else float(answer.epsilon.max())
    if answers.question == "privacy":
        assert answer.epsilon is not None
        verdict = {True: "", False: ", which is NOT true", None: ", conditional"}[answer.valid]
        return f"epsilon {_numbers(answer.epsilon)}{verdict}"
    sigma = f"sigma {_numbers(answer.noise)}"
    if answers.question == "plan" and not answer.valid:
        return sigma
    if not np.isfinite(answer.noise).all():
        return f"{sigma}  {NONE_SUFFICES}"
    assert worst is not None
    if answer.valid is False:
        return f"{sigma}  NOT valid: its true epsilon is {shown(worst)}, not {answers.epsilon:g}"
    if answer.valid:
        return f"{sigma}  certifies epsilon = {shown(worst)}{_saving(answers, answer)}"
    if problem.condition is not None:
        return f"{sigma}  epsilon {shown(worst)}, conditional"
    return f"{sigma}  not certified: epsilon = {shown(worst)} is all that is known"


def _numbers(values: Any) -> str:
    """A number, or the ends and the largest of several."""
    if values.ndim == 0:
        return shown(float(values))
    # Rounded up, as a guarantee must be (`shown`).
    first, last, largest = (shown(float(x)) for x in (values[0], values[-1], values.max()))
    if largest in (first, last):
        return largest if first == last else f"{first} .. {last}"
    return f"{first} .. {last}, at most {largest}"


def _saving(answers: Answers, answer: Answer) -> str:
    """How many times less than printed, where that is worth a word."""
    printed = answers.by.get("printed")
    if printed is None or printed is answer or not printed.valid or printed.noise.ndim:
        return ""
    if not (answer.noise > 0 and printed.noise >= 1.05 * answer.noise):
        return ""
    factor = float(printed.noise) / float(answer.noise)
    # Rounded down: the noise saved is told as no more than it is.
    return f", {shown(factor, 3, up=False)} times less than printed"


def _places(problem: Problem, answers: Answers) -> None:
    """A row for every place of the noise, with what the accountants say of it."""
    places = dict(problem.places)
    if not places or answers.question == "plan":
        return
    count = len(next(iter(places.values())))
    # Without a recommendation the last accountant that answers is told place by place.
    name = answers.recommended or list(answers.by)[-1]
    answer = answers.by[name]
    if answers.question == "noise":
        safe = {"deviation": np.broadcast_to(answer.deviation, count)}
        details = {k: v for k, v in answer.details.items() if isinstance(v, np.ndarray)}
        places.update({k: v for k, v in details.items() if v.ndim})
        click.echo(f"noise of the accountant {name}, place by place")
    else:
        each = {k: v.epsilon for k, v in answers.by.items() if v.epsilon is not None}
        safe = {k: v for k, v in each.items() if v.ndim}
        if not safe:
            return
        click.echo("epsilon by each accountant, place by place")
    columns = {title: [_number(x) for x in values[:MOST_ROWS]] for title, values in places.items()}
    columns |= {title: [shown(x) for x in values[:MOST_ROWS]] for title, values in safe.items()}
    widths = {title: max(12, len(title) + 2) for title in columns}
    click.echo("".join(f"{title:>{width}}" for title, width in widths.items()))
    for cells in zip(*columns.values(), strict=True):
        row = zip(cells, widths.values(), strict=True)
        click.echo("".join(f"{cell:>{width}}" for cell, width in row))
    if count > MOST_ROWS:
        click.echo(f"  ... and {count - MOST_ROWS} more; --json lists all")


def _number(value: Any) -> str:
    return str(value) if isinstance(value, np.integer) else f"{value:.4g}"


def _said(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)

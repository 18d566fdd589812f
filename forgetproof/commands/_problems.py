"""The command of a privacy problem, made from its fields: options, ranges, help, and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from typing import TYPE_CHECKING, Any

import click

from forgetproof.expressions import function, number, parse
from forgetproof.options import NUMBER, WHOLE, Algorithms, json_flag, refuse_unused
from forgetproof.problems import problem, problems
from forgetproof.tables import read_table

if TYPE_CHECKING:
    from accounting.problems import Answers, Problem
    from accounting.problems.answer import Question
    from accounting.problems.options import Option

LONGEST_LIST = 10**7  # characters
Ask = Callable[["Problem", Mapping[str, Any], tuple[str, ...]], "Answers"]


class Problems(Algorithms):
    """One subcommand a problem, found by the algorithm's name or by an alias."""

    def __init__(self, *args: Any, make: Callable[[type[Problem]], click.Command], **rest: Any):
        super().__init__(*args, **rest)
        self.make = make

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(problems())

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first = self.get_command(ctx, next(iter(problems())))
        if first is not None:
            first.format_epilog(ctx, formatter)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        found = problem(cmd_name)
        return None if found is None else self.make(found)


def subcommand(
    kind: type[Problem], group: str, example: str, given: list[click.Parameter], ask: Ask
) -> click.Command:
    """The command that builds the problem from its options, and asks it.

    given: the options that come before those of the fields.
    """
    names = list(kind.accountants if group == "noise" else kind.claims or kind.accountants)
    accountant = click.Option(
        ["--accountant"], type=click.Choice(names), help="Show only this one."
    )
    others = [accountant] if len(names) > 1 else []
    own = [of for of in fields(kind) if _option(of).only in (None, group)]
    before = {str(parameter.name) for parameter in given}

    def run(as_json: bool, accountant: str | None = None, **values: Any) -> None:
        from forgetproof.commands._answers import show

        asked = {name: values.pop(name) for name in before}
        found = kind(**_fields(own, values))
        question: Question = "noise" if group == "noise" else "privacy"
        if question == "noise" and asked.get("sigma") is not None:
            question = "plan"
        only = None if accountant is None else (accountant,)
        for name, why in found.unused(question, only).items():
            refuse_unused([name], why)
        show(found, ask(found, asked, only or found.asked(question)), as_json)

    return click.Command(
        kind.algorithm,
        callback=run,
        params=[*given, *map(_click, own), *others, json_flag()],
        help=_help(kind),
        short_help=(kind.__doc__ or "").splitlines()[0],
        epilog=f"\b\nExample: forgetproof {group} {kind.algorithm} {example} {kind.example}",
    )


def noise_option(kind: type[Problem], *, required: bool, help: str) -> click.Option:
    """--sigma: a number, or where the problem has several places a list."""
    if kind.several:
        return click.Option(["--sigma"], required=required, help=f"{help} Or [s1, s2, ...].")
    return click.Option(["--sigma"], type=NUMBER, required=required, help=help)


def delta_option(kind: type[Problem]) -> click.Option:
    """--delta, which problems with a Rényi budget may leave out."""
    budget = "; without it epsilon is the Rényi budget, D_alpha <= alpha epsilon."
    text = f"Delta of the guarantee{budget if kind.renyi else '.'}"
    return click.Option(["--delta"], type=NUMBER, required=not kind.renyi, help=text)


def sigma(given: Any) -> Any:
    """The noise that was given, as numbers."""
    if not isinstance(given, str):
        return given
    try:
        return parse(given, longest=LONGEST_LIST)
    except ValueError as error:
        raise ValueError(f"sigma must be a number or a list of numbers, got: {error}") from error


def _help(kind: type[Problem]) -> str:
    names = f" Alias: {', '.join(kind.aliases)}." if kind.aliases else ""
    return (kind.__doc__ or "").splitlines()[0] + names


def _option(of: Field[Any]) -> Option:
    from accounting.problems.options import option

    return option(of)


def _click(of: Field[Any]) -> click.Option:
    """The option of a field; what is not given stays the field's own default."""
    found = _option(of)
    types: dict[str, Any] = {"real": NUMBER, "whole": WHOLE, "word": click.Choice(found.words)}
    required = of.default is MISSING
    default = found.shown
    if default is None and not required and of.default is not None:
        default = f"{of.default:g}" if isinstance(of.default, float) else str(of.default)
    notes = [note for note in (found.range, default and f"default: {default}") if note]
    if found.names:
        notes.insert(0, f"may use {', '.join([*(found.argument or ''), *found.names])}")
    text = found.help + (f"  [{'; '.join(notes)}]" if notes else "")
    return click.Option(
        [f"--{of.name.replace('_', '-')}"], type=types.get(found.kind), required=required, help=text
    )


def _fields(own: list[Field[Any]], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the fields, as the problem takes them; formulas after the names they use."""
    options = {of.name: _option(of) for of in own}
    defaults = {of.name: None if of.default is MISSING else of.default for of in own}
    found = {name: value for name, value in values.items() if value is not None}
    for name, value in found.items():
        if options[name].kind == "wholes":
            found[name] = _list(name, value)
        elif options[name].kind == "table":
            found[name] = read_table(value, options[name].columns or {})
    for name, value in found.items():
        if options[name].kind == "formula":
            found[name] = _formula(name, value, options[name], {**defaults, **found})
    return found


def _list(name: str, text: str) -> Any:
    try:
        return parse(text, longest=LONGEST_LIST)
    except ValueError as error:
        raise ValueError(f"{name} must be a list of whole numbers, got: {error}") from error


def _formula(name: str, text: str, option: Option, values: Mapping[str, Any]) -> Any:
    """A word, a number, or a rule of the argument, in the names whose fields are given."""
    from accounting.problems.options import Rule

    if text in option.words:
        return text
    fields_of = option.names or {}
    given = {symbol: values[field] for symbol, field in fields_of.items()}
    known = {s: float(x) for s, x in given.items() if x is not None and math.isfinite(x)}
    try:
        if option.argument is None:
            return number(text, known)
        return Rule(text, function(text, option.argument, known))
    except ValueError as error:
        lacking = [
            f"{s} (given --{fields_of[s].replace('_', '-')})" for s in given if s not in known
        ]
        names = ", ".join([*(option.argument or ""), *known, *lacking])
        choices = "".join(f"{word}, " for word in option.words) or "a number "
        raise ValueError(
            f"{name} must be {choices}or an expression in {names}, got: {error}"
        ) from error

"""Commands made from the fields of what papers declare: options, ranges, help, and refusals."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from functools import cache
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from bounds.declared import PROBLEMS, Declared
from forgetproof.commands._target import column_of_target, refuse_column, with_target
from forgetproof.expressions import function, number, parse
from forgetproof.options import (
    NUMBER,
    WHOLE,
    Algorithms,
    insist_on_device,
    json_flag,
    refuse_unused,
)
from forgetproof.snippets import FORMS
from forgetproof.tables import read_table

if TYPE_CHECKING:
    from accounting.problems import Answers, Problem
    from accounting.problems.answer import Question
    from accounting.problems.options import Option

LONGEST_LIST = 10**7  # characters
TABULATED = "--data rows.csv --removed 20"
ROWS = "--data rows.csv --loss logistic --regularisation 0.01 ..."
Ask = Callable[["Problem", Mapping[str, Any], tuple[str, ...]], "Answers"]


class ProblemCommands(Algorithms):
    """One subcommand for each class that papers declare, by the algorithm's name or an alias."""

    def __init__(
        self, *args: Any, declared: Declared, make: Callable[[Any], click.Command], **rest: Any
    ):
        super().__init__(*args, **rest)
        # One command for each class: its help and its options are made once.
        self.declared, self.make = declared, cache(make)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.declared.names())

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        first = self.get_command(ctx, self.declared.names()[0])
        if first is not None:
            first.format_epilog(ctx, formatter)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        kind = self.declared.get(cmd_name)
        return None if kind is None else self.make(kind)


def subcommand(
    kind: type[Problem], group: str, example: str, given: list[click.Parameter], ask: Ask
) -> click.Command:
    """The command that builds the problem from its options, and asks it.

    given: the options that come before those of the fields.
    """
    # A run of an experiment needs none of these.
    from forgetproof.commands._rows import program_options, tabulated_answer
    from forgetproof.for_rows import ForRows, posed, settings

    rows = settings(kind)
    names = list(kind.accountants if group == "noise" else kind.claims or kind.accountants)
    accountant = click.Option(
        ["--accountant"], type=click.Choice(names), help="Show only this one."
    )
    others = [accountant] if len(names) > 1 else []
    own = [of for of in fields(kind) if _option(of).only in (None, group)]
    before = {str(parameter.name) for parameter in given}
    # A field of the problem that rows ask for as well has one option.
    shared = {of.name for of in own}
    more = [of for of in rows if of.name not in shared]
    follows = {*kind.derived, *kind.usual}
    programs = program_options(kind, group)
    own_options = {str(each.name) for each in programs}

    def run(as_json: bool, accountant: str | None = None, **values: Any) -> int:
        from accounting.problems.answer import AnswersInterrupted
        from forgetproof.commands._answers import show, show_interrupted

        asked = {name: values.pop(name) for name in before}
        form, folder = values.get("form", FORMS[0]), values.get("save")
        column = column_of_target(values)
        task, given_names = None, set(_given(values))
        # Where no rows pose this problem there is no option --data.
        if rows and values["data"] is not None:
            insist_on_device(values["device"])
            written = {name: x for name, x in _given(values).items() if name not in own_options}
            task, problem = posed(kind, field_values([*own, *more], written | column))
            for name, why in task.unused().items():
                refuse_unused([name], why)
        else:
            refuse_unused([*(of.name for of in more), *own_options], "without data")
            refuse_column(column, click.get_current_context().command.params)
            problem = kind(**field_values(own, {of.name: values[of.name] for of in own}))
        question: Question = "noise" if group == "noise" else "privacy"
        if question == "noise" and asked.get("sigma") is not None:
            question = "plan"
        # One accountant alone may not read every option: what it does not read is refused.
        only = None if accountant is None else (accountant,)
        for name, why in problem.unused(question, only).items():
            refuse_unused([name], why)
        # Of rows those that are preferred are asked: the others may take minutes.
        tabulated = None if task is None else problem.tabulated
        names = only or (problem.preferred if tabulated else problem.asked(question))
        if task and tabulated and question == "noise" and tabulated not in given_names:
            answer = tabulated_answer(task, problem, asked, names, form)
            show(answer.problem, answer.answers, as_json, answer, folder)
            return 0
        try:
            answers = ask(problem, asked, names)
        except AnswersInterrupted as stop:
            return show_interrupted(problem, stop, as_json)
        posed_by = None if task is None else ForRows(task, problem, answers, form=form)
        show(problem, answers, as_json, posed_by, folder)
        return 0

    return click.Command(
        kind.algorithm,
        callback=run,
        params=[
            *given,
            *with_target(
                [
                    *(
                        click_option(of, Following if of.name in follows else click.Option)
                        for of in own
                    ),
                    *map(click_option, more),
                ]
            ),
            *programs,
            *others,
            json_flag(),
        ],
        help=help_of(kind, PROBLEMS),
        short_help=(kind.__doc__ or "").splitlines()[0],
        epilog=f"\b\nExample: forgetproof {group} {kind.algorithm} {example} {kind.example}"
        + (
            f"\n     or: forgetproof {group} {kind.algorithm} {example} {_example_of(kind)}"
            if rows
            else ""
        ),
    )


def _example_of(kind: type[Problem]) -> str:
    return TABULATED if kind.tabulated else ROWS


class Following(click.Option):
    """Required, unless there are rows from which it follows."""

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        # Click reads `required` while it parses, and the option is shared by all calls.
        required, self.required = self.required, self.required and opts.get("data") is None
        try:
            return super().handle_parse_result(ctx, opts, args)
        finally:
            self.required = required


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    """What stands on the command line."""
    source, written = click.get_current_context().get_parameter_source, ParameterSource.COMMANDLINE
    # Click fills in defaults, which are no wish of the user's.
    return {name: value for name, value in values.items() if source(name) is written}


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


def help_of(kind: Any, declared: Declared) -> str:
    """The first line of its documentation, and its other names."""
    names = declared.aliases(kind.algorithm)
    alias = f" Alias: {', '.join(names)}." if names else ""
    return (kind.__doc__ or "").splitlines()[0] + alias


def _option(of: Field[Any]) -> Option:
    from accounting.problems.options import option

    return option(of)


def click_option(of: Field[Any], kind: type[click.Option] = click.Option) -> click.Option:
    """The option of a field; what is not given stays the field's own default."""
    option = _option(of)
    written = f"--{of.name.replace('_', '-')}"
    if option.kind == "flag":
        return _flag(of, option)
    if option.kind == "texts":
        help = f"{option.help} May be repeated."
        return click.Option([written], multiple=True, metavar=option.words[0], help=help)
    types: dict[str, Any] = {"real": NUMBER, "whole": WHOLE, "word": click.Choice(option.words)}
    required = of.default is MISSING
    default = option.shown
    if default is None and not required and of.default is not None:
        default = f"{of.default:g}" if isinstance(of.default, float) else str(of.default)
    notes = [note for note in (option.range, default and f"default: {default}") if note]
    if option.names:
        notes.insert(0, f"may use {', '.join([*(option.argument or ''), *option.names])}")
    text = option.help + (f"  [{'; '.join(notes)}]" if notes else "")
    # The name last: of several long options click would take the first one.
    names = [*option.also, written, of.name]
    return kind(names, type=types.get(option.kind), required=required, help=text)


def _flag(of: Field[Any], found: Option) -> click.Option:
    words = "/".join(f"--{word}" for word in found.words)
    shown = isinstance(of.default, bool) and len(found.words) > 1
    return click.Option(
        [words, of.name], default=of.default, show_default=shown, help=found.help, is_flag=True
    )


def field_values(own: list[Field[Any]], values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the fields, as the problem takes them; formulas after the names they use."""
    options = {of.name: _option(of) for of in own}
    defaults = {of.name: None if of.default is MISSING else of.default for of in own}
    # None is what click has for an option that was not given: the field's own default stays.
    found = {name: value for name, value in values.items() if value is not None}
    for name, value in found.items():
        if options[name].kind == "wholes":
            found[name] = _list(name, value)
        elif options[name].kind == "table":
            found[name] = _table(name, value, options[name])
    for name, value in found.items():
        if options[name].kind == "rule":
            found[name] = _rule(value)
        elif options[name].kind == "formula":
            found[name] = _formula(name, value, options[name], {**defaults, **found})
    return found


def _rule(text: str) -> Any:
    """A rule whose words are read when the names have their values."""
    from accounting.problems.options import Rule

    return Rule(text, lambda names: number(text, names))


def _list(name: str, text: str) -> Any:
    try:
        return parse(text, longest=LONGEST_LIST)
    except ValueError as error:
        raise ValueError(f"{name} must be a list of whole numbers, got: {error}") from error


def _table(name: str, file: str, about: Option) -> Any:
    try:
        return read_table(file, about.columns or {})
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def _formula(name: str, text: str, option: Option, values: Mapping[str, Any]) -> Any:
    """A word, a number, or a rule of the argument, in the names whose fields are given."""
    from accounting.problems.options import Rule

    if text in option.words:
        return text
    fields_of = option.names or {}
    inputs = {symbol: values[field] for symbol, field in fields_of.items()}
    # An infinite value is none that an expression can compute with.
    known = {s: float(x) for s, x in inputs.items() if x is not None and math.isfinite(x)}
    try:
        if option.argument is None:
            return number(text, known)
        return Rule(text, function(text, option.argument, known))
    except ValueError as error:
        lacking = [
            f"{s} (given --{fields_of[s].replace('_', '-')})" for s in inputs if s not in known
        ]
        names = ", ".join([*(option.argument or ""), *known, *lacking])
        choices = "".join(f"{word}, " for word in option.words) or "a number "
        raise ValueError(
            f"{name} must be {choices}or an expression in {names}, got: {error}"
        ) from error

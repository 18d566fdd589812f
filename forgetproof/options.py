"""Option types and output shared by the subcommands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import click

from forgetproof.expressions import number
from forgetproof.spelling import SuggestingGroup, did_you_mean

if TYPE_CHECKING:
    from bounds import Statement

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class Number(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.4 on
    """A real number written as a number or a small expression, such as 1/11264."""

    name = "number"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        if isinstance(value, int | float):
            return float(value)
        try:
            return number(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


class Whole(Number):
    """A whole number; expressions are allowed, fractions are not."""

    name = "whole"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        result = super().convert(value, param, ctx)
        # int() of an infinity would raise.
        if result != int(result) if abs(result) != float("inf") else True:
            self.fail(f"must be a whole number, got {value}", param, ctx)
        return int(result)


def refuse_unused(names: Iterable[str], reason: str) -> None:
    """ValueError naming an option of the command line that its question has no use for."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            raise ValueError(f"{name} must not be given {reason}")


def claim_named(words: Iterable[str], paper: str | None = None) -> Statement:
    """The claim that the words name together: by id, or by label after or of its paper.

    Raises ValueError where they name none, with what they may mean, or several, which it lists.
    """
    import bounds

    return bounds.claim(" ".join(words), paper)


def name_and_inputs(words: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of a claim's name, and the NAME=VALUE that follow them."""
    import bounds

    first, *others = words
    # After an id nothing else is a name; a label has the words up to the first NAME=VALUE.
    with suppress(ValueError):
        bounds.get(first)
        return (first,), tuple(others)
    end = next((i for i, word in enumerate(others) if "=" in word), len(others))
    return (first, *others[:end]), tuple(others[end:])


def insist_on_device(name: str) -> None:
    """ValueError where this machine has no such device."""
    if name == "cuda":
        from simulators.device.placement import device_named

        device_named(name)


def insist_on_papers() -> None:
    """ValueError where no paper is installed, and so nothing that a command could be about."""
    import bounds
    from bounds.library import how_to_install

    if not bounds.papers():
        raise ValueError(f"a paper must be installed, one at least{how_to_install()}")


INTERRUPTED = 130  # the exit code after Ctrl-C
NUMBER = Number()
WHOLE = Whole()


class Algorithms(SuggestingGroup):
    """A command that needs one of its subcommands, and says so in one line.

    aliases: other names of subcommands, such as the key of an algorithm's paper.
    """

    def __init__(self, *args: Any, aliases: Mapping[str, str] | None = None, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.aliases = aliases or {}

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, self.aliases.get(cmd_name, cmd_name))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        # While a shell completes words, nothing is refused.
        if not args and not ctx.resilient_parsing:
            names = ", ".join(self.list_commands(ctx))
            raise click.UsageError(f"{ctx.info_name} needs an algorithm: one of {names}", ctx)
        return super().parse_args(ctx, args)

    def instead(self, word: str, ctx: click.Context) -> str:
        from bounds.library import how_to_install

        names = [*self.list_commands(ctx), *self.aliases]
        # The algorithm may be one of a paper that is not there.
        more = did_you_mean(word, names) or f"; it must be one of {', '.join(names)}"
        return more + how_to_install()


def json_flag() -> click.Option:
    """--json, of a command that is built from parts."""
    return click.Option(["--json", "as_json"], is_flag=True, help="One JSON document on stdout.")


def device_option(more: str = "") -> Callable[[Decorated], Decorated]:
    """--device, of a command that simulates."""
    return click.option(
        "--device",
        type=click.Choice(["cpu", "cuda", "auto"]),
        default="cpu",
        show_default=True,
        help=f"Where simulations compute.{more}",
    )


claim_argument = click.argument("name", nargs=-1, required=True, metavar="ID|LABEL")
claim_and_inputs = click.argument(
    "words", nargs=-1, required=True, metavar="ID|LABEL [NAME=VALUE]..."
)
paper_option = click.option("--paper", help="The paper whose label it is.")
json_option = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")


def emit_json(document: dict[str, Any]) -> None:
    """Prints one JSON document with the schema field first; infinities as "inf", never NaN."""
    from verify.jsonio import SCHEMA, dumps

    click.echo(dumps({"schema": SCHEMA, **document}, indent=2))

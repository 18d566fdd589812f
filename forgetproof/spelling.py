"""What a mistyped word may have meant, and groups of commands that say so."""

from collections.abc import Iterable
from difflib import get_close_matches

import click

LONGEST = 60
"""Characters of a word that are compared: the time to compare grows with them."""


def did_you_mean(word: str, names: Iterable[str]) -> str:
    """ "; did you mean ...?" with the names that are spelled like the word; empty without any."""
    near = get_close_matches(word.lower()[:LONGEST], list(names), n=3, cutoff=0.6)
    return f"; did you mean {' or '.join(near)}?" if near else ""


class SuggestingGroup(click.Group):
    """A group that answers an unknown command with those that are spelled like it."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            message = error.message.rstrip(".") + self.instead(args[0], ctx)
            raise click.UsageError(message, ctx) from error

    def instead(self, word: str, ctx: click.Context) -> str:
        """What a complaint adds about a word that is no command."""
        names = self.list_commands(ctx)
        return did_you_mean(word, names) or f"; it must be one of {', '.join(names)}"

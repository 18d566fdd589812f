"""`forgetproof start`: at most four questions, then the command to type."""

from __future__ import annotations

import sys
from collections.abc import Mapping

import click

from forgetproof.first_command import PUBLISHED, TRAINED, TRAINERS, Situation, first_command
from forgetproof.options import NUMBER, WHOLE, emit_json, json_option

QUESTIONS = {
    "train": ("What do you train?", TRAINED),
    "how": ("By what?", TRAINERS),
    "publish": ("What do others see?", PUBLISHED),
}

EVERYTHING = (*QUESTIONS, "epsilon", "removed")
ASKED: Mapping[str | None, tuple[str, ...]] = {
    **dict.fromkeys([None, *TRAINED], EVERYTHING),
    "network": ("train", "how", "epsilon", "removed"),
    "own": ("train", "epsilon"),
}
"""What is trained, None where that is not yet known -> what the answer depends on."""


@click.command(
    "start",
    epilog="\b\nExample: forgetproof start --train logistic --how sklearn --publish last "
    "--epsilon 1 --removed 20",
)
@click.option("--train", type=click.Choice(list(TRAINED)), help="What you train.")
@click.option("--how", type=click.Choice(list(TRAINERS)), help="By what.")
@click.option("--publish", type=click.Choice(list(PUBLISHED)), help="What others see.")
@click.option("--epsilon", type=NUMBER, help="Target epsilon; 1 is a common one.")
@click.option("--removed", type=WHOLE, help="How many rows leave.")
@click.option("--delta", type=NUMBER, default=1e-5, show_default=True, help="Target delta.")
@json_option
def command(
    train: str | None,
    how: str | None,
    publish: str | None,
    epsilon: float | None,
    removed: int | None,
    delta: float,
    as_json: bool,
) -> None:
    """Which command answers your question, and why. It computes nothing.

    What is not given is asked at a terminal. Words in capitals are for you to replace; each command
    explains itself with --help.
    """
    answers = {"train": train, "how": how, "publish": publish}
    numbers = {"epsilon": epsilon, "removed": removed}
    answered = {name for name, value in {**answers, **numbers}.items() if value is not None}
    if not _at_a_terminal() and (missing := [n for n in ASKED[train] if n not in answered]):
        raise ValueError(
            f"{', '.join(missing)} must be given where there is no terminal: {_written(missing)}"
        )
    answers["train"] = train = train or _chosen("train")
    for name in QUESTIONS:
        if name in ASKED[train] and answers[name] is None:
            answers[name] = _chosen(name)
    if epsilon is None:
        epsilon = click.prompt("Target epsilon?", default=1.0, type=NUMBER, err=True)
    if removed is None and "removed" in ASKED[train]:
        removed = click.prompt("How many rows leave?", default=1, type=WHOLE, err=True)
    if not 0 <= epsilon < float("inf"):
        raise ValueError(f"epsilon must be >= 0 and finite, got {epsilon}")
    if not 0 < delta < 1:
        raise ValueError(f"delta must be in (0, 1), got {delta}")
    if removed is not None and removed < 1:
        raise ValueError(f"removed must be >= 1, got {removed}")
    words = {name: answer or "" for name, answer in answers.items()}
    first = first_command(Situation(**words, epsilon=epsilon, delta=delta, removed=removed or 1))
    if as_json:
        emit_json({"command": first.words, "python": first.python, "reason": first.reason})
        return
    click.echo(first.words)
    click.echo(first.reason)


def _at_a_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()


def _chosen(name: str) -> str:
    """The answer to one question, asked on standard error."""
    question, choices = QUESTIONS[name]
    click.echo(question, err=True)
    _show(choices)
    answer: str = click.prompt(
        "", type=click.Choice(list(choices)), show_choices=False, err=True, prompt_suffix="> "
    )
    return answer


def _show(choices: Mapping[str, str]) -> None:
    width = max(map(len, choices))
    for word, meaning in choices.items():
        click.echo(f"  {word:<{width}}  {meaning}", err=True)


def _written(missing: list[str]) -> str:
    """The options as they are written."""
    values = {name: "|".join(choices) for name, (_, choices) in QUESTIONS.items()}
    return " ".join(f"--{name} {values.get(name, 'NUMBER')}" for name in missing)

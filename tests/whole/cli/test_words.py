"""What a person sees has no private word: explanations, help, documents.

`docs/glossary.md` has the words that are used instead, each in one sense.
"""

import re
from collections.abc import Callable, Iterator

import click
import pytest

import bounds
from forgetproof.cli import group, run
from forgetproof.commands._explanation_text import full_text
from tools.house import METAPHORS
from verify.explanation import explanation, way
from verify.stored import stored

ORDINARY = frozenset(["coin", "coins", "exhibit", "observe", "observed", "oracle", "oracles"])
"""Metaphors of names that are words of the field, or everyone's, where they stand in a sentence."""
SENSES = (
    # A bound is so many times the best one; an experiment came to so many per cent of it.
    r"loose \d",
    r"reach \d*\.\d",
    # A check would notice a bound that is so many times as large.
    r"red (below|above)\b",
    # Interpretations are told by their words; their short names are for ids.
    r"(literal|amended|out_of_context|component) (reading|interpretation)\b",
    r"readings\b",
    # Of how an interpretation stands to its statement, and of kinds of comparisons.
    r"stances?\b",
    r"(gap|repair|part) reading\b",
    r"(?:negative control|class comparison)s?\b",
    # Forms, as a sentence has them.
    r"the (printed|tight) form is\b",
)
WORDS = [rf"{word}\b" for word in sorted(METAPHORS - ORDINARY)]
PRIVATE = re.compile(rf"\b(?:{'|'.join([*WORDS, *SENSES])})", re.IGNORECASE)
OF_CODE = ("architecture.md", "add-a-claim.md", "your-paper.md", "verdicts.md", "glossary.md")
"""Documents that explain the nouns of the code, which have names of their own."""


def explanations(_root) -> Iterator[tuple[str, str]]:
    """Every claim, with every way to read it."""
    for claim in bounds.statements():
        yield claim.id, full_text(explanation(claim), map(way, stored(claim).interpretations))


def helps(_root) -> Iterator[tuple[str, str]]:
    """The help of every command, at any depth."""
    yield from _helps(group, click.Context(group, info_name="forgetproof"))


def _helps(command, context) -> Iterator[tuple[str, str]]:
    yield context.command_path, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            yield from _helps(inner, click.Context(inner, parent=context, info_name=name))


def documents(root) -> Iterator[tuple[str, str]]:
    """The pages for whoever uses the project."""
    for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
        if path.name not in OF_CODE:
            # Code has names, which are held to other words (`python -m tools.house`).
            text = re.sub(r"```.*?```|`[^`]*`", "", path.read_text("utf-8"), flags=re.DOTALL)
            yield path.name, text


SEEN: dict[str, Callable[..., Iterator[tuple[str, str]]]] = {
    "explanations": explanations,
    "help": helps,
    "documents": documents,
}
"""What a person sees -> its texts by name, of the root of the project."""


@pytest.mark.parametrize("kind", SEEN)
def test_a_person_sees_no_private_word(kind, pytestconfig):
    texts = list(SEEN[kind](pytestconfig.rootpath))
    assert texts
    words = [f"{name}: {match[0]}" for name, text in texts for match in PRIVATE.finditer(text)]
    assert not words


def test_a_small_report_has_no_private_word(tmp_path, capsys, full):
    """Its pages, errata and tables, as a reader has them: without markup."""
    if not full:
        pytest.skip("some seconds: two checks and what they rest on")
    words = ["verify", "sglu.alg5", "olu.eq17", "--out", str(tmp_path), "--plots", "none"]
    assert run(words) == 0
    capsys.readouterr()
    files = [file for file in tmp_path.rglob("*") if file.suffix in (".html", ".md", ".tex")]
    assert len(files) > 5
    for file in files:
        code = r"<(script|style|code|pre)\b.*?</\1>"
        text = re.sub(code, "", file.read_text("utf-8"), flags=re.DOTALL)
        text = re.sub(r"<[^>]+>", " ", text)
        assert not [match[0] for match in PRIVATE.finditer(text)], file.name


@pytest.mark.parametrize(
    "sentence",
    [
        "It is loose 2.24 to 47.8.",
        "reach 0.867",
        "red below 0.39",
        "the literal reading",
        "both readings fail",
        "a stranger's paper",
        "its stance is plain",
    ],
)
def test_a_private_word_is_noticed(sentence):
    assert PRIVATE.search(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "as can be observed in Figure 5",
        "fair coins force regret",
        "steps that reach a target",
        "2.2 to 48 times the best bound",
    ],
)
def test_a_word_of_the_field_is_not(sentence):
    assert not PRIVATE.search(sentence)


def test_the_words_that_are_shown_stand_in_the_glossary(pytestconfig):
    glossary = (pytestconfig.rootpath / "docs" / "glossary.md").read_text("utf-8")
    for words in (
        "as printed",
        "best possible",
        "Read as",
        "times the best bound",
        "% of the bound",
    ):
        assert words in " ".join(glossary.split()), words

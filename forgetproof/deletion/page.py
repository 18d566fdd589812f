"""One page about a deletion, to hand over: nothing on it tells of a row but what was released."""

from __future__ import annotations

import math

from accounting.numerics.validation import shortest
from accounting.problems.answer import shown
from accounting.problems.attacks import attack_advantage
from forgetproof.certificates.sheet import (
    CopiedText,
    Items,
    Part,
    Section,
    SheetTable,
    html_text,
    markdown_text,
)
from forgetproof.deletion.estimators import trained_step
from forgetproof.deletion.facts import DeletionFacts

_UNSAID = (
    "Whoever kept or saw the model of before learns of these rows by comparing the two.",
    "Backups, logs, and other copies of the rows, or models made from them, are not touched.",
    "What other rows tell of these, as of one household, stays: each row counts by itself.",
    "Settings that were chosen by looking at the rows still show the choice.",
    "The numbers are about one released model; those of several add up.",
    "Noise of floating point has gaps far below sigma, which are not counted.",
)
_MEASURED = {
    "column_range": "Column ranges were taken from the file",
    "column_words": "The words of columns, and which columns have empty cells, are from the file",
}
_DONE = (
    "Newton's steps on the rows that stay, from the trained model or from nothing, until the "
    "gradient, in ball arithmetic, proves the model to be so near to exact retraining that the "
    "noise hides the difference; then the noise, from the entropy of the system. How many steps "
    "and how near depends on the rows, and is not told."
)
_THEOREM = (
    "A model whose objective has curvature m is at most |gradient|/m from the minimiser, and two "
    "Gaussian laws whose means are at most D apart are (D/sigma)-Gaussian-DP apart in both "
    "directions (Dong, Roth, Su, arXiv:1905.02383)."
)


def deletion_sections(result: DeletionFacts) -> list[Section]:
    """The page: titles, and what stands under each."""
    return [
        ("What is guaranteed", _guarantee(result)),
        ("What was done", [_DONE, _THEOREM]),
        ("What this does not say", [Items([*_from_the_file(result), *_UNSAID])]),
        ("Under which conditions", [Items(result.conditions)]),
        ("How to check it", _check()),
    ]


def _guarantee(result: DeletionFacts) -> list[Part]:
    epsilon, delta = result.target.epsilon, result.target.delta
    assert delta is not None
    sentence = result.guarantee[0].upper() + result.guarantee[1:]
    advantage = math.ceil(float(attack_advantage(epsilon, delta)) * 1e4) / 100
    rows = [
        ["what", "number"],
        ["epsilon, delta", f"{shortest(epsilon)}, {shortest(delta)}"],
        ["rows that left", f"{result.removed} of {result.rows}"],
        [
            "noise",
            f"N(0, s^2), s = {shortest(result.sigma)}, in each of {result.dimension} parameters",
        ],
        ["model", type(trained_step(result.model)).__name__],
        *_accuracy(result),
    ]
    return [
        f"{sentence}.",
        "To whoever sees the released model and knows all other rows, nothing about it is more "
        f"than {shown(math.exp(epsilon))} times as likely, nor as unlikely, as it would be had "
        f"these rows never been there, but for a chance of {shortest(delta)}: a guess whether they "
        f"were is right more often than wrong by at most {advantage:g} %.",
        SheetTable(rows),
    ]


def _accuracy(result: DeletionFacts) -> list[list[str]]:
    accuracy = result.accuracy
    if accuracy is None:
        return []
    return [
        [f"accuracy on {accuracy.rows} rows held out", f"{accuracy.released:.3f}"],
        [f"by always saying {accuracy.always}", f"{accuracy.larger_class:.3f}"],
    ]


def _from_the_file(result: DeletionFacts) -> list[str]:
    return [
        f"{_MEASURED[each]} ({each}): what they tell of its rows, these among them, is not counted."
        for each in result.measured
    ]


def _check() -> list[Part]:
    return [
        "With unlearning.json and model.json in one folder, without the rows:",
        CopiedText("forgetproof check unlearning.json"),
        "It computes epsilon anew from sigma and the largest distance that was let pass, compares "
        "the digest of the model, and says what is on trust: that the model was so near, which "
        "only whoever has the rows can compute again.",
    ]


def markdown_page(result: DeletionFacts) -> str:
    """`deletion.md`."""
    return markdown_text(_title(result), deletion_sections(result))


def html_page(result: DeletionFacts) -> str:
    """`deletion.html`, complete in one file."""
    return html_text(_title(result), deletion_sections(result))


def _title(result: DeletionFacts) -> str:
    return f"Deletion of {result.removed} of {result.rows} rows"

"""What the drawn points show, in the words of a title, and the picture that says it."""

from __future__ import annotations

from dataclasses import replace

from bounds import Statement
from verify.interpretations import is_green
from verify.plots.labels import plain
from verify.plots.picture import Picture
from verify.plots.verdict import Told
from verify.words import number, pair, typeset

CLAIMED = {"<=": "at most", ">=": "at least", "==": "exactly"}
ATTAINED = 0.9995
"""Share of a bound that prints as 100 %."""


def finished(picture: Picture, claim: Statement, told: Told) -> Picture:
    """The picture with its verdict and the fact that its points show.

    Raises ValueError where a cross lies off the side that breaks the claim, or a point on it is no
    cross.
    """
    picture.insist_on_sides()
    return replace(
        picture,
        verdict=told.said,
        fact=_fact(picture, told),
        reading=claim.interpretation(told.interpretation).text,
        origin="a run of this code" if told.run else told.recorded_run,
        seed=told.seed,
    )


def title(picture: Picture) -> str:
    """Label, paper, verdict and fact in one line; formulas as plain text."""
    verdict = picture.verdict.upper()
    # What is only expected keeps its small letters around the word.
    if picture.verdict.startswith("expected: "):
        word = picture.verdict.removeprefix("expected: ").removesuffix(", not run")
        verdict = f"expected {word.upper()}, not run"
    paper = picture.id.partition(".")[0]
    words = ", ".join(filter(None, (verdict, picture.fact)))
    return plain(f"{picture.title} ({paper}): {words}") if words else plain(picture.title)


def crossed(picture: Picture) -> tuple[float, float, float] | None:
    """Point, measured and claimed at the worst cross."""
    if picture.bound is None or not picture.marks:
        return None
    bound_values = dict(zip(picture.bound.x, picture.bound.y, strict=True))

    def excess(mark: tuple[float, float]) -> float:
        value = bound_values[mark[0]]
        return abs(mark[1] - value) / (abs(value) or 1.0)

    x, y = max(picture.marks, key=excess)
    return x, y, bound_values[x]


def compared(picture: Picture, left: float, right: float) -> str:
    """Both sides of a comparison: "at most 14 claimed, 15 measured"."""
    left_text, right_text = map(typeset, pair(left, right))
    return f"{CLAIMED[picture.relation]} {right_text} claimed, {left_text} measured"


def _fact(picture: Picture, told: Told) -> str:
    cross = crossed(picture)
    if cross is not None:
        x, left, right = cross
        variable = plain(picture.variable)
        place = f" at {variable} = {typeset(number(x, 4))}" if variable else ""
        sentence = f"{compared(picture, left, right)}{place}"
        if not is_green(told.headline):
            return sentence
        return (
            f"but not as read here: {sentence}"
            if told.refutes
            else f"contradicted here: {sentence}"
        )
    if told.refutes and is_green(told.headline):
        return f"but not as read here: see {picture.id}"
    if told.refutes:
        return f"fails elsewhere: see {picture.id}"
    if not picture.judged:
        return "lines compared, none judged"
    if picture.experiment is None:
        return "nothing measured here"
    if picture.judged in picture.elsewhere:
        return "the points measure another quantity"
    if picture.side is None:
        return "drawn outside its hypotheses"
    return _agreement(picture)


def _agreement(picture: Picture) -> str:
    """How near the points come to the line, none of them on the other side of it."""
    pairs = picture.pairs()
    if not pairs:
        return "no point on its line"
    if picture.relation == "==":
        return "the point lies on the line" if len(pairs) == 1 else "all points lie on the line"
    ratios = [y / value for _, y, value in pairs if value > 0 and y >= 0]
    if len(ratios) < len(pairs):
        return "no point breaks it"
    if picture.relation == ">=":
        least = min(ratios)
        if least <= 1 / ATTAINED:
            return "a point attains it"
        return f"points stay above {typeset(number(least, 3))} times the bound"
    most = max(ratios)
    if most >= ATTAINED:
        return "a point attains it"
    return f"points come to {typeset(number(100 * most, 3))} % of the bound"

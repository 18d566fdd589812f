"""Numbers and comparisons as a reader meets them: in the terminal, in the report, in a replay."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from verify.evidence import Comparison
from verify.interpretations import is_green

# Headlines by how much they ask of a reader, problems first.
ORDER = (
    "error",
    "false",
    "vacuous",
    "typo",
    "mixed",
    "not run",
    "unspecified",
    "not checkable",
    "not refuted",
    "reproduced in part",
    "reproduced",
    "consistent",
    "holds",
)
WRONG = ("false", "vacuous", "typo", "mixed", "unspecified", "reproduced in part")
"""Kinds of verdicts that speak against what is printed."""
_TONES = {
    "error": "bad",
    "false": "bad",
    "vacuous": "bad",
    "typo": "warn",
    "mixed": "warn",
    "reproduced in part": "warn",
    "reproduced": "good",
    "consistent": "good",
    "holds": "good",
}
# What the stance of an interpretation means beside its name; nothing for one that the reader could
# mean.
STANCES = {
    "plain": "",
    "component": "a component of the statement",
    "out_of_context": "words out of context, not counted",
    "amended": "amended by us, not counted",
}
# Below this attainment a green verdict says little; it is shown beside the word.
WEAK = 0.5
_POWER = re.compile(r"(?<=\d)e([+-]\d+)\b")
_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def kind_of(word: str) -> str:
    """The entry of `ORDER` that a verdict belongs to: "reproduced 3/4" is one in part."""
    if word in ORDER or not word.startswith("reproduced"):
        return word
    matches, _, total = word.removeprefix("reproduced ").partition("/")
    return "reproduced" if matches == total else "reproduced in part"


def tone_of(word: str) -> str:
    """ "bad", "warn", "good" or "open": the colour of a verdict."""
    return _TONES.get(kind_of(word), "open")


def weakness(word: str, attainment: float | None) -> str:
    """How far a green verdict was tried, where that is little: "closest case at 0.69 %".

    attainment: the largest measured value over the best bound. Nothing where it is WEAK or more.
    """
    if (
        attainment is None
        or not is_green(word)
        or word.startswith("reproduced")
        or attainment >= WEAK
    ):
        return ""
    return f"closest case at {number(100 * attainment, 2)} %"


def number(value: Any, digits: int = 6) -> str:
    """A number with at most `digits` significant digits; other values as they are."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return str(value)
    if abs(value) < 1e6 and value == int(value):
        return str(int(value))
    return f"{value:.{digits}g}"


def pair(first: float, second: float, least: int = 6) -> tuple[str, str]:
    """Both numbers with as many digits as it takes to tell them apart, `least` at least."""
    # More digits until the texts differ: a violation must not print as equality.
    for digits in range(least, 18):
        texts = number(first, digits), number(second, digits)
        if first == second or texts[0] != texts[1]:
            break
    return texts


def span(values: tuple[float, float] | None) -> str:
    """A range of ratios: one number where its ends print alike, nothing where there is none."""
    if values is None:
        return ""
    low, high = (number(v, 4) for v in values)
    return low if low == high else f"{low} to {high}"


def optional(value: float | None) -> str:
    """A ratio, or nothing where there is none."""
    return "" if value is None else number(value, 4)


def limit(factor: float | None) -> str:
    """A factor beyond which a green verdict turns red: "never" for 0 and for infinity."""
    if factor is None:
        return ""
    return "never" if factor == 0 or factor == float("inf") else number(factor, 6)


def typeset(text: str) -> str:
    """The text with 1e-05 and its like as 1 × 10⁻⁵, which also keeps them on one line."""
    return _POWER.sub(lambda m: f"\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10{_raised(m[1])}", text)


def _raised(exponent: str) -> str:
    return str(int(exponent)).translate(_SUPERSCRIPTS)


def given(inputs: Mapping[str, Any]) -> str:
    """Inputs as NAME=VALUE pairs, as `forgetproof bound` takes them."""
    return " ".join(f"{name}={_value(value)}" for name, value in inputs.items())


def judged(c: Comparison) -> str:
    """What was measured, against which bound, in one phrase."""
    show = pair if c.violated else lambda *both: tuple(map(number, both))
    measurement, bound = show(c.measured, c.bound)
    if c.role == "control":
        return f"control: measured {measurement}, bound {bound}"
    claimed = {"<=": "at most", ">=": "at least", "==": "exactly"}[c.relation]
    return f"measured {measurement}, claimed {claimed} {bound}"


def replay_command(id: str, folder: str | None = None) -> str:
    """The command that shows a claim's counterexample again (of the run kept in `folder`)."""
    return f"forgetproof replay {id}" + (f" --out {shlex.quote(folder)}" if folder else "")


def _value(value: Any) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    return repr(value) if isinstance(value, float) else str(value)

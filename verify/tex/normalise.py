"""One plain spelling of TeX: no sizes, thin spaces, fonts or words; every index as a subscript."""

import re
from functools import cache

TOKEN = re.compile(r"\\(?:begin|end)\{[a-z]+\}|\\(?:[A-Za-z]+|.)|\d+(?:\.\d+)?|\.\d+|\S")
SIZES = (
    r"\\(?:left\.|right\.|left|right|[Bb]igg?[lrm]?"
    r"|displaystyle|textstyle|allowbreak|nolimits|limits)"
)
FONTS = r"\\(?:mathcal|mathbf|mathrm|mathsf|mathbb|mathit|boldsymbol|text)"
TWICE = {
    r"\tfrac": r"\frac",
    r"\dfrac": r"\frac",
    r"\nicefrac": r"\frac",
    r"\lVert": r"\|",
    r"\rVert": r"\|",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\leq": r"\le",
    r"\geq": r"\ge",
    r"\times": r"\cdot",
    r"\gets": r"\leftarrow",
    r"\varepsilon": r"\epsilon",
    r"\widetilde": r"\tilde",
    r"\star": "*",
    r"\qquad": r"\quad",
    r"\ln": r"\log",
    r"\erf": r"\operatorname{erf}",
    r"\erfc": r"\operatorname{erfc}",
}
"""Spellings of the same."""

EXPECTATION = r"\\mathbb\s*\{?E\}?(?:_\{(?:[^{}]|\{[^{}]*\})*\}|_\\[a-z]+)?"


@cache
def normalise(tex: str) -> str:
    """The TeX in the plain spelling; equal formulas in different dress become equal texts.

    Fonts are dropped, so letters that differ by their font alone become one. An expectation sign
    becomes `\\mean`: the arguments of forms are expectations already.
    """
    text = re.sub(SIZES + r"(?![A-Za-z])", "", tex)
    text = re.sub(r"\\[,;!:>]|~", " ", text)
    for alias, plain in TWICE.items():
        # `\le` must not eat the beginning of `\left`; signs such as `*` have no letter to end at.
        end = r"(?![A-Za-z])" if alias[-1].isalpha() else ""
        text = re.sub(re.escape(alias) + end, plain.replace("\\", r"\\") + " ", text)
    # Before fonts are dropped: E alone could be any letter.
    text = re.sub(EXPECTATION, r"\\mean ", text)
    text = re.sub(r"\\(?:mathrm|operatorname)\s*\{(erfc?|vol|diam)\}", r"\\\1 ", text)
    text = re.sub(r"\\text\s*\{\s*(?:if|otherwise|for)\s*\}", " ", text)
    # Words in a script are part of a name (x_\text{max}) and stay.
    text = re.sub(r"(?<![_^])(?<![_^]\{)\\text\s*\{[^{}]*\}", r" \\words ", text)
    text = re.sub(FONTS + r"\s*\{\s*(\\?[A-Za-z0-9]+)\s*\}", r" \1 ", text)
    text = re.sub(FONTS + r"(?![A-Za-z])", " ", text)
    text = re.sub(r"\{\}\s*_1\s*F_1", r"\\hyper ", text)
    text = re.sub(r"(?<!\\)\\ ", " ", text)
    # x[t], as programs write it, is x_t.
    text = re.sub(r"(\\?[A-Za-z]+)\s*\[([a-z](?:[+-]\d)?)\]", r"\1_{\2}", text)
    text = re.sub(r"\{\s*([A-Za-z])\s*\}", r" \1 ", text)
    # Scripts in one order: the mark * after the index.
    return re.sub(r"\^\*_(\{[^{}]*\}|.)", r"_\1^*", plain_groups(compact(text)))


def compact(text: str) -> str:
    """No spaces but those that end a command's name before a letter."""
    return spelled(TOKEN.findall(text))


def spelled(tokens: list[str]) -> str:
    """The tokens as one text."""
    text = ""
    for token in tokens:
        glued = re.search(r"\\[A-Za-z]+$", text) and token[0].isalpha()
        text += (" " if glued else "") + token
    return text


def plain_groups(text: str) -> str:
    """Braces around a single figure or star of a script are dropped, and `{{x}}` is `{x}`."""
    text = re.sub(r"([_^])\{([0-9*])\}", r"\1\2", text)
    return re.sub(r"\{(\{[^{}]*\})\}", r"\1", text)


def tokens(text: str) -> list[str]:
    """The tokens of normalised TeX."""
    return TOKEN.findall(text)

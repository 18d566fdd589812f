"""TeX of formulas as matplotlib's mathtext reads it, and the places where a line of it may end."""

from __future__ import annotations

import re
from collections.abc import Iterator

TOKEN = re.compile(r"\\(?:left|right)\s*(?:\\[a-zA-Z]+|\\.|.)|\\[a-zA-Z]+|\\.|.", re.DOTALL)
# Commands that mathtext lacks -> ones with the same meaning.
_REPAIRS = (
    (r"\\[td]frac(?![a-zA-Z])", r"\\frac"),
    (r"\\nicefrac(?![a-zA-Z])", r"\\frac"),
    (r"\\(boldsymbol|bm)(?![a-zA-Z])", r"\\mathbf"),
    (r"\\mathsf(?![a-zA-Z])", r"\\mathrm"),
    (r"\\(nonumber|notag|displaystyle|textstyle|allowbreak|limits|nolimits)(?![a-zA-Z])", ""),
    (r"\\(left|right|middle)\s*\\[lr]?Vert(?![a-zA-Z])", r"\\|"),
    (r"\\[lr]?Vert(?![a-zA-Z])", r"\\|"),
    (r"\\[lr]?vert(?![a-zA-Z])", "|"),
    (r"\\(le|ge|ne)q?(?![a-zA-Z])", r"\\\1q"),
    (r"\\text(bf|it|rm|tt)?\s*\{", r"\\mathrm{"),
    (r"\\ ", r"\\;"),
    (r"\\!", ""),
    (r"\\[bB]igg?[lrm]?\s*(?=[(\[]|\\\{|\\l(ceil|floor)\b)", r"\\left"),
    (r"\\[bB]igg?[lrm]?\s*(?=[)\]]|\\\}|\\r(ceil|floor)\b)", r"\\right"),
    (r"\\[bB]igg?[lrm]?\s*(?=[|/]|\\\|)", ""),
)
_ARGUMENTS = {"\\frac": 2, "\\binom": 2, "\\sqrt": 1} | dict.fromkeys(
    ("\\hat", "\\bar", "\\tilde", "\\widetilde", "\\mathbf", "\\mathcal", "\\mathbb", "\\mathrm"), 1
)
"""How many arguments a command takes; mathtext wants each in braces."""
_BEFORE = frozenset(("=", "<", ">", r"\leq", r"\geq", r"\approx", r"\to", "+", "-"))
_OPENING, _CLOSING = frozenset(("{", "(", "[", r"\{")), frozenset(("}", ")", "]", r"\}"))


def readable(tex: str) -> str:
    """The formula in the commands of mathtext. Raises ValueError for one with an environment."""
    if "\\begin" in tex:
        raise ValueError("tex must have no environment")
    for pattern, replacement in _REPAIRS:
        tex = re.sub(pattern, replacement, tex)
    # A space after \mathrm is lost: words of a text are joined by spaces of their own.
    tex = re.sub(r"(?<=\\mathrm\{)[^{}]*", lambda match: match[0].replace(" ", r"\ "), tex)
    return _Braces(TOKEN.findall(" ".join(tex.split()))).row()


class _Braces:
    """Writes tokens again, every argument in braces."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens, self.at, self.depth = tokens, 0, 0

    def row(self, end: str = "") -> str:
        """What stands before the token `end`, which is taken too."""
        text = ""
        while self.at < len(self.tokens):
            token = self._take()
            if token == end:
                return text
            text += self._written(token)
        if end:
            raise ValueError(f"tex must close its braces, got no {end}")
        return text

    def _written(self, token: str) -> str:
        if token == "{":
            return f"{{{self._inner()}}}"
        if token in ("^", "_"):
            return f"{token}{{{self._argument()}}}"
        # Fractions that stand in no other are as large as in a display.
        text = "\\dfrac" if token == "\\frac" and not self.depth else token
        if token == "\\sqrt" and self.tokens[self.at : self.at + 1] == ["["]:
            self.at += 1
            text += f"[{self.row(']')}]"
        for _ in range(_ARGUMENTS.get(token, 0)):
            text += f"{{{self._argument()}}}"
        return text

    def _argument(self) -> str:
        token = self._take()
        while token.isspace():
            token = self._take()
        if token == "{":
            return self._inner()
        self.depth += 1
        text = self._written(token)
        self.depth -= 1
        return text

    def _inner(self) -> str:
        """What stands up to the brace that closes here."""
        self.depth += 1
        text = self.row("}")
        self.depth -= 1
        return text

    def _take(self) -> str:
        if self.at == len(self.tokens):
            raise ValueError("tex must be whole, got an argument that is missing")
        self.at += 1
        return self.tokens[self.at - 1]


def parts(tex: str) -> Iterator[str]:
    """The formula cut before its relations and signs, and after its commas, outside brackets."""
    part, depth = "", 0
    for token in TOKEN.findall(tex):
        if token in _OPENING or token.startswith(r"\left"):
            depth += 1
        elif token in _CLOSING or token.startswith(r"\right"):
            depth -= 1
        if depth == 0 and token in _BEFORE and part.strip():
            yield part.strip()
            part = ""
        part += token
        if depth == 0 and token == ",":
            yield part.strip()
            part = ""
    if part.strip():
        yield part.strip()

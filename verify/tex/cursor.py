"""A place in the tokens of TeX, groups in braces, and the tokens that end or begin nothing."""

import re

from verify.tex.tree import Unread

Tokens = list[str]
ACCENTS = {r"\bar", r"\hat", r"\tilde"}
CLOSE = {"(": ")", "[": "]", "{": "}", r"\{": r"\}", r"\lceil": r"\rceil", r"\lfloor": r"\rfloor"}
STOP = {
    *CLOSE.values(),
    "+",
    "-",
    ",",
    ";",
    ":",
    "&",
    r"\\",
    "=",
    "<",
    ">",
    r"\le",
    r"\ge",
    r"\to",
    r"\approx",
    r"\mid",
    r"\quad",
    r"\neq",
    r"\in",
}
BARS = {"|", r"\|"}
NO_NAMES = {
    r"\nabla",
    r"\words",
    r"\underbrace",
    r"\arg",
    r"\cdots",
    r"\dots",
    r"\ldots",
    r"\partial",
    r"\leftarrow",
    r"\setminus",
    r"\bigcup",
    r"\operatorname",
    r"\textbf",
    r"\top",
    r"\propto",
    r"\sim",
    r"\ll",
    r"\vol",
    r"\diam",
}
LABEL = re.compile(r"\*|\\prime|-[Uu]|\(\\?[A-Za-z](\+1)?\)")
"""Superscripts that belong to a name."""


class Cursor:
    """The tokens, and how far they are read."""

    def __init__(self, tokens: Tokens) -> None:
        self.tokens = list(tokens)
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, *expected: str) -> str:
        token = self.peek()
        if not token or (expected and token not in expected):
            alternatives = " or ".join(expected) or "more"
            raise Unread(f"{alternatives} is missing before {token or 'the end'}")
        self.at += 1
        return token

    def first_figure(self) -> None:
        """`\\frac12` and `x^23` take one figure: a number ahead is taken apart."""
        token = self.peek()
        if token[:1].isdigit() and len(token) > 1:
            self.tokens[self.at : self.at + 1] = list(token)

    def raw(self) -> Tokens:
        """The tokens of a group, or one token."""
        if self.peek() != "{":
            self.first_figure()
            token = self.take()
            return [token, *self.raw()] if token in ACCENTS else [token]
        depth, group_tokens = 0, []
        while True:
            token = self.take()
            depth += (token == "{") - (token == "}")
            group_tokens.append(token)
            if depth == 0:
                return group_tokens[1:-1]

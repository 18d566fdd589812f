"""Printed TeX read into a tree: a recursive descent over tokens, with the habits of mathematics.

`2k^2` is 2(k^2), `ab/cd` is ab/(cd), `\\log x/y` is (log x)/y; a sum reaches to the next sign, a
product over an index to the last factor that speaks of it.
"""

import re

from verify.tex.cursor import ACCENTS, BARS, CLOSE, LABEL, NO_NAMES, STOP, Cursor, Tokens
from verify.tex.normalise import spelled
from verify.tex.tree import Tree, Unread, key, names

FUNCTIONS = {"log", "exp", "erf", "erfc", "arctan", "tanh", "sinh", "cosh"}
ALWAYS = {"O", "o", r"\Phi", r"\Phi'", r"\psi", r"\zeta", r"\Gamma"}
"""Names that before a bracket are functions, not factors."""


class Reader(Cursor):
    """Reads one expression; `functions` are the names that take arguments in brackets."""

    def __init__(self, tokens: Tokens, functions: frozenset[str] = frozenset()) -> None:
        super().__init__(tokens)
        self.functions = functions | ALWAYS
        self.bars: list[str] = []
        self.integrals = 0

    def whole(self) -> Tree:
        """The tree of all tokens. Raises Unread where they are no expression."""
        tree = self.sum()
        if self.at < len(self.tokens):
            raise Unread(f"{spelled(self.tokens[self.at :])[:40]} is left over")
        return tree

    def inner(self, tokens: Tokens) -> Tree:
        return Reader(tokens, self.functions).whole()

    def sum(self) -> Tree:
        parts: list[Tree] = []
        sign = self.take() if self.peek() in ("+", "-") else "+"
        while True:
            term = self.term()
            parts.append(("neg", term) if sign == "-" else term)
            if self.peek() not in ("+", "-"):
                return parts[0] if len(parts) == 1 else ("add", *parts)
            sign = self.take()

    def term(self) -> Tree:
        tree = self.product()
        while self.peek() in ("/", r"\cdot", "*"):
            sign = self.take()
            tree = ("div" if sign == "/" else "mul", tree, self.product())
        return tree

    def product(self) -> Tree:
        tree = self.factor()
        while not self.ends():
            tree = ("mul", tree, self.factor())
        return tree

    def ends(self) -> bool:
        token = self.peek()
        if not token or token in STOP or token in ("/", r"\cdot", "*") or token[:5] == r"\end{":
            return True
        if token == "d" and self.integrals and re.fullmatch(r"\\?[A-Za-z]+", self.peek(1)):
            return self.peek(2) not in ("_", "^")
        return bool(self.bars) and token == self.bars[-1]

    def factor(self) -> Tree:
        base = self.primary()
        while self.peek() in ("^", "!", "_"):
            token = self.take()
            if token == "!":
                base = ("call", "factorial", (base,))
                continue
            start = self.at
            mark = spelled(self.raw())
            if mark == "+":
                base = ("plus", base)
            elif token == "_":
                if base[0] != "abs" or mark not in ("2", r"\infty"):
                    raise Unread(f"an expression has the index {mark}")
            elif mark == r"\top":  # of numbers, or of columns, whose product is meant
                continue
            elif mark == r"\prime" or LABEL.fullmatch(mark):
                raise Unread(f"an expression has the mark {mark}")
            else:
                self.at = start
                base = ("pow", base, self.group())
        return base

    def group(self) -> Tree:
        """An exponent, or what a fraction takes."""
        if self.peek() == "{":
            self.take()
            tree = self.sum()
            self.take("}")
            return tree
        self.first_figure()
        if self.peek() in ("+", "-"):
            raise Unread(f"{self.peek()} is no exponent")
        return self.primary()

    def primary(self) -> Tree:
        token = self.peek()
        if not token:
            raise Unread("an expression is missing")
        if token[0].isdigit() or (token[0] == "." and len(token) > 1):
            return ("num", self.take())
        if token in BARS:
            return self.absolute()
        if token in (r"\lceil", r"\lfloor"):
            return ("call", token[2:], self.arguments())
        if token in CLOSE:
            items = self.arguments()
            return items[0] if len(items) == 1 else ("tuple", *items)
        reading = getattr(self, f"read_{token[1:]}", None) if token[0] == "\\" else None
        if reading is not None:
            self.take()
            return reading()  # type: ignore[no-any-return]
        if token[1:] in FUNCTIONS:
            return self.function(self.take()[1:])
        if token in (r"\sum", r"\prod"):
            return self.big(self.take()[1:])
        if token in (r"\min", r"\max", r"\inf", r"\sup"):
            return self.extreme("min" if self.take() in (r"\min", r"\inf") else "max")
        if token == r"\begin{cases}":
            return self.cases()
        if token.isalpha() or re.fullmatch(r"\\[A-Za-z]+", token):
            return self.name()
        raise Unread(f"{token} begins no expression")

    def absolute(self) -> Tree:
        bar = self.take()
        self.bars.append(bar)
        tree = self.sum()
        self.bars.pop()
        self.take(bar)
        return ("abs", tree)

    def arguments(self) -> tuple[Tree, ...]:
        """Expressions between brackets, parted by commas or semicolons."""
        close = CLOSE[self.take()]
        bars, self.bars = self.bars, []
        arguments = [self.sum()]
        while self.peek() in (",", ";", r"\mid"):
            self.take()
            arguments.append(self.sum())
        self.take(close)
        self.bars = bars
        return tuple(arguments)

    def read_frac(self) -> Tree:
        return ("div", self.group(), self.group())

    def read_binom(self) -> Tree:
        return ("call", "binomial", (self.group(), self.group()))

    def read_sqrt(self) -> Tree:
        if self.peek() == "[":
            (degree,) = self.arguments()
            return ("pow", self.group(), ("div", ("num", "1"), degree))
        return ("call", "sqrt", (self.group(),))

    def read_mean(self) -> Tree:
        return self.factor()

    def read_hyper(self) -> Tree:
        return ("call", "hyper", self.arguments())

    def read_infty(self) -> Tree:
        return ("num", "inf")

    def read_argument(self) -> Tree:
        """`\\argument{name}_i`: an argument of the form, put there in place of its TeX."""
        name = "".join(self.raw())
        if self.peek() != "_":
            return ("argument", name, None)
        self.take()
        return ("argument", name, self.inner(self.raw()))

    def read_total(self) -> Tree:
        return ("total", "".join(self.raw()))

    def read_size(self) -> Tree:
        return ("size", "".join(self.raw()))

    def read_form(self) -> Tree:
        return ("form", *"".join(self.raw()).split("/"))

    def read_int(self) -> Tree:
        self.take("_")
        low = self.group()
        self.take("^")
        high = self.group()
        self.integrals += 1
        body = ("num", "1") if self.peek() == "d" else self.sum()
        self.integrals -= 1
        self.take("d")
        return ("int", self.take(), low, high, body)

    def function(self, name: str) -> Tree:
        scripts: dict[str, Tree] = {}
        while self.peek() in ("^", "_"):
            script = self.take()
            scripts[script] = self.group()
        body = self.arguments()[0] if self.peek() in CLOSE else self.factor()
        tree: Tree = ("call", name, (body,))
        if "_" in scripts:
            tree = ("div", tree, ("call", "log", (scripts["_"],)))
        return ("pow", tree, scripts["^"]) if "^" in scripts else tree

    def big(self, kind: str) -> Tree:
        low: Tokens = []
        high = None
        while self.peek() in ("_", "^"):
            if self.take() == "_":
                low = self.raw()
            else:
                high = self.inner(self.raw())
        if kind == "sum":
            return ("big", kind, tuple(low), high, self.term())
        body = self.factor()
        while not self.ends():
            after = self.factor()
            if not set(names(after)) & set(low):
                return ("mul", ("big", kind, tuple(low), high, body), after)
            body = ("mul", body, after)
        return ("big", kind, tuple(low), high, body)

    def extreme(self, kind: str) -> Tree:
        if self.peek() == "_":
            self.take()
            return ("over", kind, tuple(self.raw()), self.term())
        if self.peek() == r"\{":
            start = self.at
            try:
                return (kind, *self.arguments())
            except Unread:
                self.at = start
                return self.least(kind)
        if self.peek() not in ("(", "["):
            raise Unread("an extreme of one thing")
        return (kind, *self.arguments())

    def least(self, kind: str) -> Tree:
        """`\\min\\{K\\ge1: left\\le right\\}`: the least whole number from 1 for which it holds."""
        self.take(r"\{")
        variable = self.take()
        self.take(r"\ge")
        start = self.sum()
        self.take(":")
        lhs = self.sum()
        self.take(r"\le")
        rhs = self.sum()
        self.take(r"\}")
        if kind != "min":
            raise Unread("the greatest of unbounded many")
        return ("least", variable, start, lhs, rhs)

    def cases(self) -> Tree:
        self.take()
        rows = []
        while True:
            value, condition = self.sum(), []
            if self.peek() == "&":
                self.take()
                while self.peek() not in (r"\\", r"\end{cases}", ""):
                    condition.append(self.take())
            rows.append((value, tuple(condition)))
            if self.take(r"\\", r"\end{cases}") == r"\end{cases}":
                return ("cases", tuple(rows))

    def name(self) -> Tree:
        token = self.take()
        if token in NO_NAMES or token in STOP:
            raise Unread(f"{token} is no arithmetic")
        if token in ACCENTS:
            token = f"{token} {spelled(self.raw())}"
        below = above = ""
        while self.peek() in ("_", "^", "'"):
            if self.peek() == "'":
                token += self.take()
                continue
            start = self.at
            script, mark = self.take(), spelled(self.raw())
            if mark == "+" or (script == "_" and below) or (script == "^" and above):
                self.at = start
                break
            if script == "^" and not LABEL.fullmatch(mark):
                self.at = start
                break
            below, above = (mark, above) if script == "_" else (below, mark)
        name_tree = ("name", token, below, above)
        if self.peek() == "(" and ({token, key(name_tree)} & self.functions):
            return ("apply", name_tree, self.arguments())
        return name_tree

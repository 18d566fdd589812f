"""A formula in TeX as one line of Unicode, for whoever reads in a terminal.

The line says the same to a reader of mathematics: a fraction keeps its brackets, a product after a
fraction, a root or an index without a sign of its own gets a dot, and nothing is left out but sizes
and fonts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from bounds import unicode_signs as signs

TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z]+\*?|.)|(?P<number>\d+(?:\.\d+)?|\.\d+)|(?P<sign>\s+|.)", re.DOTALL
)
_LARGER = ("big", "Big", "bigg", "Bigg")
SIZES = frozenset(
    [f"{size}{side}" for size in _LARGER for side in ("", "l", "r", "m")]
    + ["left", "right", "middle", "limits", "nolimits"]
    + ["displaystyle", "textstyle", "allowbreak"]
)
THIN = frozenset(",!;: ")
FRACTIONS = frozenset(("frac", "tfrac", "dfrac", "nicefrac"))
FONTS = frozenset(
    ("mathrm", "mathbf", "mathcal", "mathsf", "mathit", "mathfrak", "boldsymbol", "bm")
)
SAME = frozenset(("underbrace", "overbrace"))
"""Commands that leave their argument as it is."""
TEXTS = frozenset(("text", "textbf", "textit", "textrm", "mbox", "texttt"))
_RELATIONS = "".join(signs.RELATIONS.values())
LONGEST_SCRIPT = 4
"""Signs of a script that is raised or lowered; longer ones stand in brackets."""


@dataclass(frozen=True)
class Piece:
    """Some text, and how it meets its neighbours.

    kind: letter, number, close, fraction, root, script (which end a quantity); open, large,
    word (a function); plus, operator, product, relation, comma, space, text.
    """

    text: str
    kind: str


_ENDS = frozenset(("letter", "number", "close", "fraction", "root", "script"))
"""Kinds after which a factor may follow."""
_BEGINS = frozenset(("letter", "number", "open", "fraction", "root", "large", "word", "script"))


def unicode_formula(tex: str) -> str:
    """The formula as one line. Raises ValueError naming a command that has no sign here."""
    reader = _LineOfPieces(tex)
    pieces = reader.row("")
    return _joined(pieces)


def unicode_words(text: str) -> str:
    """Plain words with their formulas between dollars in Unicode, and signs in place of ASCII."""
    parts = text.split("$")
    # Every second part stands between two dollars; a single dollar is itself.
    if len(parts) % 2:
        parts[1::2] = [unicode_formula(part) for part in parts[1::2]]
        text = "".join(parts)
    for pattern, sign in _ASCII:
        text = pattern.sub(sign, text)
    return text


class _LineOfPieces:
    """Reads tokens into pieces."""

    def __init__(self, tex: str) -> None:
        self.tokens = [
            (f"\\{match['command']}" if match["command"] else match[0])
            for match in TOKEN.finditer(tex)
        ]
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        token = self.peek()
        if not token:
            raise ValueError("tex must be whole, got an argument that is missing")
        self.at += 1
        return token

    def row(self, end: str, between: str = "") -> list[Piece]:
        """The pieces up to the token `end`, which is taken too; `between` stands for &."""
        pieces: list[Piece] = []
        bars: list[str] = []
        while self.peek() != end:
            token = self.take()
            if token.isspace():
                continue
            if token == "&" and between:
                # A condition may have its own word.
                own_word = self.peek().lstrip("\\") in TEXTS
                pieces.append(Piece("" if own_word else between, "text"))
                continue
            if token in ("^", "_"):
                self._script(pieces, token)
            elif token == "|" or token[1:] in ("|", "vert", "Vert"):
                bar = "|" if token in ("|", "\\vert") else "‖"
                # A bar that is open is closed by the next one that may stand there.
                closes = bars[-1:] == [bar] and pieces[-1].kind in _ENDS
                if closes:
                    bars.pop()
                else:
                    bars.append(bar)
                pieces.append(Piece(bar, "close" if closes else "open"))
            else:
                pieces.extend(self._pieces(token))
        if end:
            self.take()
        return pieces

    def group(self) -> list[Piece]:
        """The next argument."""
        while self.peek().isspace():
            self.take()
        token = self.take()
        if token[0].isdigit() and len(token) > 1:
            # Without braces an argument is one figure: \\frac32 is 3/2.
            self.at -= 1
            self.tokens[self.at] = token[1:]
            return [Piece(token[0], "number")]
        return self.row("}") if token == "{" else self._pieces(token)

    def _pieces(self, token: str) -> list[Piece]:
        """What one token, with its arguments, comes to."""
        if token == "{":
            return self.row("}")
        if token[0] != "\\":
            return [_plain(token)]
        command = token[1:]
        if command in SIZES:
            # "\left." opens nothing.
            if command in ("left", "right", "middle") and self.peek() == ".":
                self.take()
            return []
        if command in THIN:
            return []
        if command in ("quad", "qquad"):
            return [Piece("  ", "space")]
        if command == "\\":
            return [Piece("; ", "space")]
        if command in FRACTIONS:
            above, below = _joined(self.group()), _joined(self.group())
            return [Piece(f"{_above(above)}/{_below(below)}", "fraction")]
        if command == "binom":
            return [Piece(f"C({_joined(self.group())}, {_joined(self.group())})", "close")]
        if command == "sqrt":
            return [self._root()]
        if command in signs.ACCENTS:
            return [_accented(_joined(self.group()), signs.ACCENTS[command])]
        if command in TEXTS:
            return [Piece(self._words(), "text")]
        if command in ("operatorname", "operatorname*"):
            return [Piece(self._words(), "word")]
        if command == "mathbb":
            return [Piece(_joined(self.group()).translate(signs.DOUBLE_STRUCK), "letter")]
        if command in FONTS:
            return self._in_a_font()
        if command in SAME:
            return self.group()
        if command == "begin":
            return self._environment()
        return [_sign(command)]

    def _in_a_font(self) -> list[Piece]:
        pieces = self.group()
        # Several letters in one font are one name, as in \mathrm{vol}.
        if len(pieces) > 1 and all(piece.kind == "letter" for piece in pieces):
            return [Piece("".join(piece.text for piece in pieces), "word")]
        return pieces

    def _root(self) -> Piece:
        degree = ""
        if self.peek() == "[":
            self.take()
            degree = _joined(self.row("]"))
        inside = _joined(self.group())
        sign = signs.ROOTS.get(degree, f"({degree})√")
        return Piece(sign + (inside if _single(inside) else f"({inside})"), "root")

    def _words(self) -> str:
        """The group after \\text, with its spaces as they are read: one between words."""
        if self.take() != "{":
            self.at -= 1
            return _joined(self.group())
        words: list[str] = []
        depth = 1
        while True:
            token = self.take()
            depth += (token == "{") - (token == "}")
            if not depth:
                return " ".join("".join(words).split())
            # Spaces and commands of spacing part words.
            words.append(" " if token[0] == "\\" and token[1:] in THIN else token)

    def _script(self, pieces: list[Piece], sign: str) -> None:
        # Close together: a script is one thing.
        script = re.sub(rf" ?([-+=,:|<>/{_RELATIONS}]) ?", r"\1", _joined(self.group()))
        base = pieces[-1] if pieces else Piece("", "letter")
        table = signs.SUPERSCRIPTS if sign == "^" else signs.SUBSCRIPTS
        if script and len(script) <= LONGEST_SCRIPT and all(each in table for each in script):
            text, kind = "".join(table[each] for each in script), base.kind
        elif len(script) == 1:
            # Without a sign of its own it would take in what follows.
            text, kind = sign + script, "script"
        else:
            brackets = script if _bracketed(script) else f"({script})"
            brackets = brackets if sign == "^" else f"{{{script}}}"
            text, kind = sign + brackets, base.kind
        # The limits of a sum, and the index of a function, change nothing of what they stand at.
        kind = base.kind if base.kind in ("large", "word", "open", "close") else kind
        below = base.text
        if sign == "^" and base.kind in ("fraction", "root"):
            below, kind = f"({below})", "close"
        pieces[-1:] = [Piece(below + text, kind)]

    def _environment(self) -> list[Piece]:
        name = _joined(self.group())
        of_cases = name == "cases"
        inside = _joined(self.row("\\end", "if" if of_cases else "")).strip("; ")
        self.group()
        return [Piece(f"[{inside}]" if "matrix" in name else f"{{{inside}}}", "close")]


def _plain(token: str) -> Piece:
    """A sign of TeX that stands for itself."""
    if token[0].isdigit() or token[0] == ".":
        return Piece(token, "number")
    if token in signs.OPENING:
        return Piece(signs.OPENING[token], "open")
    if token in signs.CLOSING:
        return Piece(signs.CLOSING[token], "close")
    kinds = {"+": "plus", "-": "plus", ",": "comma", ";": "comma", ":": "relation", "/": "product"}
    kinds |= {"=": "relation", "<": "relation", ">": "relation", "*": "letter", "!": "letter"}
    shown = {"'": "′", "~": " ", "&": " "}.get(token, token)
    return Piece(shown, kinds.get(token, "space" if shown == " " else "letter"))


def _sign(command: str) -> Piece:
    """A command that stands for one sign."""
    if command in ("{", "}"):
        return Piece(command, "open" if command == "{" else "close")
    for table, kind in (
        (signs.LETTERS, "letter"),
        (signs.RELATIONS, "relation"),
        (signs.OPERATORS, "operator"),
        (signs.PRODUCTS, "product"),
        (signs.LARGE, "large"),
        (signs.OPENING, "open"),
        (signs.CLOSING, "close"),
    ):
        if command in table:
            return Piece(table[command], kind)
    if command in signs.SIDED_BARS:
        return Piece(signs.SIDED_BARS[command], "open" if command[0] == "l" else "close")
    if command in signs.WORDS:
        return Piece(command, "word")
    raise ValueError(f"tex must use commands that have a sign here, got \\{command}")


def _accented(inside: str, mark: str) -> Piece:
    if len(inside) == 1:
        return Piece(inside + mark, "letter")
    if _single(inside):
        return Piece(inside[0] + mark + inside[1:], "letter")
    return Piece(f"({inside}){mark}", "close")


_MARKS = r"[′\u0300-\u036f₀-₉ₐ-ₜᵢ-ᵥⱼ*]*"
_POWERS = r"[⁰¹²³⁴-⁹ⁿᵀᴬ-ᵥʰ-ˣⱼ′*₀-₉ₐ-ₜ\u0300-\u036f]*"


def _single(text: str) -> bool:
    """One letter with its marks, or one number: what needs no brackets anywhere."""
    return text.isdigit() or bool(re.fullmatch(rf"\w{_MARKS}", text))


def _above(text: str) -> str:
    """A numerator: a product without a fraction of its own stands without brackets."""
    depth = 0
    for sign in text:
        depth += (sign in "([{⌈⌊") - (sign in ")]}⌉⌋")
        if not depth and sign in " /":
            return f"({text})"
    return text


def _below(text: str) -> str:
    """A denominator: of one letter or number with its powers, or in brackets."""
    one = text.isdigit() or re.fullmatch(rf"[^\W\d]{_POWERS}|\|[^|]*\||‖[^‖]*‖", text)
    return text if one or _bracketed(text) else f"({text})"


def _bracketed(text: str) -> bool:
    """Whether the first bracket closes at the end."""
    if text[:1] != "(":
        return False
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if not depth:
            return place == len(text) - 1
    return False


def _joined(pieces: list[Piece]) -> str:
    """The pieces in a line, with the spaces and dots between them."""
    line = ""
    for place, piece in enumerate(pieces):
        before = pieces[place - 1] if place else None
        # The logarithm of a fraction, and no fraction of one.
        if before is not None and (before.kind, piece.kind) == ("word", "fraction"):
            piece = Piece(f"({piece.text})", "open")
        line += _between(before, piece) + piece.text
        if piece.kind in ("relation", "operator", "comma") or _spaced(before, piece):
            line += " "
    return re.sub(r" +", " ", line).strip()


def _spaced(before: Piece | None, piece: Piece) -> bool:
    """Whether a sign between two quantities has a space after it, as it has one before."""
    if before is None:
        return False
    if piece.kind == "plus":
        return before.kind in _ENDS
    return piece.kind == "product" and piece.text != "/" and before.kind == "fraction"


def _between(before: Piece | None, piece: Piece) -> str:
    """What stands between two pieces."""
    if before is None:
        return ""
    if piece.kind in ("relation", "operator"):
        return " "
    if piece.kind == "plus":
        return " " if before.kind in _ENDS or before.kind == "text" else ""
    if piece.kind == "text" or before.kind == "text":
        return "" if piece.kind in ("close", "comma") or before.kind == "open" else " "
    if before.kind == "word" and piece.kind in _BEGINS - {"open"}:
        return " "
    # The limits of a sum end before what is summed.
    if before.kind == "large" and len(before.text) > 1 and piece.kind != "open":
        return " "
    if piece.kind == "product" and before.kind == "fraction":
        return " "
    if before.kind not in _ENDS or piece.kind not in _BEGINS:
        return ""
    if piece.kind == "word" and before.kind != "fraction":
        return " "
    if "fraction" in (before.kind, piece.kind):
        return " · "
    if piece.kind == "open":
        return ""
    both_numbers = piece.kind == "number" and before.kind in ("number", "letter", "close")
    return "·" if before.kind in ("root", "script") or both_numbers else ""


_NAMES = "|".join(sorted(signs.GREEK, key=len, reverse=True))
_SHORTENED = {"eps": "ε", "lam": "λ", "Lam": "Λ", "gam": "γ"}


def _script_of_words(match: re.Match[str]) -> str:
    """A script in braces: raised or lowered where it is short, else in brackets."""
    sign, inside = match[1], match[2].strip()
    table = signs.SUPERSCRIPTS if sign == "^" else signs.SUBSCRIPTS
    if len(inside) <= LONGEST_SCRIPT and all(each in table for each in inside):
        return "".join(table[each] for each in inside)
    brackets = inside if _bracketed(inside) else f"({inside})"
    return sign + (brackets if sign == "^" else f"{{{inside}}}")


_ASCII: list[tuple[re.Pattern[str], str | Callable[[re.Match[str]], str]]] = [
    (re.compile("<="), "≤"),
    (re.compile(">="), "≥"),
    (re.compile(r"(?<=\s)->(?=\s)"), "→"),
    (re.compile(r"(?<=\s)\\(?=\s)"), "∖"),
    (re.compile(r"\bsum(?=_)"), "∑"),
    (re.compile(r"\bsqrt (?=[A-Za-z0-9]\b)"), "√"),
    (re.compile(r"\bsqrt\((\w+)\)"), r"√\1"),
    (re.compile(r"\bsqrt\("), "√("),
    (
        re.compile(rf"(?<![A-Za-z])({'|'.join(_SHORTENED)})(?=\b|_)"),
        lambda match: _SHORTENED[match[1]],
    ),
    (re.compile(rf"(?<![A-Za-z])({_NAMES})(?=\b|_)"), lambda match: signs.GREEK[match[1]]),
    (re.compile(r"(?<![\w])([A-Za-zΑ-Ωα-ω])~"), "\\1\u0303"),
    (
        re.compile(r"(?<=[A-Za-zΑ-Ωα-ω∑\u0303])_([0-9]|[tikjsn])(?![\w{])"),
        lambda match: signs.SUBSCRIPTS[match[1]],
    ),
    (
        re.compile(r"(?<=[\w)\]|])\^(-?\d+|[niktsjK])(?![\w.])"),
        lambda match: "".join(signs.SUPERSCRIPTS[each] for each in match[1]),
    ),
    (re.compile(r"([\^_])\{([^{}]+)\}"), _script_of_words),
    (re.compile(r"(?<=\w)\*(?=\w)"), "·"),
]
"""ASCII of the registry's sentences -> the sign that is meant."""

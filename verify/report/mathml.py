"""TeX to MathML, which browsers set without JavaScript; TeX itself where that fails."""

import re
from functools import cache
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup

# Spellings that latex2mathml does not know or sets badly -> ones with the same meaning.
_REPAIRS = (
    (r"\\middle\b\s*", ""),
    (r"\\(nonumber|notag)\b", ""),
    (r"\\label\{[^}]*\}", ""),
    (r"\\!", ""),
    (r"\\mathsf\b", r"\\mathrm"),
    (r"\\arg\b", r"\\operatorname{arg}"),
    (r"\\setminus\b", r"\\smallsetminus"),
    (r"\\nicefrac\{([^{}]*)\}\{([^{}]*)\}", r"{\1}/{\2}"),
)
# Delimiters that it leaves as TeX after \big and its like.
_DELIMITERS = {
    "{": "{",
    "}": "}",
    "lbrace": "{",
    "rbrace": "}",
    "|": "‖",
    "Vert": "‖",
    "lVert": "‖",
    "rVert": "‖",
    "vert": "|",
    "lvert": "|",
    "rvert": "|",
    "langle": "⟨",
    "rangle": "⟩",
    "lceil": "⌈",
    "rceil": "⌉",
    "lfloor": "⌊",
    "rfloor": "⌋",
}
_DELIMITER = re.compile(r">\\([{}|]|[a-zA-Z]+)</mo>")
_THIN, _WIDE = "0.167em", "0.278em"
_NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"
# Colons and semicolons are set as letters.
_STOP = re.compile(r"<mi>([:;])</mi>")
# Functions are set without the spaces that TeX gives them.
_FUNCTION = re.compile(r"<mi>(log|ln|exp)</mi>(<mrow><mo|<mo)?")
_LETTERS = re.compile(r'(?:<mi mathvariant="normal">[^<&]</mi>){2,}')


@cache
def mathml(tex: str, *, block: bool = False) -> Markup:
    """The formula as `<math>`, or as escaped TeX in `<code>` if it cannot be converted."""
    repaired = tex
    for pattern, replacement in _REPAIRS:
        repaired = re.sub(pattern, replacement, repaired)
    try:
        markup = convert(repaired, display="block" if block else "inline")
        # KeyError for an unknown delimiter is caught as any failure: the TeX is shown instead.
        markup = _DELIMITER.sub(lambda m: f">{_DELIMITERS[m[1]]}</mo>", markup)
        tree = ElementTree.fromstring(markup)
    except Exception:  # the converter raises many types on TeX that it cannot read
        return _verbatim(tex)
    # Well-formed is not enough: leftover commands would be shown as letters.
    if any(not _known(element) for element in tree.iter()):
        return _verbatim(tex)
    markup = _STOP.sub(rf'<mo lspace="0" rspace="{_WIDE}">\1</mo>', markup)
    # HTML knows the elements without their namespace.
    markup = markup.replace(f' xmlns="{_NAMESPACE[1:-1]}"', "")
    return Markup(_FUNCTION.sub(_spaced, _LETTERS.sub(_joined, markup)))


def _known(element: ElementTree.Element) -> bool:
    """Whether it is MathML and holds no command left over as text.

    The converter copies the text of \\text as it stands, so other elements may be in it.
    """
    name = element.tag.removeprefix(_NAMESPACE)
    return name != element.tag and name.startswith("m") and "\\" not in (element.text or "")


def _joined(match: re.Match[str]) -> str:
    """Letters of one upright word as one identifier."""
    word = "".join(re.findall(r">(.)<", match[0]))
    return f'<mi mathvariant="normal">{word}</mi>'


def _spaced(match: re.Match[str]) -> str:
    """A function's name, with space before its argument where that has no bracket."""
    after = "0" if match[2] else _THIN
    return f'<mo lspace="{_THIN}" rspace="{after}">{match[1]}</mo>{match[2] or ""}'


def _verbatim(tex: str) -> Markup:
    return Markup("<code>{}</code>").format(tex)

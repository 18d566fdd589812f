"""What stands for a proof beside a form, and whether it is more than a phrase.

A proof is a sentence that says by what theorem or by which step the form follows. No rule can tell
a good one from a bad one; this one stops what cannot be any: too few words, a mere reference to
another proof, or the statement over again.
"""

from __future__ import annotations

import re
from typing import Literal

from bounds import Reading, Statement

Level = Literal["phrase", "argument"]
# "Cauchy-Schwarz" names a tool, "Cauchy-Schwarz over the rounds" says where it is used.
WORDS = 4
_BACK = re.compile(r"(as above|as before|as in|the same|see|ditto|likewise|obvious)\b", re.I)


def level(text: str, claim: Statement, reading: Reading) -> Level:
    """ "argument" for at least `WORDS` words of its own; otherwise "phrase"."""
    said = {_bare(own) for own in (claim.words, claim.label, claim.correction, reading.text)}
    short = len(re.findall(r"\S*\w\S*", text)) < WORDS
    return "phrase" if short or _BACK.match(text) or _bare(text) in said else "argument"


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))

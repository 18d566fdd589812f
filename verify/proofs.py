"""Whether what stands for a proof beside a form is more than a phrase.

A named proof is a sentence that says by what theorem or by which step the form follows. No rule can
tell a good one from a bad one; this one stops what cannot be any: too few words, a mere reference
to another proof, or the statement over again.
"""

import re

from bounds import Proof, Reading, Statement

# "Cauchy-Schwarz" names a tool, "Cauchy-Schwarz over the rounds" says where it is used.
WORDS = 4
_BACK = re.compile(r"(as above|as before|as in|the same|see|ditto|likewise|obvious)\b", re.I)


def argues(proof: Proof, claim: Statement, reading: Reading) -> bool:
    """Whether a named proof has at least `WORDS` words of its own; the others have their text."""
    if proof.level != "named":
        return True
    claim_texts = {_bare(own) for own in (claim.words, claim.label, claim.correction, reading.text)}
    short = len(re.findall(r"\S*\w\S*", proof.words)) < WORDS
    return not (short or _BACK.match(proof.words) or _bare(proof.words) in claim_texts)


def _bare(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))

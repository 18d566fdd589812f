"""What each verdict says, in one line: the table that `explain`, pages, help and citations share;
and forms and proofs in plain words.

`docs/glossary.md` shows the same lines; a test compares the two.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from verify.words import kind_of


@dataclass(frozen=True)
class Gloss:
    """A verdict in plain words.

    meaning: what follows the word, as in "FALSE, a case inside its hypotheses breaks it".
    predicate: what a citation says of the claim.
    """

    meaning: str
    predicate: str


GLOSSES = {
    "false": Gloss("a case inside its hypotheses breaks it", "is false as stated"),
    "vacuous": Gloss("no case meets its hypotheses", "is vacuous as stated"),
    "typo": Gloss("wrong as printed, right after one edit", "has a slip that one edit mends"),
    "mixed": Gloss(
        "it stands in one sense or part, and fails in another",
        "stands in one sense and fails in another",
    ),
    "unspecified": Gloss("its words do not fix what is meant", "leaves open what it asserts"),
    "not checkable": Gloss("it needs what the paper does not give", "could not be checked"),
    "not refuted": Gloss("no case breaks it, and no proof of it is known here", "was not refuted"),
    "reproduced in part": Gloss(
        "some of its printed numbers follow, others do not", "was reproduced in part"
    ),
    "reproduced": Gloss("all of its printed numbers follow", "was reproduced"),
    "consistent": Gloss("a definition that agrees with what follows from it", "is consistent"),
    "holds": Gloss("it has a proof, and no case breaks it", "holds"),
}
"""Kind of a verdict (`verify.words.kind_of`) -> what it says, problems first."""
UNCHECKED = Gloss("no check of it has run", "was not checked")


def gloss(word: str) -> Gloss:
    """What a verdict says; a word of no check's says that none has run."""
    return GLOSSES.get(kind_of(word), UNCHECKED)


FORMS = {"printed": "as printed", "corrected": "corrected", "tight": "best possible"}
"""The name of a form -> what it is called where a person reads."""
_CHECKED = re.compile(r"checked from (\w+)")
_PROVED = re.compile(r"^proved( at most)?(, nothing bound,)? from (.+?)(?=, by |$)")


def form_in_words(name: str) -> str:
    """What a form is called; a third party's has its own name."""
    return FORMS.get(name, name)


def proof_in_words(proof: str) -> str:
    """The level of a proof: "checked by machine from the best possible form (named proof)"."""
    spelled = _PROVED.sub(_from_theorems, _CHECKED.sub(_from_form, proof))
    spelled = spelled.replace("(proved)", "(proved by machine)")
    return re.sub(r"\((named|written)\)", r"(\1 proof)", spelled)


def _from_form(match: re.Match[str]) -> str:
    name = match[1]
    form = "form as printed" if name == "printed" else f"{form_in_words(name)} form"
    return f"checked by machine from the {form}"


def _from_theorems(match: re.Match[str]) -> str:
    """A proof of which a machine checked every line, from algebra or from named theorems."""
    half, start = match[1] or "", match[3]
    limit = ", bound to no formula," if match[2] else ""
    if start != "algebra alone":
        count = len(start.split(", "))
        start = "a named theorem" if count == 1 else f"{count} named theorems"
    return f"proved by machine{half}{limit} from {start}"

"""Claims: what a paper states, under which readings, and where its formula and check live.

Claims are plain data. Importing this module, or listing claims, imports neither torch nor sympy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Stance = Literal["fair", "part", "gap", "repair"]
Kind = Literal[
    "definition", "equality", "inequality", "recursion", "algorithm", "table", "asymptotic", "claim"
]


@dataclass(frozen=True)
class Edit:
    """The one edit that is to repair a printed form; `verify.edits` carries it out.

    Attributes:
        words: the edit as an author would list it.
        before, after: a fragment of what is printed, and what should stand there. It is looked for
            in the printed TeX, else in the statement, else in the text of the reading.
        everywhere: replace all of its occurrences: one symbol for another.
    """

    words: str
    before: str
    after: str
    everywhere: bool = False


@dataclass(frozen=True)
class Reading:
    """One way to read a claim: literal, with a repaired hypothesis, or in a regime.

    Attributes:
        name: short word, unique in the claim ("literal" for the paper's own words).
        text: the hypotheses of this reading, in words.
        forms: forms of the formula that this reading judges.
        proofs: form -> where it is proved. A form without one can at best be "not refuted".
        edits: form -> the one edit that leads from it to the corrected form; a form that fails
            while the corrected form survives is then a "typo" rather than "false", provided that
            the edit, carried out, gives the corrected form.
        stance: what the reading is to the statement. "fair": one that a reader of the paper could
            mean, by the words, the notation or the scope. "part": one of several things that the
            statement says; it cannot save the rest. "gap": the words where they stand, without
            what the paper says elsewhere. "repair": ours; it adds or changes a hypothesis, or
            asks what the paper does not claim. The last two do not count in the headline.
    """

    name: str
    text: str
    forms: tuple[str, ...] = ("printed", "tight")
    proofs: Mapping[str, str] = field(default_factory=dict)
    edits: Mapping[str, Edit] = field(default_factory=dict)
    stance: Stance = "fair"


@dataclass(frozen=True)
class Natural:
    """The variable over which a claim is plotted, with the inputs held fixed meanwhile."""

    symbol: str
    values: tuple[float, ...]
    inputs: Mapping[str, object]
    log_x: bool = False
    log_y: bool = True


@dataclass(frozen=True)
class Claim:
    """One statement of a paper.

    Attributes:
        id: `paper.label`, lower case letters, digits, underscore and dot.
        label: the paper's own name for it.
        kind: what sort of statement it is; decides the words its verdict may take.
        statement: the claim in one or two sentences.
        readings: the literal one first.
        aliases: other spellings of the id, and ids of parts that this claim covers.
        formula: whether `bounds` holds forms for this id.
        natural: the plot's variable, if the claim has one.
        quantity: what is measured, in words (axis label of the plot).
        correction: what should stand in the paper instead, in words.
    """

    id: str
    label: str
    kind: Kind
    statement: str
    readings: tuple[Reading, ...]
    aliases: tuple[str, ...] = ()
    formula: bool = True
    natural: Natural | None = None
    quantity: str = ""
    correction: str = ""

    @property
    def paper(self) -> str:
        return self.id.split(".")[0]

    @property
    def own_form(self) -> str:
        """The form that is the paper's: "printed", or the first one of its literal reading."""
        forms = self.readings[0].forms
        return "printed" if "printed" in forms else forms[0]

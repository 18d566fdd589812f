"""Interpretations of a statement, the edits that repair it, and the proofs of its forms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from itertools import pairwise
from typing import Literal

from bounds.hypotheses import Hypothesis

Relation = Literal["<=", ">=", "=="]
Stance = Literal["plain", "component", "out_of_context", "amended"]
Level = Literal["named", "written", "checked", "proved"]
CHAIN = ("tight", "corrected", "printed")
"""Forms from the sharpest to the loosest, as their names mean them."""


@dataclass(frozen=True)
class Edit:
    """The one edit that is to repair a printed form; `verify.edits` carries it out.

    Attributes:
        words: the edit as an author would list it.
        before, after: a fragment of what is printed, and what should stand there. It is looked for
            in the printed TeX, else in the statement, else in the text of the interpretation.
        everywhere: replace all of its occurrences: one symbol for another.
    """

    words: str
    before: str
    after: str
    everywhere: bool = False


@dataclass(frozen=True)
class Proof:
    """Why a form holds.

    Attributes:
        words: the argument, or its name, in a sentence.
        level: "named" for a phrase; "written" for an argument that a reader can follow, in `file`;
            "checked" where a machine checked the step from the sharper form `start`, which has a
            proof of its own, `anchor`; "proved" where it checked every line of the proof `formal`.
            Only `bounds.certificates` makes it either.
        file: a Markdown file beside the module of the statement, of a written proof.
        rests_on: ids of statements, and names of theorems, that it uses.
        formal: a file beside the module of the statement, of a proof that `bounds.kernel` accepts
            and whose goal is bound to the form.
        half: "at most" where the form is an equality and `formal` shows one side of it.
        unbound: of a statement without a formula: a person has read that the goal of `formal` is
            what it says.
        theorems: the named theorems that `formal` uses.
        start, anchor: the form from which a checked step leads here, and why that one holds.
        box: where the step is checked, if not everywhere; the level is then the proof's own.
    """

    words: str
    level: Level = "named"
    file: str = ""
    rests_on: tuple[str, ...] = ()
    start: str = ""
    anchor: Proof | None = None
    box: str = ""
    formal: str = ""
    half: str = ""
    unbound: bool = False
    theorems: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.level == "checked" and self.anchor is None:
            raise ValueError("level must be named or written: checked is what certificates make")
        if (self.level == "proved") != bool(self.formal):
            raise ValueError(f"formal must be given for a proved form only, got {self.formal!r}")
        if self.level == "written" and not self.file:
            raise ValueError("file must be given for a written proof, got ''")
        if self.level == "named" and self.file:
            raise ValueError(f"file must be given for a written proof only, got {self.file!r}")

    @property
    def told(self) -> str:
        """The level in words, with what it is from: "checked from tight (named)"."""
        if self.level == "proved":
            return proved_from(self.half, self.theorems, unbound=self.unbound)
        if self.anchor is None:
            return self.level
        step = f"checked from {self.start} ({self.anchor.level})"
        return f"{self.level}, {step} for {self.box}" if self.box else step

    def text(self, module: str) -> str:
        """What a written proof says, from beside the module of its statement; "" without one."""
        return _beside(module, self.file)

    def formal_text(self, module: str) -> str:
        """The proof that the kernel accepts; "" without one."""
        return _beside(module, self.formal)


def proved_from(half: str, theorems: tuple[str, ...], *, unbound: bool) -> str:
    """What a proof that is checked line by line is from, in words."""
    proved = " ".join(filter(None, ("proved", half)))
    limit = ", nothing bound," if unbound else ""
    return f"{proved}{limit} from {', '.join(theorems) or 'algebra alone'}"


def _beside(module: str, file: str) -> str:
    """What a file in the folder of a module says; "" without one."""
    if not file:
        return ""
    path = files(module.rpartition(".")[0]) / file
    return path.read_text("utf-8").strip() if path.is_file() else ""


@dataclass(frozen=True)
class Written:
    """That the proof whose words a form's docstring has is written out in full.

    Attributes:
        file: a Markdown file beside the module of the statement.
        rests_on: ids of statements, and names of theorems, that it uses.
        interpretations: those whose proof it is, if not of every one that has a proof.
    """

    file: str
    rests_on: tuple[str, ...] = ()
    interpretations: tuple[str, ...] = ()

    def proof(self, words: str) -> Proof:
        """The proof that is summed up in these words."""
        return Proof(words, "written", self.file, self.rests_on)


@dataclass(frozen=True)
class Interpretation:
    """One way to read a statement: literal, with a repaired hypothesis, or in a regime.

    Attributes:
        name: short word, unique in the statement ("literal" for the paper's own words).
        text: the hypotheses of this interpretation, in words.
        relations: form -> how the measured left side relates to it, if the form is right. These
            are the forms that the interpretation judges.
        where: the hypotheses as conditions on arguments; no instance outside them counts.
        proofs: form -> its proof (a phrase stands for a named one), from the docstrings of the
            forms. A form without one can at best be "not refuted".
        fails: form -> what goes wrong with it, when and by how much, in a sentence with fields in
            braces that the record of the last run fills (`verify.failures`).
        edits: form -> the one edit that leads from it to the corrected form; a form that fails
            while the corrected form survives is then a "typo" rather than "false", provided that
            the edit, carried out, gives the corrected form.
        stance: what the interpretation is to the statement. "plain": one that a reader of the paper
            could mean, by the words, the notation or the scope. "component": one of several things
            that the statement says; it cannot save the rest. "out_of_context": the words where they
            stand, without what the paper says elsewhere. "amended": ours; it adds or changes a
            hypothesis, or asks what the paper does not claim. The last two do not count in the
            headline.
        apart: why `order` does not hold of its proved forms; empty where it does.
    """

    name: str
    text: str
    relations: Mapping[str, Relation]
    where: tuple[Hypothesis, ...] = ()
    proofs: Mapping[str, str | Proof] = field(default_factory=dict)
    edits: Mapping[str, Edit] = field(default_factory=dict)
    stance: Stance = "plain"
    apart: str = ""
    fails: Mapping[str, str] = field(default_factory=dict)

    @property
    def order(self) -> tuple[tuple[str, str], ...]:
        """Neighbours of `CHAIN` that are proved and bound from one side: (sharper, looser)."""
        if self.apart:
            return ()
        # An equality bounds from both sides: of two, neither is the sharper.
        proved = [form for form in CHAIN if form in self.proofs and self.relations[form] != "=="]
        return tuple((a, b) for a, b in pairwise(proved) if self.relations[a] == self.relations[b])

    @property
    def forms(self) -> tuple[str, ...]:
        """The forms that the interpretation judges."""
        return tuple(self.relations)

    def proof(self, form: str) -> Proof | None:
        """The proof of a form, if one is given."""
        entry = self.proofs.get(form)
        return Proof(entry) if isinstance(entry, str) else entry

    def admits(self, inputs: Mapping[str, object]) -> bool:
        """Whether these inputs, as far as they go, break none of its hypotheses."""
        return not self.broken(inputs)

    def broken(self, inputs: Mapping[str, object]) -> str:
        """The first hypothesis that these inputs break, with their values; "" if none."""
        for hypothesis in self.where:
            try:
                hypothesis.check(inputs)
            except ValueError as error:
                return str(error)
        return ""

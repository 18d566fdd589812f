"""Statements: what a paper states, once, with the mathematics of its forms and its interpretations.

A statement is the only declaration of a claim. Its check, in `verify`, adds how its left side is
measured, and nothing else. Importing statements imports neither torch nor sympy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import bounds.units as derivation
from bounds.docstrings import EVERYWHERE, docstring_of, parsed
from bounds.forms import Array, Form
from bounds.hypotheses import Hypothesis
from bounds.interpretations import Edit, Interpretation, Proof, Relation, Stance, Written
from bounds.symbols import Symbol

if TYPE_CHECKING:
    from bounds.units import Units

Kind = Literal[
    "definition", "equality", "inequality", "recursion", "algorithm", "table", "asymptotic", "claim"
]
Origin = Literal["paper", "ours"]
ORIGINS: tuple[Origin, ...] = ("paper", "ours")
EQUALITIES: tuple[Kind, ...] = ("definition", "equality")
"""Kinds that say what the left side is; the others say what it is at most."""


@dataclass(frozen=True)
class Plot:
    """The variable over which a statement is plotted, with the inputs held fixed meanwhile."""

    symbol: str
    values: tuple[float, ...]
    inputs: Mapping[str, object]
    log_x: bool = False
    log_y: bool = True


class Statement:
    """One statement of a paper.

    Args:
        id: `paper.label`, lower case letters, digits, underscore and dot.
        label: the paper's own name for it ("Lemma 3.4").
        kind: what sort of statement it is; decides the words its verdict may take.
        words: the statement in one or two sentences.
        quote: the paper's own words, where it states this without the formula of any form here.
        interpretations: those that it shares with others; `interpreted_as` adds its own, the
            literal one first.
        left: TeX of the quantity that the forms bound or equal.
        symbols: every argument that some form takes.
        requires: hypotheses between arguments, under every interpretation.
        aliases: other spellings of the id, and ids of parts that this statement covers.
        plot: the plot's variable, if it has one.
        quantity: what is measured, in words (axis label of the plot).
        correction: what should stand in the paper instead, in words.
        reads: for who reads the TeX: a name or a fragment of it -> an argument, or TeX.
        growth: of an asymptotic claim: a variable -> how its forms grow in it, such as "sqrt(T)",
            or form -> that where they differ ("free" without the variable); `bounds.algebra` holds
            it against the forms. Or why they are not compared, in a line.

    Then come its interpretations, by `interpreted_as`, and its `forms`, by the decorator `form`. A
    statement may
    have no form: an algorithm, or a table.
    Raises ValueError for an id of another form, and unless interpretations are named apart.
    """

    def __init__(
        self,
        id: str,
        label: str,
        kind: Kind,
        words: str,
        interpretations: tuple[Interpretation, ...] = (),
        *,
        left: str = "",
        symbols: Iterable[Symbol] = (),
        requires: tuple[Hypothesis, ...] = (),
        aliases: tuple[str, ...] = (),
        plot: Plot | None = None,
        quantity: str = "",
        correction: str = "",
        reads: Mapping[str, str] | None = None,
        growth: Mapping[str, str | Mapping[str, str]] | str = "",
        quote: str = "",
    ) -> None:
        if not re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)+", id):
            raise ValueError(f"id must be paper.label in a-z, 0-9, _ and ., got {id!r}")
        self.id = id
        self.label = label
        self.kind = kind
        self.words = words
        self.interpretations: tuple[Interpretation, ...] = ()
        for interpretation in interpretations:
            self._add(interpretation)
        self.left = left
        self.symbols = {symbol.name: symbol for symbol in symbols}
        self.requires = requires
        self.aliases = aliases
        self.plot = plot
        self.quantity = quantity
        self.correction = correction
        self.reads = dict(reads or {})
        self.growth = growth
        self.quote = quote
        self.forms: dict[str, Form] = {}
        self._of_all: set[str] = set()

    @property
    def paper(self) -> str:
        """The key of the paper that states it."""
        return self.id.split(".")[0]

    @property
    def own_form(self) -> str:
        """The paper's own form: "printed", or the first of its literal interpretation."""
        forms = self.interpretations[0].forms
        return "printed" if "printed" in forms else forms[0]

    @property
    def origin(self) -> Origin:
        """Whose statement it is: the paper's, or ours beside it.

        It is the paper's where some interpretation judges a form that is printed, or where `quote`
        gives the words in which the paper states it. All else is a finding of ours on the subject.
        """
        printed = any("printed" in interpretation.forms for interpretation in self.interpretations)
        return "paper" if printed or self.quote else "ours"

    def changed(self, **changes: Any) -> Statement:
        """A copy with these attributes, and the same forms."""
        if unknown := sorted(changes.keys() - vars(self).keys()):
            raise ValueError(f"{unknown[0]} is no attribute of a statement")
        # The forms still name the first statement: they are shared, not made again.
        duplicate = copy(self)
        vars(duplicate).update(changes)
        return duplicate

    def __copy__(self) -> Statement:
        """Another statement with the same attributes."""
        duplicate = object.__new__(type(self))
        vars(duplicate).update(vars(self))
        return duplicate

    def _add(self, interpretation: Interpretation) -> None:
        if interpretation.name in {r.name for r in self.interpretations}:
            raise ValueError(f"interpretations of {self.id} must have names of their own")
        self.interpretations = (*self.interpretations, interpretation)

    def interpreted_as(
        self,
        name: str,
        text: str,
        relations: Mapping[str, Relation] | None = None,
        *,
        where: tuple[Hypothesis, ...] = (),
        proofs: Mapping[str, str | Proof] | None = None,
        edits: Mapping[str, Edit] | None = None,
        stance: Stance = "plain",
        apart: str = "",
        fails: Mapping[str, str] | None = None,
    ) -> None:
        """Adds an `Interpretation`; without relations it judges every form by what the kind says.

        That is "==" of a definition or an equality and "<=" of all else. `proofs` and `fails` are
        of what it judges without a formula; a form has its own in its docstring. Interpretations
        come before forms. Raises ValueError for a name that is taken.
        """
        if self.forms:
            raise ValueError(
                f"interpretations of {self.id} must come before its forms, got {name!r}"
            )
        self._add(
            Interpretation(
                name,
                text,
                relations or {},
                where,
                proofs or {},
                edits or {},
                stance,
                apart,
                fails or {},
            )
        )
        if relations is None:
            self._of_all.add(name)

    def interpretation(self, name: str) -> Interpretation:
        """The interpretation of this name. Raises ValueError if there is none."""
        interpretation = next((r for r in self.interpretations if r.name == name), None)
        if interpretation is None:
            names = ", ".join(r.name for r in self.interpretations)
            raise ValueError(f"interpretation must be one of {names}, got {name!r}")
        return interpretation

    def form(
        self,
        name: str,
        *,
        tex: str,
        because: str = "",
        written: Written | None = None,
        reads: Mapping[str, str] | None = None,
    ) -> Callable[[Callable[..., Any]], Form]:
        """Decorator: makes a function the form `name` of this statement.

        The function is a formula: its first argument is a namespace `xp` (`bounds.namespaces`);
        without one it is an algorithm on numpy arrays. Its docstring is the text of the form, with
        its note and its proofs (`bounds.docstrings`). `because` says why it is no expression in
        free symbols, `written` where a proof stands in full; `reads` adds to the statement's.

        Raises TypeError for a docstring that is not understood, for a proof in an interpretation
        that does not judge the form, and for an argument that is no symbol.
        """

        def register(value: Callable[..., Any]) -> Form:
            try:
                text = parsed(docstring_of(value))
            except TypeError as error:
                raise TypeError(f"{self.id} ({name}): {error}") from None
            if any(name in r.proofs or name in r.fails for r in self.interpretations):
                raise TypeError(
                    f"{self.id} ({name}): a form has its proofs and failures in its docstring"
                )
            created = Form(self, name, tex, value, text, because, dict(reads or {}))
            if unknown := set(created.arguments) - self.symbols.keys():
                raise TypeError(f"{self.id}: no symbol for {sorted(unknown)}")
            self.forms[name] = created
            # Interpretations are immutable: each is made again with what it says of the form.
            self.interpretations = tuple(
                self._judging(r, created, written) for r in self.interpretations
            )
            self._must_be_judged(created, written)
            return created

        return register

    def _judging(
        self, interpretation: Interpretation, form: Form, written: Written | None
    ) -> Interpretation:
        """The interpretation once this form is there."""
        name = interpretation.name
        relations, proofs = dict(interpretation.relations), dict(interpretation.proofs)
        fails = dict(interpretation.fails)
        if name in self._of_all:
            relations[form.name] = "==" if self.kind in EQUALITIES else "<="
        words = form.text.proof(name)
        if words is not None and form.name in relations:
            of_this = written and (not written.interpretations or name in written.interpretations)
            proofs[form.name] = written.proof(words) if written and of_this else words
        failure = form.text.failure(name)
        if failure and form.name in relations:
            fails[form.name] = failure
        return replace(interpretation, relations=relations, proofs=proofs, fails=fails)

    def _must_be_judged(self, form: Form, written: Written | None) -> None:
        """Raises TypeError for a proof in an interpretation that does not judge this form."""
        judging = {r.name for r in self.interpretations if form.name in r.relations}
        proved = {r.name for r in self.interpretations if form.name in r.proofs}
        for what, sections in (("proof", form.text.proofs), ("failure", form.text.fails)):
            if unknown := sorted(sections.keys() - judging - {EVERYWHERE}):
                raise TypeError(
                    f"{self.id} ({form.name}): a {what} for {unknown[0]!r}, which is no "
                    "interpretation that judges the form"
                )
        if written and (unknown := sorted(set(written.interpretations) - proved)):
            raise TypeError(
                f"{self.id} ({form.name}): {written.file} is written for {unknown[0]!r}, where the "
                "docstring has no proof"
            )

    def __getitem__(self, name: str) -> Form:
        if not self.forms:
            raise ValueError(
                f"id must name a claim with a formula, got {self.id!r}, which has none"
            )
        if not isinstance(name, str) or name not in self.forms:
            raise ValueError(f"form must be one of {', '.join(self.forms)}, got {name!r}")
        return self.forms[name]

    def __call__(self, form: str, **inputs: Any) -> Array:
        return self[form](**inputs)

    def units(self) -> dict[str, Units]:
        """The unit of every form; a constant that is solved for has one unit in all of them."""
        return derivation.of_statement(self)

    def _repr_latex_(self) -> str:
        """Every form beside the left side, as a notebook shows it."""
        rows = (
            rf"{self.left} &: {form.tex} & \text{{{name}}}" for name, form in self.forms.items()
        )
        return r"$\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}$"

    def __repr__(self) -> str:
        return f"Statement({self.id!r}, forms={list(self.forms)})"

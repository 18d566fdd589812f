"""Statements: what a paper states, once, with the mathematics of its forms and its readings.

A statement is the only declaration of a claim. Its check, in `verify`, adds how its left side is
measured, and nothing else. Importing statements imports neither torch nor sympy.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from bounds.forms import Array, Form
from bounds.hypotheses import Hypothesis
from bounds.readings import Reading
from bounds.symbols import Symbol

if TYPE_CHECKING:
    from bounds.units import Units

Kind = Literal[
    "definition", "equality", "inequality", "recursion", "algorithm", "table", "asymptotic", "claim"
]


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
        readings: the literal one first.
        left: TeX of the quantity that the forms bound or equal.
        symbols: every argument that some form takes.
        requires: hypotheses between arguments, under every reading.
        aliases: other spellings of the id, and ids of parts that this statement covers.
        plot: the plot's variable, if it has one.
        quantity: what is measured, in words (axis label of the plot).
        correction: what should stand in the paper instead, in words.
        reads: for who reads the TeX: a name or a fragment of it -> an argument, or TeX.
        growth: of an asymptotic claim: a variable -> how its forms grow in it, such as "sqrt(T)",
            or form -> that where they differ ("free" without the variable); `bounds.algebra` holds
            it against the forms. Or why they are not compared, in a line.

    `forms` are added by the decorator `form`. A statement may have none: an algorithm, or a table.
    Raises ValueError for an id of another form, and unless readings are there and named apart.
    """

    def __init__(
        self,
        id: str,
        label: str,
        kind: Kind,
        words: str,
        readings: tuple[Reading, ...],
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
    ) -> None:
        if not re.fullmatch(r"[a-z0-9_]+(\.[a-z0-9_]+)+", id):
            raise ValueError(f"id must be paper.label in a-z, 0-9, _ and ., got {id!r}")
        if not readings or len({r.name for r in readings}) < len(readings):
            raise ValueError(f"readings of {id} must have names of their own, one at least")
        self.id = id
        self.label = label
        self.kind = kind
        self.words = words
        self.readings = readings
        self.left = left
        self.symbols = {symbol.name: symbol for symbol in symbols}
        self.requires = requires
        self.aliases = aliases
        self.plot = plot
        self.quantity = quantity
        self.correction = correction
        self.reads = dict(reads or {})
        self.growth = growth
        self.forms: dict[str, Form] = {}

    @property
    def paper(self) -> str:
        """The key of the paper that states it."""
        return self.id.split(".")[0]

    @property
    def own_form(self) -> str:
        """The form that is the paper's: "printed", or the first one of its literal reading."""
        forms = self.readings[0].forms
        return "printed" if "printed" in forms else forms[0]

    def changed(self, **changes: Any) -> Statement:
        """A copy with these attributes, and the same forms."""
        if unknown := sorted(changes.keys() - vars(self).keys()):
            raise ValueError(f"{unknown[0]} is no attribute of a statement")
        found = copy(self)
        vars(found).update(changes)
        return found

    def reading(self, name: str) -> Reading:
        """The reading of this name. Raises ValueError if there is none."""
        found = next((r for r in self.readings if r.name == name), None)
        if found is None:
            names = ", ".join(r.name for r in self.readings)
            raise ValueError(f"reading must be one of {names}, got {name!r}")
        return found

    def form(
        self,
        name: str,
        *,
        tex: str,
        note: str = "",
        because: str = "",
        reads: Mapping[str, str] | None = None,
    ) -> Callable[[Callable[..., Any]], Form]:
        """Decorator: makes a function the form `name` of this statement.

        The function is a body: its first argument is a namespace `ns` (`bounds.bodies`); without
        one it is an algorithm on numpy arrays. `note` says in one line what sets the form apart
        (what was repaired, who attains it), `because` why it is no expression in free symbols;
        `reads` adds to the statement's.
        """

        def register(value: Callable[..., Any]) -> Form:
            created = Form(self, name, tex, value, note, because, dict(reads or {}))
            if unknown := set(created.arguments) - self.symbols.keys():
                raise TypeError(f"{self.id}: no symbol for {sorted(unknown)}")
            self.forms[name] = created
            return created

        return register

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
        from bounds.units import of_statement

        return of_statement(self)

    def _repr_latex_(self) -> str:
        """Every form beside the left side, as a notebook shows it."""
        rows = (
            rf"{self.left} &: {form.tex} & \text{{{name}}}" for name, form in self.forms.items()
        )
        return r"$\begin{aligned}" + r" \\ ".join(rows) + r"\end{aligned}$"

    def __repr__(self) -> str:
        return f"Statement({self.id!r}, forms={list(self.forms)})"

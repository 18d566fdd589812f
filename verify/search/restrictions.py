"""Hypotheses of readings, and limits of oracles, that no range or requirement of a formula holds.

A reading narrows its claim in words; the search needs the same as conditions on the inputs, or as
inputs that follow from others, or it would report what lies outside. An oracle may be good on part
of the domain only (a lattice, a quadrature): beyond it nothing can be said.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Condition = Callable[[Mapping[str, Any]], bool]
Follows = Callable[[Mapping[str, Any]], Any]


@dataclass(frozen=True)
class Restriction:
    """What a reading asks beyond the formula.

    Attributes:
        reason: the words of the reading, or the limit of the oracle.
        condition: must hold of the inputs.
        follows: inputs that are functions of the others.
        searchable: False where the check compares what inputs alone do not say.
    """

    reason: str
    condition: Condition = lambda point: True
    follows: Mapping[str, Follows] = field(default_factory=dict)
    searchable: bool = True


def restriction(claim: str, reading: str) -> Restriction | None:
    """What this reading of a claim asks beyond the formula, if anything."""
    return READINGS.get((claim, reading))


def conditions(claim: str, reading: str) -> tuple[Condition, ...]:
    """All conditions on the inputs of a reading: its own, and those of every claim."""
    own = restriction(claim, reading)
    return (_once, own.condition) if own else (_once,)


def follows(claim: str, reading: str) -> dict[str, Follows]:
    """The inputs of a reading that are functions of the others."""
    own = restriction(claim, reading)
    return dict(own.follows) if own else {}


def _once(point: Mapping[str, Any]) -> bool:
    """A loss is deleted once: the rounds u_1..u_k are distinct."""
    rounds = point.get("u", ())
    return not isinstance(rounds, list | tuple) or len(set(rounds)) == len(rounds)


def _thousandths(name: str) -> Mapping[str, Follows]:
    return {name: lambda p: round(p[name], 3)}


def _short_step(p: Mapping[str, Any]) -> bool:
    return bool(p["eta"] <= 2 / (p["L"] + p["mu"]))


_SMALL = Restriction("eta <= 2/(L + mu)", _short_step)
_LATER = Restriction(
    "the loss has been used when it is deleted, and 0 < gamma < 1",
    lambda p: p["u"] < p["tau"] and 0 < p["gamma"] < 1,
)
_ONE_LEFT = Restriction("a sample is kept", lambda p: p["m"] < p["n"])
READINGS: Mapping[tuple[str, str], Restriction] = {
    ("olu.ass2", "literal"): Restriction(
        "unit lengths: the other reading changes the unit", lambda p: p["A"] <= 1
    ),
    ("olu.def5", "literal"): Restriction(
        "the oracle's lattice: x and e are quarters of s, the order is whole",
        follows={
            "alpha": lambda p: max(2.0, float(round(min(p["alpha"], 5.0)))),
            "s": lambda p: 1.0,
            "x": lambda p: round(min(p["x"], 3.0) * 4) / 4,
            "e": lambda p: round(min(p["e"], 3.0) * 4) / 4,
        },
    ),
    ("olu.index", "b"): _LATER,
    ("olu.index", "c"): _LATER,
    ("olu.eq40", "units"): Restriction("two runs in two units of length", searchable=False),
    ("olu.lemd.2", "literal"): Restriction(
        "eta = 2/(M + m)", follows={"eta": lambda p: 2 / (p["mu"] + p["beta"])}
    ),
    ("hf.eq4_5", "literal"): Restriction("U = {u}", follows={"m": lambda p: 1}),
    ("hf.eq9", "literal"): _ONE_LEFT,
    ("hf.thm3.1", "kept"): _ONE_LEFT,
    ("hf.lem4.2", "literal"): Restriction("rho of one step", follows={"T": lambda p: 1}),
    ("hf.eq41", "supremum"): Restriction("rho of all steps, not of the first", searchable=False),
    ("hf.eq41", "sets"): Restriction("rho of all steps, not of the first", searchable=False),
    ("hf.def2.1.scale", "literal"): Restriction(
        "the oracle's quadrature resolves neither law beyond this ratio",
        lambda p: 0.05 <= p["ratio"] <= 20,
    ),
    ("mini.eq5", "quadratic"): Restriction("quadratic losses", follows={"M": lambda p: 0.0}),
    ("mini.eq7.norm", "literal"): Restriction(
        "the oracle's batches share in thousandths", follows=_thousandths("beta")
    ),
    ("mini.thm1.drift", "literal"): Restriction(
        "the oracle's batches share in thousandths", follows=_thousandths("beta")
    ),
    ("mini.eig", "small"): _SMALL,
    ("mini.thm1.use", "bound"): _SMALL,
    ("mini.setup", "chosen"): _SMALL,
}

"""A mechanism as executed: one frozen value, read from a document and written as one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from accounting.mechanism._claims import PrivacyClaim, Provenance, Relation
from accounting.mechanism._constant import NATURAL, Constant
from accounting.mechanism._kinds import (
    Ascending,
    Either,
    Keyed,
    List,
    Nested,
    OneWord,
    Text,
    WholeNumber,
    entry,
    unknown,
)
from accounting.mechanism._node import Node
from accounting.mechanism._steps import ZERO, Gradient, Maps
from accounting.mechanism.strict_json import load
from accounting.numerics.validation import _fail

SCHEMA = "forgetproof/mechanism/1"
Step = Gradient | Maps


@dataclass(frozen=True, kw_only=True)
class MechanismFields(Node):
    """What is executed, and what is claimed of it.

    `schema` is the version of the document.  A value may be the word `unknown`: the mechanism is
    then a draft.  Raises ValueError that begins with the path of the field.
    """

    schema: str = entry(OneWord((SCHEMA,)), "Version of the document.", SCHEMA, known=True)
    name: str = entry(Text(), "What it is, in words.", known=True)
    source: Provenance | None = entry(
        Nested((Provenance,)), "Where it was read from.", None, known=True
    )
    relation: Relation = entry(Nested((Relation,)), "Data sets and runs that are compared.")
    n: int | None = entry(
        WholeNumber(), "Rows that are sampled from, those in question among them.", None
    )
    dimension: int | None = entry(WholeNumber(), "Numbers in what is released.", None)
    losses: str = entry(
        OneWord(("any", "scalar", "linear")),
        "scalar: convex functions of one prediction that is linear in the weights; linear: of the "
        "weights themselves; any.",
        "any",
    )
    smoothness: Constant | None = entry(NATURAL, "L_0, of the loss of a row.", None)
    start: Constant = entry(NATURAL, "Largest distance of the two first states.", ZERO)
    steps: tuple[Step, ...] = entry(
        List(Nested((Gradient, Maps)), 1), "Segments, in the order of execution."
    )
    outputs: int = entry(
        WholeNumber(), "Vectors released with noise of their own, each moved by up to the shift.", 1
    )
    layers: tuple[str, ...] = entry(
        List(Text()), "What keeps something of rows beside the weights, or mixes rows.", ()
    )
    tuned_on_rows: tuple[str, ...] = entry(
        List(Text()), "Settings, checkpoints or seeds chosen by looking at private rows.", ()
    )
    released: str | tuple[int, ...] = entry(
        Either(
            (OneWord(("last", "every")), Ascending(WholeNumber())),
            "'last', 'every' or ascending steps",
        ),
        "The last state; every state; or those after so many steps beside the last.",
    )
    requests: str = entry(
        OneWord(("oblivious", "adaptive")),
        "Whether what is requested may depend on what was released before.",
    )
    claims: tuple[PrivacyClaim, ...] = entry(
        List(Nested((PrivacyClaim,))), "In the order in which they were derived.", known=True
    )
    places: tuple[tuple[str, Provenance], ...] = entry(
        Keyed(Nested((Provenance,))),
        "Where single values were read: path -> place.",
        (),
        known=True,
    )

    def _check(self) -> None:
        for at, claim in enumerate(self.claims):
            if claim.made_from is not None and not claim.made_from < at:
                raise ValueError(
                    f"claims[{at}].made_from must be an earlier claim, got {claim.made_from}"
                )
        if not unknown(self.steps, self.released):
            self._check_released()
        if not unknown(self.steps, self.n) and self.n is not None:
            self._check_rows(self.n)

    def _check_released(self) -> None:
        """The states that are seen beside the last come before it."""
        counts = [step.count for step in self.steps]
        if isinstance(self.released, str) or not self.released or unknown(*counts):
            return
        if not self.released[-1] < sum(counts):
            raise ValueError(
                f"released must be below the {sum(counts)} steps, got {self.released[-1]}"
            )

    def _check_rows(self, n: int) -> None:
        """n is at least what a request takes, and what a batch has."""
        rows = 1 if unknown(self.relation) else self.relation.rows
        if not unknown(rows) and not rows <= n:
            raise ValueError(f"relation.rows must be at most n = {n}, got {rows}")
        for at, step in enumerate(self.steps):
            if isinstance(step, Maps) or unknown(step.batches):
                continue
            size = step.batches.size
            if size is not None and not unknown(size) and not size <= n:
                raise ValueError(f"steps[{at}].batches.size must be at most n = {n}, got {size}")

    @classmethod
    def of_document(cls, document: Mapping[str, Any]) -> Self:
        """The value of a document. Raises ValueError that begins with the path of the field."""
        if not isinstance(document, Mapping):
            _fail("document", "an object", document)
        if "schema" not in document:
            raise ValueError(f"schema must be given, as {SCHEMA!r}, got none")
        return cls.of_mapping(document)

    @classmethod
    def read(cls, target: str | os.PathLike[str]) -> Self:
        """The value of a file, or of the text of a document, which begins with ``{``.

        Raises ValueError as `of_document`, and for what is no strict JSON: NaN, infinities, keys
        that stand twice, whole numbers above 2^53, more than 16 MB, more than 32 levels.
        """
        return cls.of_document(load(target))

    def document(self) -> dict[str, Any]:
        """The document: equal to the one that was read."""
        return {"schema": self.schema, **super().document()}

    @cached_property
    def unknowns(self) -> tuple[str, ...]:
        """Paths of the values that are not known."""
        return tuple(path for path, value in self.walk() if unknown(value))

    @property
    def draft(self) -> bool:
        """Whether something is not known, so that no claim can be called false."""
        return bool(self.unknowns)

    @cached_property
    def constants(self) -> tuple[tuple[str, Constant], ...]:
        """Path and value of every constant."""
        return tuple((path, each) for path, each in self.walk() if isinstance(each, Constant))

    def edited(self, **changes: Any) -> Self:
        """The same with other fields of the top level."""
        return self.of_document({**self.document(), **changes})

    def with_values(self, values: Mapping[str, Any]) -> Self:
        """The same with other values at dotted paths: ``steps.clip.norm`` goes to every segment.

        Raises ValueError for a path that leads nowhere, and as `of_document`.
        """
        document = self.document()
        for path, value in values.items():
            _put(document, path, value)
        return self.of_document(document)


def _put(document: dict[str, Any], path: str, value: Any) -> None:
    *way, last = path.split(".")
    nodes: list[Any] = [document]
    for name in way:
        below = [node[name] for node in nodes if isinstance(node, dict) and name in node]
        nodes = [each for node in below for each in (node if isinstance(node, list) else [node])]
    places = [node for node in nodes if isinstance(node, dict)]
    if not places:
        _fail("path", "the path of a field", path)
    for node in places:
        node[last] = value

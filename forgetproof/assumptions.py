"""What a privacy number rests on: the same words beside every number, in JSON and as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

WORDS: dict[str, dict[str, str]] = {
    "adjacency": {
        "replace": "a request exchanges one sample for any other and n stays; a deletion is the "
        "exchange for a sample chosen without it",
        "delete": "the requested samples leave, nothing takes their place, and the others stay",
        "skip": "the rounds of the deleted losses make no step; every other round keeps its number",
    },
    "adaptivity": {
        "nonadaptive": "what is requested, and when, does not depend on anything published",
    },
    "constants": {
        "public": "whatever sigma is computed from is public; a constant taken from private data "
        "would make sigma depend on them, which the guarantee does not count",
        "data-dependent": "sigma depends on what was computed from the data, and shows some of it: "
        "the guarantee does not count that",
    },
}
"""Name of an assumption -> its words -> what each means."""

NONE_SUFFICES = "no finite noise is enough by this bound"


def assumptions(adjacency: str, from_data: Sequence[str] = (), **others: Any) -> dict[str, Any]:
    """The assumptions of every guarantee, then those of this one.

    adjacency: a word of `WORDS`.  from_data: the inputs that were computed from private data.
    """
    chosen = {
        "adjacency": adjacency,
        "adaptivity": "nonadaptive",
        "constants": "data-dependent" if from_data else "public",
    }
    found: dict[str, Any] = {}
    for name, word in chosen.items():
        found[name] = word
        found[f"{name}_means"] = WORDS[name][word]
    return {**found, "from_data": list(from_data), **others}


def show_assumptions(found: dict[str, Any]) -> None:
    """One line per assumption, beside every number that rests on them."""
    click.echo("assumptions")
    for name, value in found.items():
        if value is None or value == [] or name.endswith("_means"):
            continue
        said = ", ".join(value) if isinstance(value, list) else value
        means = found.get(f"{name}_means")
        click.echo(f"  {name:<18} {said}{f': {means}' if means else ''}")

"""Which forms are known to be read and to agree: a list beside each paper's checks."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

import bounds
from bounds import Form
from verify.tex.compare import Outcome, witness

NAME = "read_tex.json"


@cache
def listed(key: str) -> dict[str, list[str]]:
    """Claim -> names of its forms whose TeX is read and agrees; empty where a paper has no list."""
    paper = bounds.paper(key)
    place = files(paper.checks) / NAME if paper.checks else None
    return dict(json.loads(place.read_text("utf-8"))) if place and place.is_file() else {}


def unlike(form: Form) -> Outcome | None:
    """What became of the TeX of a form on the list that agrees no longer; None for all others."""
    statement = form.statement
    if form.name not in listed(statement.paper).get(statement.id, ()):
        return None
    outcome = witness(form)
    return None if outcome.word == "matches" else outcome

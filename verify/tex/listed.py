"""Which forms of a paper are known to agree with their TeX: a list beside its checks."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files

from bounds import Form, Paper, Statement, paper
from verify.tex.compare import TexOutcome, witness
from verify.tex.points import ALL, Amount

NAME = "read_tex.json"


@cache
def _read(package: str) -> dict[str, list[str]]:
    beside = files(package) / NAME
    return dict(json.loads(beside.read_text("utf-8"))) if beside.is_file() else {}


def listed(owner: Paper) -> dict[str, list[str]]:
    """Claim -> its forms whose TeX was read and agreed; empty for a paper without a list."""
    return _read(owner.checks or owner.package)


def unlike(form: Form, amount: Amount = ALL) -> TexOutcome | None:
    """What became of TeX that differs from its form, or is on the list and not read; else None.

    For what is not on the list no patience is lost: it was too long before.
    """
    statement = form.statement
    agreed = form.name in listed(paper(statement.paper)).get(statement.id, ())
    outcome = witness(form, amount if agreed else replace(amount, patient=False))
    wrong = outcome.word == "differs" or (agreed and outcome.word == "unread")
    return outcome if wrong else None


def faults(statement: Statement, amount: Amount = ALL) -> Iterator[str]:
    """Forms that differ from their TeX, and what is listed but does not agree, each in a line."""
    agreed = listed(paper(statement.paper)).get(statement.id, [])
    for name in agreed:
        if name not in statement.forms:
            yield f"{NAME} lists {name}, which is no form"
    for name, form in statement.forms.items():
        outcome = unlike(form, amount)
        if outcome and outcome.word == "differs":
            yield f"the form {name} differs from its TeX: {outcome.reason}"
        elif outcome:
            yield f"the TeX of {name} is listed in {NAME} and not read: {outcome.reason}"

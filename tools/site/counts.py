"""How many claims of a paper were checked, and how many of them need a correction."""

from __future__ import annotations

import bounds
from verify.expectation import of_paper
from verify.interpretations import headline
from verify.report.errata import WRONG
from verify.words import kind_of

OURS = "own"
"""The paper of our own theorems, all of which count as its claims."""


def counts(key: str) -> tuple[int, int]:
    """Claims that the paper itself states, and how many of those need a correction."""
    paper = bounds.paper(key)
    expected = of_paper(paper)
    claims = [c for c in bounds.statements(key) if c.origin == "paper" or key == OURS]
    wrong = [c for c in claims if kind_of(headline(c, expected.get(c.id, {}))) in WRONG]
    return len(claims), len(wrong)

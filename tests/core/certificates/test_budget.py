"""The filter: every limit refuses what goes beyond it, by name, and nothing is written."""

import hashlib

import pytest

from forgetproof.certificates import BudgetExceeded, DeletionBudget, Ledger

ROWS = [hashlib.sha256(bytes([i])).hexdigest() for i in range(9)]
MODEL = hashlib.sha256(b"model").hexdigest()


def ledger_with(folder, **limits):
    ledger = Ledger.open(folder, {"budget": limits})
    ledger.append("train", steps=10)
    return ledger


def request(ledger, rows, steps):
    sequence = ledger.append("request", rows=rows, steps=steps)
    ledger.append("unlearned", request=sequence, steps=steps)


LIMITS = {
    "requests": (2, "requests must be <= 0, left of 2, got 1"),
    "rows": (5, "rows must be <= 1, left of 5, got 2"),
    "steps": (12, "steps must be <= 2, left of 12, got 3"),
    "request_steps": (7, "request_steps must be <= 7, left of 7, got 8"),
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_reached_and_not_passed(tmp_path, name):
    limit, words = LIMITS[name]
    ledger = ledger_with(tmp_path, **{name: limit})
    request(ledger, ROWS[:2], 7)
    request(ledger, ROWS[2:4], 3)
    before = ledger.path.read_bytes()
    steps = 8 if name == "request_steps" else 3
    with pytest.raises(BudgetExceeded, match=words):
        ledger.append("request", rows=ROWS[4:6], steps=steps)
    assert ledger.path.read_bytes() == before


def test_releases_are_counted(tmp_path):
    ledger = ledger_with(tmp_path, releases=1)
    ledger.append("release", model=MODEL)
    with pytest.raises(BudgetExceeded, match="releases must be <= 0, left of 1, got 1"):
        ledger.append("release", model=MODEL)


def test_spent_and_remaining(tmp_path):
    ledger = ledger_with(tmp_path, rows=5, request_steps=9)
    request(ledger, ROWS[:2], 7)
    assert ledger.budget == DeletionBudget(rows=5, request_steps=9)
    assert ledger.budget.spent(ledger.history) == {
        "requests": 1,
        "rows": 2,
        "steps": 7,
        "request_steps": 7,
        "releases": 0,
    }
    assert ledger.budget.remaining(ledger.history) == {
        "requests": None,
        "rows": 3,
        "steps": None,
        "request_steps": 9,
        "releases": None,
    }


@pytest.mark.parametrize("limit", [-1, 1.5, True, "3"])
def test_a_limit_is_a_whole_number(limit):
    with pytest.raises(ValueError, match=r"budget.rows must be a whole number >= 0"):
        DeletionBudget(rows=limit)

"""Reference values: what a row of a `golden.jsonl` says of a form, as a test.

A row is a JSON object on one line: `id` of the claim and its `form`; the `inputs` ("inf" for
infinity, a mapping from whole numbers with their digits as keys); the `value` from another route,
with the relative `tolerance` that its digits allow; the `source`, which names the place in the
paper and how the value was computed; and in some, as an order relation, `above`: the form that is
strictly below this one at the same inputs.
"""

import json
import math

import pytest

NAME = "golden.jsonl"


def decoded(value):
    """A value of a row as Python has it."""
    if isinstance(value, dict):
        return {int(key): decoded(each) for key, each in value.items()}
    if isinstance(value, list):
        return [decoded(each) for each in value]
    return float(value) if value in ("inf", "-inf") else value


def check(row):
    """Raises AssertionError where the form has another value or order than the row says."""
    # Imported here: a run of the engine's tests loads no statement.
    import bounds

    statement = bounds.get(row["id"])
    inputs = {name: decoded(value) for name, value in row["inputs"].items()}
    result, expected = float(statement(row["form"], **inputs)), float(row["value"])
    assert math.isclose(result, expected, rel_tol=row["tolerance"]), (
        f"{row['id']} {row['form']} at {row['inputs']}: {result!r}, where {expected!r} is known "
        f"to {row['tolerance']:g} ({row['source']})"
    )
    if "above" in row:
        lower = float(statement(row["above"], **inputs))
        assert lower < result, f"{row['id']} {row['above']}: {lower!r}, not below {result!r}"


class GoldenFile(pytest.File):
    """One paper's reference values."""

    def collect(self):
        # Rows of one form are told apart by their number among them.
        number = {}
        for line in self.path.read_text("utf-8").splitlines():
            row = json.loads(line)
            name = f"{row['id']} {row['form']}"
            number[name] = number.get(name, 0) + 1
            yield GoldenRow.from_parent(self, name=f"{name} {number[name]}", row=row)


class GoldenRow(pytest.Item):
    """One row."""

    def __init__(self, *, row, **rest):
        super().__init__(**rest)
        self.row = row

    def runtest(self):
        check(self.row)

    def reportinfo(self):
        return self.path, None, self.name

    def repr_failure(self, excinfo):
        # The row says what is wrong, not the lines of this file.
        if excinfo.errisinstance(AssertionError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


def pytest_collect_file(file_path, parent):
    """The collector of reference values, for tests/conftest.py."""
    return GoldenFile.from_parent(parent, path=file_path) if file_path.name == NAME else None

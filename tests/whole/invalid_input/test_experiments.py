"""Every field of every experiment: an invalid value is refused by name, or is of its kind."""

import math
from dataclasses import MISSING, fields

import pytest

from accounting.problems.options import option
from bounds.declared import EXPERIMENTS
from tests.core.invalid_input.values import PLAIN

FIELDS = [(name, each) for name in EXPERIMENTS.names() for each in fields(EXPERIMENTS.get(name))]


def of_its_kind(about, value):
    if about.kind in ("text", "flag", "table"):
        return isinstance(value, {"text": str, "flag": bool, "table": dict}[about.kind])
    if about.kind == "built":
        # Rows: the name of a set or of a file, or what holds features and targets.
        return isinstance(value, str) or hasattr(value, "features") or len(value) == 2
    if about.kind == "texts":
        return isinstance(value, tuple) and all(isinstance(each, str) for each in value)
    if about.kind == "word":
        return value in about.words
    if about.kind == "rule":
        return callable(value) or 0 < value < math.inf
    above = value > about.low if about.low_open else value >= about.low
    below = value < about.high if about.high_open else value <= about.high
    return above and below and (about.kind == "real" or isinstance(value, int))


def attempt(kind, given, name):
    try:
        return getattr(kind(**given), name), None
    except ValueError as error:
        return None, str(error)


@pytest.mark.parametrize(("name", "each"), FIELDS, ids=lambda x: getattr(x, "name", x))
def test_an_invalid_value_is_refused_by_name(name, each):
    kind, about = EXPERIMENTS.get(name), option(each)
    given = {f.name: 0.5 for f in fields(kind) if f.default is MISSING}
    for words, value in PLAIN.items():
        found, said = attempt(kind, {**given, each.name: value}, each.name)
        if said is None:
            assert (found is None and each.default is None) or of_its_kind(about, found), words
        else:
            assert each.name in said or "must not be given" in said, words

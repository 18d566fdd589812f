"""Lines of the fields of a JSON text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forgetproof.linting.places import line_of, lines

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


def paths(value, path=""):
    """Path of every field, in the order of the document, by a walk of its own."""
    fields = []
    if isinstance(value, dict):
        fields = [(f"{path}.{key}" if path else key, inner) for key, inner in value.items()]
    elif isinstance(value, list):
        fields = [(f"{path}[{place}]", inner) for place, inner in enumerate(value)]
    for name, inner in fields:
        yield name
        yield from paths(inner, name)


@given(VALUES, st.sampled_from([None, 0, 3]))
def test_every_field_has_a_line(value, indent):
    found = lines(json.dumps(value, indent=indent))
    assert set(found) == set(paths(value))
    if indent is None:
        assert set(found.values()) <= {1}


def test_lines_are_those_where_the_key_stands():
    text = '{"a": 1,\n "b": [{"c": {},\n  "d e": "x\\"}\\n"}, [],\n\n [2]]}'
    assert lines(text) == {
        "a": 1,
        "b": 2,
        "b[0]": 2,
        "b[0].c": 2,
        "b[0].d e": 3,
        "b[1]": 3,
        "b[2]": 5,
        "b[2][0]": 5,
    }


@pytest.mark.parametrize(
    ("key", "line"),
    [
        ("a.b", 2),
        ("a.b.c", 2),
        ("a.x", 1),
        ("steps.noise.on", 4),
        ("steps[0].clip", 3),
        ("z", None),
    ],
)
def test_a_field_that_is_absent_has_the_line_of_what_it_lies_in(key, line):
    places = {"a": 1, "a.b": 2, "steps": 3, "steps[0]": 3, "steps[0].noise": 4}
    assert line_of(places, key) == line

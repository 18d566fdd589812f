"""Documents of mechanisms: read, written, refused by the path of the field."""

import copy
import json
import re
from pathlib import Path

import pytest

from accounting.mechanism import Constant, Mechanism, schema
from accounting.mechanism._schema import made
from forgetproof.json_schema import JsonSchema

EXAMPLES = sorted((Path(__file__).resolve().parents[3] / "docs" / "mechanisms").glob("*.json"))
WORDS = [path.name.removesuffix(".mechanism.json") for path in EXAMPLES]


def gradient(**changes):
    """A document with a gradient segment in which everything optional stands."""
    step = {
        "count": 10,
        "sees": True,
        "batches": {"drawn": "poisson", "rate": 0.1, "rate_without": 0.1, "last": "kept"},
        "clip": {"norm": {"value": 2, "origin": "enforced"}, "each": "row", "decay": "outside"},
        "divisor": {"value": 10, "is": "constant"},
        "noise": {"deviation": 1.5, "on": "sum", "drawn": "fresh", "seed": "system"},
        "step_size": 0.5,
        "decay": 0.1,
        "optimizer": "sgd",
        "momentum": 0,
        "radius": 3.0,
        "row_gradient": {"value": 1.0, "origin": "assumed", "by": "a plot"},
    }
    document = {
        "schema": "forgetproof/mechanism/1",
        "name": "everything",
        "source": {"file": "train.py", "line": 3, "last_line": 9, "revision": "abc"},
        "relation": {"adjacency": "delete", "rows": 2, "reference": "N+K"},
        "n": 100,
        "dimension": 7,
        "losses": "scalar",
        "smoothness": {"value": 0.25, "origin": "public"},
        "start": 0.0,
        "steps": [step],
        "outputs": 1,
        "layers": ["BatchNorm"],
        "tuned_on_rows": ["step_size"],
        "released": [3, 5],
        "requests": "oblivious",
        "claims": [
            {"mu": 1.0},
            {
                "epsilon": 1.0,
                "delta": 1e-5,
                "made_from": 0,
                "conversion": "of the Gaussian curve",
                "rounding": 0.05,
                "billed": {"steps.batches.drawn": "poisson", "steps.count": 5},
                "where": "abstract",
            },
        ],
        "places": {"steps[0].clip.norm": {"file": "train.py", "line": 4}},
    }
    return {**document, **changes}


def leaves(node, path=()):
    """The way to every value below, objects and lists among them."""
    pairs = node.items() if isinstance(node, dict) else enumerate(node)
    for key, value in pairs:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from leaves(value, (*path, key))


def changed(document, way, value=None, *, leave_out=False):
    """The document with another value at a place, or without it."""
    made_of = copy.deepcopy(document)
    node = made_of
    for key in way[:-1]:
        node = node[key]
    if leave_out:
        del node[way[-1]]
    else:
        node[way[-1]] = value
    return made_of


def dotted(way):
    text = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in way)
    return text.removeprefix(".")


@pytest.mark.parametrize("path", EXAMPLES, ids=WORDS)
def test_an_example_is_written_as_it_was_read(path):
    document = json.loads(path.read_text("utf-8"))
    value = Mechanism.read(path)
    assert value.document() == document
    assert not any(JsonSchema(schema()).faults(document))
    assert value == Mechanism.of_document(document) == Mechanism.read(json.dumps(document))
    assert len({value, Mechanism.of_document(value.document())}) == 1


def test_there_are_examples_of_all_verdicts():
    assert len(EXAMPLES) == 17


def test_everything_optional_is_written_as_it_was_read():
    document = gradient()
    value = Mechanism.of_document(document)
    assert value.document() == document
    assert not any(JsonSchema(schema()).faults(document))
    assert json.loads(json.dumps(value.document())) == document


def test_what_was_left_out_stays_out():
    document = {key: value for key, value in gradient().items() if key not in ("n", "start")}
    assert Mechanism.of_document(document).document() == document


def test_the_schema_is_that_of_the_parts():
    assert schema() == made()


WAYS = [way for way in leaves(gradient()) if way[:1] not in (("places",), ("schema",))]
TYPED = [way for way in WAYS if "billed" not in way]


@pytest.mark.parametrize("way", TYPED, ids=dotted)
def test_a_value_of_another_type_is_refused_by_its_path(way):
    for wrong in (float("nan"), [[]], {"no": 1}, -1.0, 1e400, True):
        if way[-1] == "sees" and wrong is True:
            continue
        document = changed(gradient(), way, wrong)
        with pytest.raises(ValueError, match=r" (must|given)") as refusal:
            Mechanism.of_document(document)
        # An object or a list in the place of another names what it lacks inside.
        assert str(refusal.value).startswith(dotted(way)), str(refusal.value)
        if wrong == wrong and wrong not in (float("inf"), -1.0):
            assert any(JsonSchema(schema()).faults(document))


# What other fields ask for.
NEEDED = {"steps[0].batches.rate", "steps[0].clip.norm", "claims[0].mu", "steps[0]"}
NEEDED |= {"source.line", "claims[0]"}


@pytest.mark.parametrize("way", WAYS, ids=dotted)
def test_a_value_that_is_null_or_lacking_is_refused_or_has_a_default(way):
    with pytest.raises(ValueError):
        Mechanism.of_document(changed(gradient(), way, None))
    document = changed(gradient(), way, leave_out=True)
    # What is lacking is refused with the place, and the schema refuses it too; or it has a default.
    if any(JsonSchema(schema()).faults(document)) or dotted(way) in NEEDED:
        with pytest.raises(ValueError, match="^" + re.escape(dotted(way[:-1]))):
            Mechanism.of_document(document)
    else:
        assert Mechanism.of_document(document).document() == document


CROSSED = {
    "another version": ({"schema": "forgetproof/mechanism/2"}, "schema must be one of"),
    "a field that is not known": ({"clip": 1}, "clip must be left out"),
    "a state after the last": ({"released": [10]}, "released must be below the 10 steps"),
    "states out of order": ({"released": [5, 3]}, "released must be"),
    "more rows than n": ({"n": 1}, "relation.rows must be at most n = 1"),
    "a later claim": ({"claims": [{"mu": 1, "made_from": 0}]}, r"claims\[0\].made_from"),
    "two forms of claim": ({"claims": [{"mu": 1, "slope": 1}]}, r"claims\[0\].epsilon and"),
    "a list that is billed": (
        {"claims": [{"mu": 1, "billed": {"steps.count": [1]}}]},
        r"claims\[0\].billed\['steps.count'\] must be a number",
    ),
    "half a claim": ({"claims": [{"epsilon": 1}]}, r"claims\[0\].epsilon and delta"),
}


@pytest.mark.parametrize(("changes", "words"), CROSSED.values(), ids=CROSSED)
def test_fields_that_do_not_go_together_are_refused(changes, words):
    with pytest.raises(ValueError, match=words):
        Mechanism.of_document(gradient(**changes))


STEPS = {
    "poisson without a rate": ({"batches": {"drawn": "poisson"}}, "batches.rate or size"),
    "a rate of full batches": ({"batches": {"drawn": "full", "rate": 0.1}}, "batches.rate must"),
    "cyclic without a size": ({"batches": {"drawn": "cyclic"}}, "batches.size must"),
    "batches larger than n": ({"batches": {"drawn": "cyclic", "size": 101}}, "batches.size must"),
    "groups of rows": ({"clip": {"norm": 2, "each": "row", "groups": 2}}, "clip.groups must"),
    "no groups": ({"clip": {"norm": 2, "each": "group"}}, "clip.groups must"),
    "a clip without a norm": ({"clip": {"each": "row"}}, "clip.norm must"),
    "a constant divisor beside": (
        {"divisor": {"value": 1, "is": "constant", "beside": 2}},
        "divisor.beside must",
    ),
    "a gradient above the clip": ({"row_gradient": 3}, "row_gradient must be at most"),
}


@pytest.mark.parametrize(("changes", "words"), STEPS.values(), ids=STEPS)
def test_fields_of_a_step_that_do_not_go_together_are_refused(changes, words):
    document = gradient()
    document["steps"] = [{**document["steps"][0], **changes}]
    with pytest.raises(ValueError, match=r"steps\[0\]." + words):
        Mechanism.of_document(document)


STRICT = {
    "NaN": ('{"n": NaN}', "n must be a finite number, got NaN"),
    "infinity": ('{"a": [1, {"b": -Infinity}]}', r"a\[1\].b must be a finite number"),
    "beyond the floats": ('{"n": 1e400}', "n must be a finite number, got 1e400"),
    "beyond 2^53": ('{"n": 9007199254740993}', r"n must be a whole number of at most 2\^53"),
    "many digits": ('{"n": ' + "9" * 5000 + "}", r"n must be a whole number of at most 2\^53"),
    "a key that stands twice": ('{"a": {"b": 1, "b": 1}}', "a.b must be given once"),
    "33 levels": ('{"a":' * 33 + "{}" + "}" * 33, "must be nested at most 32 deep"),
    "100,000 levels": ('{"a":' * 100_000, "must be nested at most 32 deep"),
    "no JSON": ("{", "document must be JSON, got Expecting"),
    "no object": ("{} []", "document must be JSON, got Extra data"),
}


@pytest.mark.parametrize(("text", "words"), STRICT.values(), ids=STRICT)
def test_what_is_no_strict_json_is_refused_by_its_path(text, words, tmp_path):
    with pytest.raises(ValueError, match=words):
        Mechanism.read(text)
    path = tmp_path / "a.json"
    path.write_text(text, "utf-8")
    with pytest.raises(ValueError, match=words):
        Mechanism.read(path)


def test_bytes_that_are_no_text_are_refused(tmp_path):
    path = tmp_path / "a.json"
    path.write_bytes(b'{"name": "\xff"}')
    with pytest.raises(ValueError, match=r"document must be UTF-8, got byte 0xff at 10"):
        Mechanism.read(path)
    with path.open("wb") as file:
        file.truncate(16 * 10**6 + 1)
    with pytest.raises(ValueError, match="document must be at most 16000000 bytes"):
        Mechanism.read(path)


KNOWN = {"claims", "source", "places", "name"}
DRAFTS = [way for way in WAYS if not KNOWN & set(way) and not isinstance(way[-1], int)]
INSIDE = {"value", "origin", "by"}


@pytest.mark.parametrize("way", DRAFTS, ids=dotted)
def test_a_value_may_be_unknown(way):
    document = changed(gradient(), way, "unknown")
    constant = way[-1] in INSIDE and way[-2] in ("norm", "smoothness", "row_gradient")
    if constant and way[-1] != "by":
        with pytest.raises(ValueError, match="must be"):
            Mechanism.of_document(document)
        return
    value = Mechanism.of_document(document)
    assert value.document() == document
    assert not any(JsonSchema(schema()).faults(document))
    assert value.draft == (way[-1] != "by")
    assert value.unknowns == ((dotted(way),) if value.draft else ())


def test_one_row_is_not_all_rows():
    """True == 1 in Python; of a request of two rows they are two documents."""
    every = Mechanism.of_document(gradient())
    single = every.with_values({"steps.sees": 1})
    assert every != single
    assert single.document()["steps"][0]["sees"] is not True
    assert single == Mechanism.of_document(single.document())


INVALID = {
    "none": None,
    "a list": [],
    "an empty text": "",
    "bytes": b"{}",
    "a number": 1,
    "nan": float("nan"),
    "a schema that is a list": {"schema": []},
    "a key that is a number": {1: 2},
    "a list of lists": [["a"]],
    "another key": {"a": {}},
}


@pytest.mark.parametrize("value", INVALID.values(), ids=INVALID)
def test_anything_else_is_refused_with_a_message(value):
    with pytest.raises(ValueError, match=r" must "):
        Mechanism.of_document(value)
    with pytest.raises(ValueError, match=r" must "):
        Mechanism.of_document(gradient(steps=value, claims=value))


def test_constants_have_origins():
    value = Mechanism.of_document(gradient())
    constants = dict(value.constants)
    assert constants["smoothness"] == Constant(value=0.25)
    assert constants["steps[0].clip.norm"].origin == "enforced"
    assert constants["steps[0].step_size"].firm
    soft = {path for path, each in value.constants if not each.firm}
    assert soft == {"steps[0].row_gradient"}


def test_values_at_paths_are_exchanged():
    value = Mechanism.of_document(gradient())
    other = value.with_values({"steps.batches": {"drawn": "full"}, "released": "last"})
    assert other.steps[0].batches.drawn == "full"
    assert other.released == "last"
    assert value.edited(n=50).n == 50
    with pytest.raises(ValueError, match="path must be the path of a field"):
        value.with_values({"steps.clips.norm": 1})

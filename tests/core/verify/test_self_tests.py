"""Equalities that hold the simulators: complete, in every run, and quick to notice an edit."""

import ast
import json
import math
import sys
from pathlib import Path

import numpy as np
import pytest

import simulators
from tests.forks import forked
from verify import self_tests
from verify.mutation.run import PLUMBING
from verify.self_tests import Equality
from verify.self_tests.subjects import subjects

ROOT = Path(simulators.__file__).parent.parent
HELD = {module for modules in subjects().values() for module in modules}


@pytest.mark.parametrize("subject", subjects())
def test_the_simulators_agree_with_the_other_routes(subject):
    assert self_tests.broken(subject) is None


def test_an_extra_that_is_not_installed_breaks_no_equality(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.setattr(self_tests, "import_module", lambda name: __import__("torch"))
    assert self_tests.broken.__wrapped__("verify.self_tests.paths") is None


def test_every_subject_is_a_module_and_what_it_holds_exists():
    folders = [ROOT / "verify" / "self_tests", *(ROOT / "verify").glob("*/self_tests")]
    files = {
        ".".join(p.relative_to(ROOT).with_suffix("").parts) for f in folders for p in f.glob("*.py")
    }
    plain = {
        name for name in files if name.rpartition(".")[2] not in ("__init__", "subjects", "uses")
    }
    assert plain == subjects().keys()
    assert all((ROOT / f"{m.replace('.', '/')}.py").exists() for m in HELD)
    assert len(HELD) == sum(map(len, subjects().values()))
    assert not {f"{m.replace('.', '/')}.py" for m in HELD} & PLUMBING


def test_no_check_takes_a_name_from_the_top_of_the_simulators():
    """Names that load when they are asked for would hide the module that they come from."""
    names = {path.stem for path in (ROOT / "simulators").iterdir()}
    for path in (ROOT / "verify").rglob("*.py"):
        text = path.read_text("utf-8")
        # Without these words there is no such statement to parse the text for.
        nodes = ast.walk(ast.parse(text)) if "from simulators import" in text else ()
        for node in nodes:
            if isinstance(node, ast.ImportFrom) and node.module == "simulators":
                assert {a.name for a in node.names} <= names, path


@pytest.mark.parametrize(
    ("found", "wanted"),
    [(1.0, 1.1), ([1.0, 2.0], 1.0), (math.nan, 1.0), (math.inf, 1.0), (1.0, math.inf)],
    ids=["another number", "another shape", "not a number", "infinite", "finite"],
)
def test_a_departure_is_told(found, wanted):
    assert Equality("f", found, wanted).departs
    assert str(Equality("f", found, wanted)).startswith("f ")


def test_equal_infinities_and_rounding_are_no_departure():
    assert not Equality("f", [math.inf, 1.0], [math.inf, 1 + 1e-12]).departs
    assert not Equality("f", np.zeros(0), []).departs


# Each of them left every verdict as it was when only the checks looked.
EDITS = {
    "no first moment": (
        "simulators.exact.projected_stream",
        "2 * xt * first + xt * xt",
        "2 * xt + xt * xt",
    ),
    "rounds counted from two": ("simulators.online.streams", "s - 1 for s in", "s + 1 for s in"),
    "panels of the wider scale": (
        "simulators.exact.line_divergence",
        "width = min(float(p.scales.min()), float(q.scales.min()))\n    pieces",
        "width = max(float(p.scales.min()), float(q.scales.min()))\n    pieces",
    ),
    "graded panels of the wider scale": (
        "simulators.exact.line_divergence",
        "width = min(float(p.scales.min()), float(q.scales.min()))\n    terms",
        "width = max(float(p.scales.min()), float(q.scales.min()))\n    terms",
    ),
    "a crossing not found": (
        "simulators.exact.line_divergence",
        "sign[:-1] * sign[1:] < 0",
        "sign[:-1] * sign[1:] > 0",
    ),
    "noise of another size": (
        "simulators.engine.plan",
        "math.sqrt(2.0 * self",
        "math.sqrt(4.0 * self",
    ),
    "deletions a round late": (
        "simulators.streaming.forgotten",
        ".rounds[:, columns] == t)",
        ".rounds[:, columns] < t)",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_that_the_checks_miss_is_noticed(name):
    module, old, new = EDITS[name]
    text = (ROOT / f"{module.replace('.', '/')}.py").read_text("utf-8")
    assert text.count(old) == 1
    order = {"module": module, "source": text.replace(old, new), "claims": []}
    done = forked(["-m", "verify.mutation.child"], cwd=ROOT, input=json.dumps(order))
    assert json.loads(done.stdout)["killed_by"].startswith("self_tests.")

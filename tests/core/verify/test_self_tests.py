"""Equalities that hold the simulators: complete, in every run, and quick to notice an edit."""

import ast
import json
import math
import sys
from functools import lru_cache, partial
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

import bounds
import simulators
from bounds.declared import EXPERIMENTS, views
from simulators.random import normals
from tests.forks import forked
from verify import checks, self_tests
from verify.measurements import measured_in
from verify.mutation.run import PLUMBING
from verify.mutation.trace import _calls, users
from verify.runner import run
from verify.self_tests import Equality
from verify.self_tests.subjects import subjects
from verify.self_tests.uses import names

ROOT = Path(simulators.__file__).parent.parent
HELD = {module for modules in subjects().values() for module in modules}
# They read files, choose devices, or only hold what others computed.
WITHOUT_NUMBERS = {
    "simulators.device.default",
    "simulators.data._contents",
    "simulators.data.files",
    "simulators.data.idx",
    "simulators.data.table",
    "simulators.device.placement",
    "simulators.device.memory",
    "simulators.device.cuda_graphs",
    "simulators.device.threads",
}
# Parts of experiments that tests of their own hold, and no equality yet.
HELD_BY_TESTS = {
    "simulators.data.scaling",
    "simulators.losses.huber",
    "simulators.losses.logcosh",
    "simulators.online.adversarial",
    "simulators.online.deletions",
    "simulators.online.named",
    "simulators.online.quadratics",
    "simulators.streaming.stream_run",
    "simulators.streaming.track",
    "simulators.trajectory.recollection",
}
# It needs a device and Triton; what tensors answer is held, and tests compare it with that.
ON_A_DEVICE = {"simulators.random.philox_kernels"}


@pytest.mark.parametrize("subject", subjects())
def test_the_simulators_agree_with_the_other_routes(subject):
    assert self_tests.broken(subject) is None


def test_every_simulator_that_a_check_imports_is_held():
    claims = bounds.statements()
    added = {view.__module__ for name in EXPERIMENTS.names() for view in views(name)}
    runs = {module for claim in claims for module in measured_in(claim)}
    modules = {*runs, *(checks.module(claim).__name__ for claim in claims)}
    used = frozenset().union(*map(names, modules))
    used = {module for module in used if module.startswith("simulators.") or module in added}
    packages = {m for m in used if (ROOT / m.replace(".", "/")).is_dir()}
    assert used - HELD - packages - HELD_BY_TESTS - ON_A_DEVICE == WITHOUT_NUMBERS


# Together they run three quarters of the functions of the simulators that any check runs, were
# it not that a dear one, which stands for a tenth of them, is left to the full profile.
DEAR = "olu.thm2"
SAMPLE = (
    "olu.alg2",
    "sglu.alg1",
    "sglu.def2.2",
    "own.x",
    "hf.table1.steps",
    "mini.alg3",
    "mini.base.guo.newton",
)


@pytest.fixture
def nothing_kept(monkeypatch):
    """Every cache of the checks and simulators is empty; what it held is put back afterwards."""
    for module in HELD | HELD_BY_TESTS | WITHOUT_NUMBERS:
        import_module(module)  # what an import runs is no call of a check
    empty = {}
    for home in [m for name, m in sys.modules.items() if name.startswith(("simulators", "verify"))]:
        for name, kept in list(vars(home).items()):
            if hasattr(kept, "cache_parameters"):
                if kept not in empty:
                    empty[kept] = lru_cache(**kept.cache_parameters())(kept.__wrapped__)
                monkeypatch.setattr(home, name, empty[kept])


def test_every_function_of_the_simulators_that_a_check_runs_is_run_by_an_equality(
    monkeypatch, nothing_kept, full
):
    monkeypatch.setattr(normals, "FEW", 0)  # numba's numbers, as a long check has them
    held = set()
    for subject in subjects():  # first: what they leave in caches is held
        called, departure = _calls(partial(self_tests.broken, subject))
        assert departure is None
        held |= called
    run_by_checks = {
        (file, name)
        for file, name in users([*SAMPLE, DEAR] if full else SAMPLE)
        if file.startswith("simulators/") and not name.startswith("<")
    }
    assert len(run_by_checks) > 150
    assert run_by_checks <= held


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
    for path in (ROOT / "verify").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "simulators":
                names = {p.stem for p in (ROOT / "simulators").iterdir()}
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


def test_a_claim_whose_simulator_departs_is_not_run(monkeypatch):
    monkeypatch.setattr(
        self_tests, "broken", lambda subject: "f is 1, not 2" * subject.endswith(".paths")
    )
    broken, other = run(["mini.alg3", "mini.tab1"])
    assert broken.error is None
    assert {v.word for v in broken.verdicts} == {"not run"}
    assert {v.reason for v in broken.verdicts} == {"paths: f is 1, not 2"}
    assert "not run" not in {v.word for v in other.verdicts}

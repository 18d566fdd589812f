"""Equalities that hold the simulators of the papers' checks."""

import sys
from functools import lru_cache, partial
from importlib import import_module

import pytest

import bounds
from bounds.declared import EXPERIMENTS, views
from simulators.random import normals
from tests.core.verify.test_self_tests import HELD, ROOT
from verify import checks, self_tests
from verify.measurements import measured_in
from verify.mutation.trace import _calls, users
from verify.runner import run
from verify.self_tests.subjects import subjects
from verify.self_tests.uses import names

# They read files, choose devices, or only hold what others computed.
WITHOUT_NUMBERS = {
    "simulators.device.default",
    "simulators.data._contents",
    "simulators.data.files",
    "simulators.data.idx",
    "simulators.data.mlxtend_sets",
    "simulators.data.cells",
    "simulators.data.choices",
    "simulators.data.csv_cells",
    "simulators.data.disk",
    "simulators.data.faults",
    "simulators.data.frames",
    "simulators.data.raw_table",
    "simulators.data.rows_of",
    "simulators.data.table_record",
    "simulators.device.reporting",
    "simulators.runs.tables",
    "simulators.device.placement",
    "simulators.device.memory",
    "simulators.device.cuda_graphs",
    "simulators.device.threads",
}

# Parts of experiments that tests of their own hold, and no equality yet.
HELD_BY_TESTS = {
    "simulators.data.arrow_readers",
    "simulators.data.column_map",
    "simulators.data.iterated_reader",
    "simulators.data.lengths",
    "simulators.data.npy_reader",
    "simulators.data.pairwise",
    "simulators.data.pieced",
    "simulators.data.row_data",
    "simulators.data.row_reader",
    "simulators.data.row_views",
    "simulators.runs.extreme_rows",
    "simulators.runs.online_extremes",
    "simulators.runs.path_extremes",
    "simulators.data.prepared",
    "simulators.runs.scores",
    "simulators.runs.trial_moments",
    "simulators.runs.trial_quantiles",
    "simulators.runs.value_counts",
    "simulators.runs.trials",
    "simulators.data.scaling",
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


def test_every_simulator_that_a_check_imports_is_held():
    claims = bounds.statements()
    added = {view.__module__ for name in EXPERIMENTS.names() for view in views(name)}
    runs = {module for claim in claims for module in measured_in(claim)}
    modules = {*runs, *(checks.module(claim).__name__ for claim in claims)}
    used = frozenset().union(*map(names, modules))
    used = {module for module in used if module.startswith("simulators.") or module in added}
    packages = {m for m in used if (ROOT / m.replace(".", "/")).is_dir()}
    assert used - HELD - packages - HELD_BY_TESTS - ON_A_DEVICE == WITHOUT_NUMBERS


# Together they run three quarters of the functions of the simulators that any check runs.
SAMPLE = (
    "olu.thm2",
    "olu.alg2",
    "sglu.alg1",
    "sglu.def2.2",
    "own.x",
    "hf.table1.steps",
    "mini.alg3",
    "mini.base.guo.newton",
)


@pytest.fixture
def nothing_kept(monkeypatch, full):
    """Every cache of the checks and simulators is empty; what it held is put back afterwards."""
    if not full:
        pytest.skip("every call is looked at, of equalities that other tests hold")
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
    monkeypatch, nothing_kept
):
    monkeypatch.setattr(normals, "FEW", 0)  # numba's numbers, as a long check has them
    held = set()
    for subject in subjects():  # first: what they leave in caches is held
        called, departure = _calls(partial(self_tests.broken, subject))
        assert departure is None
        held |= called
    run_by_checks = {
        (file, name)
        for file, name in users(SAMPLE)
        if file.startswith("simulators/") and not name.startswith("<")
    }
    assert len(run_by_checks) > 150
    assert run_by_checks <= held


def test_a_claim_whose_simulator_departs_is_not_run(monkeypatch):
    monkeypatch.setattr(
        self_tests, "broken", lambda subject: "f is 1, not 2" * subject.endswith(".paths")
    )
    broken, other = run(["mini.alg3", "mini.tab1"])
    assert broken.error is None
    assert {v.word for v in broken.verdicts} == {"not run"}
    assert {v.reason for v in broken.verdicts} == {"paths: f is 1, not 2"}
    assert "not run" not in {v.word for v in other.verdicts}

"""Checks of claims on a cluster: the same evidence, and other code is refused."""

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from simulators.runs.langevin import LangevinUnlearning
from tests.whole.verify.light import LIGHT
from verify import executors, runner
from verify.jsonio import dumps
from verify.trials import run_trials

IDS = LIGHT[:12]
ROOT = Path(__file__).parents[3]


def evidence(outcomes):
    """All of it, to the last bit: one machine and one number of threads give one evidence."""
    return {o.claim.id: (o.evidence, o.verdicts) for o in outcomes}


@pytest.fixture(scope="module")
def cluster():
    """A scheduler and two workers, each a process of its own."""
    distributed = pytest.importorskip("distributed")
    environment = {"PYTHONPATH": str(ROOT)}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr(executors, "ANSWER", 600)  # a busy machine's scheduler answers late
        with distributed.LocalCluster(
            n_workers=2,
            threads_per_worker=2,
            processes=True,
            dashboard_address=None,
            silence_logs=50,
        ) as running:
            yield running


def test_a_cluster_gives_the_same_evidence_though_a_worker_is_killed(cluster):
    here = evidence(runner.run(IDS))
    killed = []

    def kill_one(done, total, id):
        if not killed:
            worker = next(iter(cluster.workers.values()))
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    there = evidence(runner.run(IDS, cluster=cluster.scheduler_address, progress=kill_one))
    assert killed
    assert there == here


def test_a_cluster_gives_the_same_trials(cluster):
    make = partial(LangevinUnlearning, data="synthetic", rows=20, dimension=2, sigma=0.01)
    make = partial(make, learn_epochs=1, trials=150_000)
    assert make().run().pieces.count == 3
    there = run_trials(make, cluster=cluster.scheduler_address)
    assert dumps(there) == dumps(make().run().document())


def test_other_code_on_a_worker_is_refused(cluster, monkeypatch):
    monkeypatch.setattr(executors, "formula_hash", lambda claim: "another")
    with pytest.raises(ValueError, match="dask must be a cluster whose workers have the code"):
        runner.run(IDS[:1], cluster=cluster.scheduler_address)

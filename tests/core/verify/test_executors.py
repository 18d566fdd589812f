"""Checks in processes and on a cluster: same evidence, deaths survived, other code refused."""

import os
import signal
from concurrent.futures import Executor, Future
from functools import partial
from multiprocessing import active_children
from multiprocessing.connection import wait

import pytest

from tests.core.verify.tasks import die, die_always, whose
from verify import executors, runner
from verify.executors import IncompleteRun, in_processes, kept, on_cluster

IDS = tuple(f"task.{k}" for k in range(12))


class ByHand(Executor):
    """Ends the older of two tasks as soon as there are two; at the last of all, both."""

    def __init__(self, count):
        self.given, self.open, self.count = [], [], count

    def submit(self, task, id):
        future = Future()
        self.given.append(id)
        self.open.append((future, id))
        while len(self.open) == 2 or (self.open and len(self.given) == self.count):
            ending, its = self.open.pop(0)
            ending.set_result(task(its))
        return future


def test_what_is_of_one_kin_follows_what_ended_and_all_is_run_once():
    """Two at a time: a and b have a process each, and c, without kin, comes behind them."""
    ids = [f"{kin}{i}" for i in range(3) for kin in "cab"]
    pool = ByHand(len(ids))
    found = dict(executors._results(pool, str.upper, ids, lambda: 2, lambda id: id[0].strip("c")))
    assert found == {id: id.upper() for id in ids}
    assert pool.given == ["a0", "b0", "a1", "b1", "a2", "b2", "c0", "c1", "c2"]


def test_the_next_kin_is_the_one_that_ended_then_a_free_one_then_none_then_the_largest():
    waiting = {"": 5, "a": 1, "b": 2, "c": 3}
    assert executors._next(waiting, "a", {"b"}) == "a"
    assert executors._next(waiting, "", {"c"}) == "b"
    assert executors._next(waiting, "gone", {"a", "b", "c"}) == ""
    assert executors._next({"a": 1, "c": 3}, "", {"a", "c"}) == "c"


def test_a_killed_process_is_replaced_and_nothing_is_lost_or_doubled(tmp_path):
    found = []
    task = partial(die, marker=tmp_path / "died", last=IDS[1])
    in_processes(2, IDS, task, lambda *r: found.append(r))
    assert (tmp_path / "died").exists()
    assert sorted(found) == sorted((id, id.upper()) for id in IDS)


def test_processes_that_always_die_end_the_run():
    with pytest.raises(IncompleteRun, match=r"task\.0 die"):
        in_processes(1, IDS[:2], die_always, lambda *r: None)


def test_what_follows_runs_behind_and_is_not_lost_with_its_process(tmp_path):
    """Every id asks for another; the process of one of these dies, and more follow that."""
    found = []

    def record(id, result):
        found.append((id, result))
        return [id * 2] if len(id) == 1 else None

    names = ["a", "b", "c"]
    in_processes(1, names, partial(die, marker=tmp_path / "died", last="bb"), record)
    assert (tmp_path / "died").exists()
    asked = [*names, *(name * 2 for name in names)]
    assert sorted(found) == sorted((id, id.upper()) for id in asked)


def test_processes_are_kept_for_more_work_and_ended():
    """One start for all work; a process that died meanwhile is replaced; none outlives the end."""
    owners, before = [], set(active_children())
    with kept():
        for _ in range(2):
            in_processes(1, IDS[:2], whose, lambda _, pid: owners.append(pid))
        assert len(set(owners)) == 1
        os.kill(owners[0], signal.SIGKILL)
        in_processes(1, IDS[:1], whose, lambda _, pid: owners.append(pid))
        assert len(set(owners)) == 2
    assert set(active_children()) <= before


def test_an_interrupt_ends_processes_that_wait_for_work():
    before = set(active_children())

    def interrupted():
        with kept():
            in_processes(1, IDS[:1], whose, lambda *r: None)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    for process in set(active_children()) - before:
        assert wait([process.sentinel], 60)  # the pool's thread may be the one that is told its end


def test_no_scheduler_and_jobs_on_a_cluster_are_refused(monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr(executors, "ANSWER", 0.2)
    with pytest.raises(ValueError, match="dask must be the address of a scheduler that answers"):
        on_cluster("tcp://127.0.0.1:1", IDS, str.upper, lambda *r: None, code=str)
    with pytest.raises(ValueError, match="jobs must be 1 on a cluster"):
        runner.run(IDS, jobs=2, cluster="tcp://127.0.0.1:1")

"""The scheduler of the suite hands out what pytest-xdist's own does, in the same order."""

from types import SimpleNamespace

import pytest

from tests.conftest import pytest_xdist_make_scheduler

FILES = {"a": 7, "b": 1, "c": 2, "d": 9, "e": 3, "f": 4}
IDS = [f"{file}.py::test[{i}]" for file, many in FILES.items() for i in range(many)]


class Node:
    """A process that only notes what it is to run."""

    def __init__(self, id):
        self.gateway, self.waiting, self.shutting_down = SimpleNamespace(id=id), [], False

    def send_runtest_some(self, places):
        self.waiting += places

    def shutdown(self):
        self.shutting_down = True


def run(scheduler):
    """What each of two processes ran, until one of them dies and the other runs the rest."""
    nodes, ran = [Node("first"), Node("second")], []
    for node in nodes:
        scheduler.add_node(node)
    for node in nodes:
        scheduler.add_node_collection(node, list(IDS))
    scheduler.schedule()
    while not scheduler.tests_finished:
        for node in nodes:
            if not node.waiting:
                continue
            place = node.waiting.pop(0)
            ran.append((node.gateway.id, IDS[place]))
            scheduler.mark_test_complete(node, place)
    left = {node.gateway.id: [IDS[place] for place in node.waiting] for node in nodes}
    return ran, left, scheduler.remove_node(nodes[0]), scheduler.has_pending


def test_two_processes_run_what_they_ran_before():
    scheduling = pytest.importorskip("xdist.scheduler").LoadFileScheduling
    option = SimpleNamespace(loadscopereorder=False, tx=["popen", "popen"])
    values = {"dist": "loadfile", "tx": ["2*popen"]}
    config = SimpleNamespace(option=option, getvalue=values.__getitem__)
    ours = run(pytest_xdist_make_scheduler(config, None))
    assert ours == run(scheduling(config))
    assert len(ours[0]) >= len(IDS) - 2
    values["dist"] = "load"
    assert pytest_xdist_make_scheduler(config, None) is None

"""Settings for the whole suite: one thread, reproducible hypothesis runs, no display, plain ids."""

import gc
import math
import os
import re
from contextlib import suppress
from importlib import import_module

# Two contended OpenMP threads were measured up to 600 times slower than one: whatever the shell has
# set, it is one, unless a run is to show what more of them change (tools/machines.py).
for variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[variable] = os.environ.get("FORGETPROOF_TEST_THREADS", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import pytest  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

from tests.golden import pytest_collect_file  # noqa: E402, F401  reads golden.jsonl

for profile, examples in (("quick", 25), ("full", 60)):
    settings.register_profile(
        profile,
        deadline=None,
        max_examples=examples,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )


def pytest_configure(config):
    settings.load_profile(config.option.forgetproof_profile)
    # What a command says every minute would stand in what slow machines print, and no others.
    import_module("forgetproof.progress").EVERY = math.inf
    # It draws constants of all sources that are loaded: they take seconds to read, and are others
    # where other tests ran before, so that no seed would draw the same again.
    with suppress(ImportError, AttributeError):  # versions that draw none
        providers = import_module("hypothesis.internal.conjecture.providers")
        none = providers._local_constants
        providers._get_local_constants = lambda: none


# By processor time, from 90 s down to 10 s.  The order decides how long a run takes, nothing else.
LONGEST = (
    "test_claims",
    "test_contract",
    "test_properties",
    "test_third_party",
    "test_questions",
    "test_plots",
    "test_audit_events",
    "test_verify_plot_replay",
    "test_self_tests",
    "test_costs",
    "test_executors",
    "test_missing_extras",
    "test_invalid_files",
    "test_items",
    "test_expressions",
    "test_kill_twenty",
    "test_mutation",
    "test_accounting",
    "test_bad_options",
    "test_power",
    "test_gaussian",
)


@pytest.fixture(scope="session")
def full(pytestconfig):
    """Whether `--forgetproof-profile full` was given: then more instances and seeds are tried."""
    return pytestconfig.option.forgetproof_profile == "full"


PLAIN = re.compile(r"[\w .,:;=+*/^()[\]'<>|-]{0,60}", re.ASCII)


@pytest.hookimpl(wrapper=True)
def pytest_collection():
    """Twenty thousand tests stay to the end: looking for garbage among them is a third of this.

    Then it is looked for less often than by default: three per cent of all that tests take.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 50, 50)
        gc.enable()


def pytest_collection_modifyitems(items):
    """Begins with files that take long, so that no process is left with one at the end."""
    places = {name: place for place, name in enumerate(LONGEST)}
    items.sort(key=lambda item: places.get(item.path.stem, len(places)))


def pytest_make_parametrize_id(val, argname):
    """What is no short line of text is called by its argument, which pytest numbers.

    Bytes can hold a time stamp, on which two collections in two seconds disagree.
    """
    shown = isinstance(val, str | int | float | complex)
    text = str(val) if shown else getattr(val, "__name__", "")
    nameless = isinstance(val, bytes) or text == "<lambda>"
    return argname if nameless or not PLAIN.fullmatch(text) else None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """For `--dist loadfile`: xdist's own counts all that is done again whenever a test ends."""
    if config.getvalue("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling

    class Collection(list):
        """Ids with their places."""

        def __init__(self, ids):
            super().__init__(ids)
            self.index = {id: place for place, id in enumerate(self)}.__getitem__

    class Scheduling(LoadFileScheduling):
        """Finds a test by its id, and keeps none that is done."""

        def add_node_collection(self, node, collection):
            super().add_node_collection(node, collection)
            if node in self.registered_collections:
                self.registered_collections[node] = Collection(collection)

        def mark_test_complete(self, node, item_index, duration=0):
            super().mark_test_complete(node, item_index, duration)
            work, id = self.assigned_work[node], self.registered_collections[node][item_index]
            file = self._split_scope(id)
            del work[file][id]
            if not work[file]:
                del work[file]

    return Scheduling(config, log)

"""A scheduler that is killed loses no piece of trials that had ended: another cluster goes on."""

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path

import pytest

from simulators.runs.langevin import LangevinUnlearning
from verify import executors, trials
from verify.jsonio import dumps

ROOT = Path(__file__).parents[3]
LEVELS = (0.5, 0.99)
make = partial(
    LangevinUnlearning,
    data="synthetic",
    rows=20,
    dimension=2,
    sigma=0.01,
    learn_epochs=1,
    trials=6 * 65_536,
)


def wait_for(port, scheduler):
    """Until the scheduler listens."""
    while scheduler.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    pytest.fail("the scheduler has ended")


@contextmanager
def processes(port):
    """A scheduler at this port and a worker of it, each killed at the end; yields the scheduler."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    address = f"tcp://127.0.0.1:{port}"
    words = {
        "scheduler": ["--host", "127.0.0.1", "--port", str(port)],
        "worker": [address, "--nthreads", "1", "--no-nanny"],
    }
    started = []
    try:
        for name, more in words.items():
            module = [sys.executable, "-m", f"distributed.cli.dask_{name}", *more]
            started.append(
                subprocess.Popen(
                    [*module, "--no-dashboard"],
                    env=environment,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                )
            )
        wait_for(port, started[0])
        yield started[0]
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.parametrize("at_once", [False, True], ids=["gone", "restarted-at-once"])
def test_a_killed_scheduler_loses_no_piece_and_a_restarted_one_goes_on(
    at_once, tmp_path, full, monkeypatch
):
    """at_once: another scheduler answers at the address before the client gives up."""
    pytest.importorskip("distributed")
    if not full:
        pytest.skip("it starts processes for seconds: --forgetproof-profile full")
    monkeypatch.setattr(trials, "SAVED", 0.0)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address, counts = f"tcp://127.0.0.1:{port}", []
    assert make().run().pieces.count == 6
    with ExitStack() as stack:
        scheduler = stack.enter_context(processes(port))

        def kill(done, total):
            counts.append(done)
            if len(counts) == 2:
                scheduler.send_signal(signal.SIGKILL)
                scheduler.wait()
                if at_once:
                    stack.enter_context(processes(port))

        with pytest.raises(executors.IncompleteRun, match="went away"):
            trials.run_trials(make, cluster=address, out=tmp_path, progress=kill, quantiles=LEVELS)
    # The same address again: a scheduler that was started anew, with a worker of its own.
    counted = []
    with processes(port):
        document = trials.run_trials(
            make,
            cluster=address,
            out=tmp_path,
            resume=True,
            progress=lambda done, total: counted.append(done),
            quantiles=LEVELS,
        )
    # Six pieces in each of three passes; those that had ended are not computed again.
    assert len(counts) + len(counted) == 18
    assert dumps(document) == dumps(trials.run_trials(make, quantiles=LEVELS))

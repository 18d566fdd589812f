"""Where checks run: several processes of this machine, or the workers of a Dask cluster."""

import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
)
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar

_Key = TypeVar("_Key")

# A pool that breaks this often without finishing one more claim is broken by the claims.
PATIENCE = 3
# Seconds to wait for the scheduler of a cluster.
ANSWER = 10
_one_at_a_time = Lock()
# A pool, and the processes that were there before it.
_Started = tuple[Executor, set[BaseProcess]]
_shelf: ContextVar[dict[int, _Started] | None] = ContextVar("shelf", default=None)


class IncompleteRun(Exception):
    """Workers kept dying; what they had finished is kept."""


def in_processes(
    jobs: int,
    ids: Iterable[_Key],
    task: Callable[[_Key], Any],
    record: Callable[[_Key, Any], Iterable[_Key] | None],
    kin: Callable[[_Key], str] = lambda key: "",
) -> None:
    """Runs `task` on each id in `jobs` processes, and hands every result to `record` as it comes.

    What `record` returns are further ids, which run behind those that wait. Ids of one `kin` (""
    for none) share what a process keeps, and follow each other in one where that keeps none
    waiting. A worker that is killed takes its pool with it: a new pool runs what is missing. An
    interrupt ends the workers instead of waiting for them.

    Raises:
        IncompleteRun: three pools in a row broke before they had finished anything.
    """
    missing, broken = list(ids), 0
    while missing:
        # A copy: `record` adds to it while the pool works, and `missing` keeps what a broken pool
        # lost.
        queue, finished = list(missing), 0
        try:
            with _pool(jobs) as pool:
                for id, result in _results(pool, task, queue, lambda: jobs, kin):
                    more = list(record(id, result) or ())
                    missing.remove(id)
                    missing += more
                    queue += more
                    finished += 1
        except BrokenProcessPool as error:
            # A pool that finished anything counts as progress: only those in a row that did not end
            # the run.
            broken = 0 if finished else broken + 1
            if broken == PATIENCE:
                raise IncompleteRun(f"the processes for {missing[0]} die: {error}") from error


@contextmanager
def kept() -> Iterator[None]:
    """Processes started inside wait for more work until its end: a start costs seconds."""
    shelf: dict[int, _Started] = {}
    token = _shelf.set(shelf)
    try:
        yield
    except BaseException:
        for started in shelf.values():
            _end(started)
        raise
    else:
        for pool, _ in shelf.values():
            pool.shutdown()
    finally:
        _shelf.reset(token)


@contextmanager
def _pool(jobs: int) -> Iterator[Executor]:
    shelf = _shelf.get()
    before = set(active_children())
    # Taken off the shelf while in use, so that no two runs share a pool.
    started = shelf.pop(jobs, None) if shelf is not None else None
    if started is None:
        # spawn: forked processes would share the state of torch and of threads.
        context = get_context("spawn")
        pool: Executor = ProcessPoolExecutor(
            jobs, mp_context=context, initializer=_end_with_the_run
        )
        started = pool, before
    try:
        yield started[0]
    # Also KeyboardInterrupt: waiting workers must end with it.
    except BaseException:
        _end(started)
        raise
    if shelf is None:
        started[0].shutdown()
    else:
        shelf[jobs] = started


def _end(started: _Started) -> None:
    """Ends the processes of a pool, whatever they are at."""
    pool, before = started
    pool.shutdown(wait=False, cancel_futures=True)
    # Only the pool's own processes: others were there before it.
    for process in set(active_children()) - before:
        process.terminate()


def _results(
    pool: Executor,
    task: Callable[[_Key], Any],
    ids: Sequence[_Key],
    most: Callable[[], int],
    kin: Callable[[_Key], str],
) -> Iterator[tuple[_Key, Any]]:
    """Each id with its result, as they end; ids that come in meanwhile run behind the others.

    most: how many may be handed out now: as many as there are processes. That which has just ended
    one is then the only one that is free, and takes the next.
    """
    running: dict[Future[Any], _Key] = {}
    ended: SimpleQueue[Future[Any]] = SimpleQueue()
    waiting: dict[str, deque[_Key]] = {}
    begun, last = 0, ""

    def submit() -> None:
        nonlocal begun
        # `ids` may have grown since the last call: new ones are sorted in where their kin wait.
        for id in ids[begun:]:
            waiting.setdefault(kin(id), deque()).append(id)
        begun = len(ids)
        if not any(waiting.values()):
            return
        allowed = most()
        while len(running) < allowed and (kinds := {k: len(v) for k, v in waiting.items() if v}):
            id = waiting[_next(kinds, last, {kin(other) for other in running.values()})].popleft()
            future = pool.submit(task, id)
            running[future] = id
            # The queue is thread-safe: callbacks run in the pool's own threads.
            future.add_done_callback(ended.put)

    submit()
    while running:
        completion = ended.get()
        id = running.pop(completion)
        last, result = kin(id), completion.result()
        # Before the result is handed over, as recording it may take long.
        with suppress(BrokenExecutor):  # no process waits while this result is looked at
            submit()
        yield id, result
        # Again: the caller may have added ids.
        submit()


def _next(waiting: Mapping[str, int], last: str, busy: Set[str]) -> str:
    """The kin whose turn it is: that which has just ended, then one that nobody is at, then none.

    waiting: how many of each are.
    """
    # The free process is that which has just ended one of this kin and keeps its run in memory.
    if last and last in waiting:
        return last
    # Kin that nobody is at, then single ids, then kin that another process is at; longest first.
    return max(waiting, key=lambda kin: (kin not in busy if kin else 0.5, waiting[kin]))


def on_cluster(
    address: str,
    ids: Iterable[_Key],
    task: Callable[[_Key], Any],
    record: Callable[[_Key, Any], Iterable[_Key] | None],
    kin: Callable[[_Key], str] = lambda key: "",
    *,
    code: Callable[[_Key], str],
) -> None:
    """`in_processes` on a Dask cluster; the scheduler repeats what a dead worker had begun.

    A worker has one task at a time, and workers may come and go. They need the same code: each
    result comes with the hash of the `code` behind it, as the worker has it.

    Raises:
        ModuleNotFoundError: the extra `dask` is not installed.
        ValueError: no scheduler answers at this address, or a worker has other code.
        IncompleteRun: a check took several workers with it, or the scheduler went away.
    """
    import dask
    from distributed import Client, KilledWorker
    from distributed.client import FutureCancelledError
    from distributed.comm.core import CommClosedError

    try:
        with dask.config.set({"distributed.comm.timeouts.connect": ANSWER}):
            client = Client(address, timeout=ANSWER, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise ValueError(
            f"dask must be the address of a scheduler that answers, such as tcp://host:8786, "
            f"got {address!r}: {error}"
        ) from error
    try:
        with client, client.get_executor(pure=False) as pool:
            queue = list(ids)
            elsewhere = _Elsewhere(task, code)

            def workers() -> int:
                # At least one is to come: a cluster may be at its start.
                try:
                    return max(len(client.nthreads()), 1)
                except OSError as error:
                    raise IncompleteRun(f"the cluster at {address} went away: {error}") from error

            for id, (hash, result) in _results(pool, elsewhere, queue, workers, kin):
                if hash != code(id):
                    raise ValueError(
                        f"dask must be a cluster whose workers have the code of this machine; "
                        f"at {address} {id} differs"
                    )
                queue += record(id, result) or ()
    except KilledWorker as error:
        raise IncompleteRun(
            f"a check took several workers of the cluster with it: {error}"
        ) from error
    except (CommClosedError, FutureCancelledError, CancelledError) as error:
        raise IncompleteRun(f"the cluster at {address} went away: {error}") from error


@dataclass(frozen=True)
class _Elsewhere(Generic[_Key]):
    """The task as a cluster's worker runs it: one at a time, with the hash of its code."""

    task: Callable[[_Key], Any]
    code: Callable[[_Key], str]

    def __call__(self, id: _Key) -> tuple[str, Any]:
        with _one_at_a_time:  # a worker may have several threads; a check has its own memory bound
            return self.code(id), self.task(id)


def _end_with_the_run() -> None:
    """In a worker: an interrupt ends it without a message, and so does the end of its parent.

    Ctrl-C reaches every process of a terminal, and one message is enough. A killed parent tells
    nobody, and its workers would wait for work for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if (parent := parent_process()) is not None:
        Thread(target=_outlive_not, args=(parent.sentinel,), daemon=True).start()


def _outlive_not(sentinel: int) -> None:
    # Readable once the parent is gone, however it went.
    wait([sentinel])
    os._exit(1)

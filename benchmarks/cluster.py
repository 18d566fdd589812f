"""Processor time of the same checks and plots by two local jobs and on a local Dask cluster of two.

Each way is a fresh `forgetproof verify` of the claims of one paper, with all plots; the cluster is
a scheduler and two workers, started as docs/long-work.md says.  The scheduler's, the workers' and
the client's processor time are counted, starts included: they weigh less the more there is to
check.  The two ways take turns, and of each the cheapest turn counts.

Run: python benchmarks/cluster.py [--paper olu] [--claims 1000] [--turns 1]
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time

import bounds

ADDRESS = "tcp://127.0.0.1:{port}"
# As docs/long-work.md starts them: without a profiler, seldom awake, and freed memory stays.
DASK = {
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
    "DASK_DISTRIBUTED__WORKER__MEMORY__MONITOR_INTERVAL": "2s",
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "MALLOC_TRIM_THRESHOLD_": str(1 << 30),
    "MALLOC_MMAP_THRESHOLD_": str(1 << 30),
}
FORGETPROOF = (sys.executable, "-m", "forgetproof", "verify")


def spent():
    """Processor seconds of all processes of this one that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def verified(ids, *options):
    """Processor seconds of one run, and seconds until its end."""
    before, start = spent(), time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [*FORGETPROOF, *ids, "--out", folder, *options],
            stdout=subprocess.DEVNULL,
            check=True,
        )
    return spent() - before, time.perf_counter() - start


def on_cluster(ids, port):
    """The same on a cluster; of client, workers and scheduler."""
    address = ADDRESS.format(port=port)
    module = (sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", str(port))
    environment = {**os.environ, **DASK}
    scheduler = subprocess.Popen(
        [*module, "--no-dashboard"], stderr=subprocess.DEVNULL, env=environment
    )
    worker = (sys.executable, "-m", "distributed.cli.dask_worker", address, "--no-dashboard")
    workers = [
        subprocess.Popen(
            [*worker, "--nthreads", "1"],
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        for _ in range(2)
    ]
    before = spent()
    client, seconds = verified(ids, "--dask", address)
    parts = [client]
    for processes in (workers, [scheduler]):
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()
        parts.append(spent() - before - sum(parts))
    return parts, seconds


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paper", default="olu")
    parser.add_argument("--claims", type=int, default=1000, help="so many of the paper's, at most")
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--port", type=int, default=18786)
    asked = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Modules compiled at every start would count for the way with more processes.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    ids = [claim.id for claim in bounds.statements(asked.paper)][: asked.claims]
    local, cluster = [], []
    for turn in range(asked.turns):
        local.append(verified(ids, "--jobs", "2"))
        cluster.append(on_cluster(ids, asked.port + turn))
    jobs, seconds = min(local)
    parts, longer = min(cluster, key=lambda turn: sum(turn[0]))
    client, workers, scheduler = parts
    print(f"{len(ids)} claims, {len(os.sched_getaffinity(0))} cores")
    heads = f"{'client':>8}{'workers':>9}{'scheduler':>11}"
    print(f"{'':<12}{'CPU s':>8}{heads}{'ratio':>7}{'wall s':>8}")
    print(f"{'two jobs':<12}{jobs:>8.1f}{'':>8}{'':>9}{'':>11}{1:>7.2f}{seconds:>8.1f}")
    print(
        f"{'cluster':<12}{sum(parts):>8.1f}{client:>8.1f}{workers:>9.1f}{scheduler:>11.1f}"
        f"{sum(parts) / jobs:>7.2f}{longer:>8.1f}"
    )


if __name__ == "__main__":
    main()

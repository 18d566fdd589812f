"""Trials in pieces: processor time and memory of `forgetproof simulate` as their number grows.

    python benchmarks/trials.py [--algorithm langevin] [--trials 1e6 1e7 1e8] [--jobs 1]

Langevin unlearning of twenty rows in two dimensions, ten steps a trial; an online learner of ten
rounds in two dimensions with two deletions; SAFE and tracking, two rounds on wine: next to nothing
beside the trials.  Every run is a process of its own; memory is its peak, of the largest process
with --jobs.
Ratios are to the first row.
"""

import argparse
import os
import subprocess
import sys

SETTINGS = {
    "langevin": "--data synthetic --rows 20 --dimension 2 --sigma 0.01 --learn-epochs 9 "
    "--test-share 0.2",
    "online": "--data quadratic --dimension 2 --rounds 10 --k 2 --epsilon 1",
    "safe": "--data wine --rounds 2",
    "tracking": "--data wine --rounds 2 --steps 2",
}


def spent(algorithm: str, trials: int, jobs: int) -> tuple[float, float]:
    """Seconds of the processor and MiB of a run."""
    command = f"-m forgetproof simulate {algorithm} {SETTINGS[algorithm]}"
    words = [sys.executable, *command.split(), "--trials", str(trials), "--jobs", str(jobs)]
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    # wait4 tells what this process used, and those that it waited for.
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"{' '.join(words)} ended with {process.returncode}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--algorithm", choices=list(SETTINGS), default="langevin")
    parser.add_argument("--trials", type=float, nargs="+", default=[1e6, 1e7, 1e8])
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    print("trials         cpu, s  of the first   peak, MiB  of the first")
    first = None
    for number in asked.trials:
        seconds, peak = spent(asked.algorithm, int(number), asked.jobs)
        first = first or (seconds, peak)
        print(
            f"{int(number):<12d} {seconds:8.2f} {seconds / first[0]:13.2f} {peak:11.0f} "
            f"{peak / first[1]:13.3f}",
            flush=True,
        )


if __name__ == "__main__":
    main()

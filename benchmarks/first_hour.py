"""The first hour of six people: what each types, what it costs, and what it answers.

    python benchmarks/first_hour.py            # writes benchmarks/first-hour.md
    python benchmarks/first_hour.py --letter b # prints one sheet

The commands are those of README's table, run in a new folder that holds `docs/` as a clone does.
Processor seconds are of one core, imports included; of a call in Python those of the call alone,
since training and data are the person's own.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHEET = ROOT / "benchmarks" / "first-hour.md"
LINES = 14  # of an answer that are shown
LETTERS = "abcdef"
COUNTS = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 1, "f": 1}
"""Person -> how many commands or calls it takes to a useful answer."""
TRAINING = """
from itertools import chain, islice, repeat

import numpy as np
import torch
from opacus import PrivacyEngine
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

pixels, digit = load_digits(return_X_y=True)
rows = np.c_[pixels - 5, np.full(len(pixels), 8.0)]
rows = torch.tensor(rows / np.linalg.norm(rows, axis=1, keepdims=True)).float()[:1437]
even = torch.tensor(digit % 2 == 0).float()[:1437, None]
model, engine = torch.nn.Linear(65, 1, bias=False), PrivacyEngine()
optimizer = torch.optim.SGD(model.parameters(), lr=0.5, weight_decay=0.1)
loader = DataLoader(TensorDataset(rows, even), batch_size=64)
model, optimizer, loader = engine.make_private(
    module=model, optimizer=optimizer, data_loader=loader, noise_multiplier=1.0, max_grad_norm=1.0)
for x, y in islice(chain.from_iterable(repeat(loader)), 460):
    optimizer.zero_grad()
    torch.nn.functional.binary_cross_entropy_with_logits(model(x), y).backward()
    optimizer.step()
"""
PEOPLE = """
import numpy as np
from forgetproof.testing import assert_unlearning

people = np.array([0.0, 1.0, 2.0, 9.0])

def learn(data, rng, trials):
    return np.full(trials, data.mean())

def unlearn(state, data, request, rng):
    kept = np.delete(data, request).mean()
    return (state + kept) / 2 + rng.normal(size=state.shape)

def retrain(data, request, rng, trials):
    return np.delete(data, request).mean() + rng.normal(size=trials)
"""
BEFORE = {"forgetproof.opacus_plan": TRAINING, "assert_unlearning": PEOPLE}
"""The call -> what a person has who makes it."""
TIMED = """
import time
import forgetproof
started = time.process_time()
print({call})
print("seconds", time.process_time() - started)
"""


@dataclass(frozen=True)
class Person:
    """A row of README's table.

    Attributes:
        letter: a to f.  has: what they have, in words.  gets: what they get.
        calls: commands of a shell, and calls in Python, in their order.
    """

    letter: str
    has: str
    calls: tuple[str, ...]
    gets: str


def people() -> Iterator[Person]:
    """The rows of README's table, in order."""
    text = (ROOT / "README.md").read_text("utf-8")
    table = text.partition("| you | one command | you get |")[2].partition("\n\n")[0]
    rows = re.findall(r"^\| (?!---)(.+?) \| (.+) \| (.+?) \|$", table, re.M)
    above = re.findall(r"^\$ (forgetproof .+)$", text.partition("| you |")[0], re.M)
    for letter, (has, commands, gets) in zip(LETTERS, rows, strict=True):
        # The first row names the command that stands above the table.
        calls = re.findall(r"`([^`]+)`", commands) or above
        yield Person(letter, has, tuple(calls), gets)


def prepared(folder: Path) -> None:
    """A folder that holds what a clone has beside the code."""
    shutil.copytree(ROOT / "docs", folder / "docs")


def run(call: str, folder: Path) -> tuple[float, int, str]:
    """Processor seconds, exit code, and what is printed, of a command or a call."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    shell = call.startswith("forgetproof ")
    if shell:
        words = ["-m", *shlex.split(call)]
    else:
        name = call.partition("(")[0]
        words = ["-c", BEFORE[name] + TIMED.format(call=call)]
    before = os.times()
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    after = os.times()
    seconds = after.children_user + after.children_system
    seconds -= before.children_user + before.children_system
    output = done.stdout + done.stderr
    if not shell and done.returncode == 0:
        output, _, told = done.stdout.rpartition("seconds ")
        seconds = float(told)
    return seconds, done.returncode, output.strip()


def sheet(person: Person, folder: Path) -> list[str]:
    """A person's sheet, as lines of Markdown."""
    lines = [f"## {person.letter}: {person.has}", ""]
    for call in person.calls:
        seconds, code, output = run(call, folder)
        shown = output.splitlines()
        more = [f"... and {len(shown) - LINES} lines more"] * (len(shown) > LINES)
        sign = "$" if call.startswith("forgetproof ") else ">>>"
        lines += ["```text", f"{sign} {call}", *shown[:LINES], *more, "```", ""]
        lines += [f"{seconds:.1f} CPU s, exit code {code}.", ""]
    return [*lines, f"In hand: {person.gets}.", ""]


def main() -> None:
    """Writes the sheets, or prints one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--letter", choices=list(LETTERS))
    wanted = parser.parse_args().letter
    lines = [
        "# The first hour, person by person",
        "",
        "Written by `python benchmarks/first_hour.py`: README's commands in a new folder, seconds",
        "of one core. Of a call in Python they are those of the call: training is one's own.",
        "",
    ]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepared(folder)
        for person in people():
            if wanted in (None, person.letter):
                lines += sheet(person, folder)
    text = "\n".join(lines).rstrip() + "\n"
    if wanted is None:
        SHEET.write_text(text, "utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()

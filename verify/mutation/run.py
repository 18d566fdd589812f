"""Chooses edits of the shipped source, runs the checks concerned, and reports the share killed."""

import hashlib
import json
import os
import random
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import bounds
from simulators.data.disk import parse_json, read_text, write
from verify.fingerprint import formula_hash
from verify.mutation.operators import Site, mutated, sites
from verify.mutation.trace import Users, place, users
from verify.typed import build, insist

COUNT = 30  # edits per paper in the formulas and in accounting
SHARED = 0.3  # of them in the code that papers share: accounting, and the top of bounds
SIMULATED = 0.5  # so many more, as a part of these, in the simulators that the paper's checks run
CHECKS = 6  # checks that get a chance to notice an edit, the nearest and fastest first
PATIENCE = 180  # seconds after which an edit that makes a check run on counts as noticed
# What refuses bad input and finds formulas is judged by tests of its own, not by claims.
PLUMBING = {
    "bounds/balls.py",
    "bounds/namespaces/free.py",
    "bounds/namespaces/numeric.py",
    "bounds/namespaces/precise.py",
    "bounds/namespaces/special.py",
    "bounds/namespaces/symbolic.py",
    "bounds/certificates.py",
    "bounds/draws.py",
    "bounds/forms.py",
    "bounds/hypotheses.py",
    "bounds/library.py",
    "bounds/interpretations.py",
    "bounds/kernel/algebra.py",
    "bounds/kernel/reading.py",
    "bounds/kernel/rules.py",
    "bounds/kernel/scope.py",
    "bounds/kernel/syntax.py",
    "bounds/proof_files/__init__.py",
    "bounds/proof_files/binding.py",
    "bounds/proof_files/generality.py",
    "bounds/proof_files/hypotheses.py",
    "bounds/proof_files/instances.py",
    "bounds/proof_files/multipliers.py",
    "bounds/proof_files/mutants.py",
    "bounds/proof_files/terms.py",
    "bounds/proof_files/values.py",
    "bounds/proof_files/witnesses.py",
    "bounds/statements.py",
    "bounds/symbols.py",
    "bounds/units/derive.py",
    "bounds/units/equations.py",
    "bounds/units/listed.py",
    "bounds/units/namespace.py",
    "bounds/units/quantity.py",
    "bounds/units/unit.py",
    "accounting/lazy_names.py",
    "accounting/numerics/arguments.py",
    "accounting/numerics/validation.py",
    "simulators/device/default.py",
    "simulators/device/placement.py",
}
SHARE = 0.95  # of the edits that are not equivalent, how many must be noticed

# {file: {name of a site, or "function: *" for all edits of a function: reason}}
EQUIVALENT: dict[str, dict[str, str]] = json.loads(
    Path(__file__).with_name("equivalent.json").read_text("utf-8")
)


@dataclass(frozen=True)
class Mutant:
    """One edit and what became of it.

    Attributes:
        paper, file: where it stands; `file` begins with the name of its package.
        site: the edit.
        claims: whose checks run the edited function.
        outcome: "killed", "survived", "equivalent", or "" before it was tried.
        by, why: the check that noticed and what it said; for an equivalent edit the reason.
        seconds: how long that took.
    """

    paper: str
    file: str
    site: Site
    claims: tuple[str, ...]
    outcome: str = ""
    by: str | None = None
    why: str = ""
    seconds: float = 0.0

    @property
    def part(self) -> str:
        """What it is counted with: the paper's formulas and accounting, or all simulators."""
        return "simulators" if self.file.startswith("simulators/") else self.paper

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return asdict(self)


def plan(paper: str, found: Users, count: int = COUNT, seed: int = 0) -> list[Mutant]:
    """A reproducible choice of edits in functions that this paper's checks run, spread over them.

    `count` of them in the formulas and in accounting, and half as many more in the simulators.
    Raises ValueError unless count >= 1.
    """
    if not count >= 1:
        raise ValueError(f"count must be >= 1, got {count}")
    # Seeded by the paper: another paper's edits do not move with it.
    order = random.Random(zlib.crc32(paper.encode()) + seed)
    home = bounds.paper(paper).package.replace(".", "/") + "/"
    own: list[str] = []
    shared: list[str] = []
    simulated: list[str] = []
    # Sorted: sets have no order of their own from run to run.
    for file in sorted({file for file, _ in found} - PLUMBING):
        if file.startswith("simulators/"):
            simulated.append(file)
        else:
            (own if file.startswith(home) else shared).append(file)
    common = _spread(shared, found, round(SHARED * count), order)
    picked = _spread(own, found, count - len(common), order) + common
    picked += _spread(simulated, found, round(SIMULATED * count), order)
    return [
        Mutant(paper, file, site, _nearest(file, site.function, found)) for file, site in picked
    ]


def _spread(
    files: Sequence[str], found: Users, count: int, order: random.Random
) -> list[tuple[str, Site]]:
    """Edits taken in turn from every function, in random order."""
    functions: dict[tuple[str, str], list[Site]] = {}
    for file in files:
        for site in sites(place(file).read_text("utf-8")):
            if (file, site.function) in found:
                functions.setdefault((file, site.function), []).append(site)
    # Shuffled once, then taken in turn: no large function takes all edits.
    keys = sorted(functions)
    order.shuffle(keys)
    for key in keys:
        order.shuffle(functions[key])
    picked: list[tuple[str, Site]] = []
    while len(picked) < count and any(functions.values()):
        for key in keys:
            if functions[key] and len(picked) < count:
                picked.append((key[0], functions[key].pop()))
    return picked


def _nearest(file: str, function: str, found: Users) -> tuple[str, ...]:
    """Claims whose checks run the function: those whose formula stands in the file come first."""
    times = found[file, function]
    here = file.removesuffix(".py").replace("/", ".")
    # The claim whose formula is edited should notice first; then the fastest.
    homes = {id: bounds.paper(id.split(".")[0]).module(id) for id in times}
    ranked = sorted(times, key=lambda id: (homes[id] != here, times[id], id))
    return tuple(ranked[:CHECKS])


def trial(mutant: Mutant) -> Mutant:
    """Tries one edit in a process of its own."""
    listed = EQUIVALENT.get(mutant.file, {})
    reason = listed.get(mutant.site.name) or listed.get(f"{mutant.site.function}: *")
    if reason is not None:
        return replace(mutant, outcome="equivalent", why=reason)
    start = time.perf_counter()
    source = mutated(place(mutant.file).read_text("utf-8"), mutant.site)
    module = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    order = {"module": module, "source": source, "claims": mutant.claims}
    path = os.pathsep.join([str(place("verify").parent), *filter(None, sys.path)])
    # A process of its own: a module is read once, and an edit may hang or kill.
    try:
        process = subprocess.run(
            [sys.executable, "-m", "verify.mutation.child"],
            input=json.dumps(order),
            text=True,
            capture_output=True,
            timeout=PATIENCE,
            env={**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1"},
        )
    except subprocess.TimeoutExpired:
        answer = {"killed_by": "time", "why": f"no answer within {PATIENCE} s"}
    else:
        if process.returncode:
            last = (process.stderr.strip().splitlines() or ["died"])[-1]
            answer = {"killed_by": "process", "why": last}
        else:
            # The last line: checks may print before it.
            answer = json.loads(process.stdout.splitlines()[-1])
    seconds = time.perf_counter() - start
    outcome = "killed" if answer["killed_by"] else "survived"
    return replace(
        mutant, outcome=outcome, by=answer["killed_by"], why=answer["why"], seconds=seconds
    )


def run(
    papers: Iterable[str],
    *,
    count: int = COUNT,
    seed: int = 0,
    jobs: int = 1,
    out: Path | None = None,
    resume: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> list[Mutant]:
    """Tries `count` edits a paper, and half as many more in the simulators; `seed` draws others.

    With `out`, results go to `out/mutants.jsonl` as they come, and `resume` keeps those that an
    earlier run found on the same source.

    Raises ValueError for arguments out of range.
    """
    if jobs < 1:
        raise ValueError(f"jobs must be >= 1, got {jobs}")
    todo: list[Mutant] = []
    for paper in papers:
        ids = [c.id for c in bounds.statements(paper)]
        note = None if progress is None else lambda id: progress(0, 0, f"tracing {id}")
        todo += plan(paper, users(ids, note), count, seed)
    log = _Log(out, resume)
    results = {m: log.known[_key(m)] for m in todo if _key(m) in log.known}
    # Threads suffice: each waits for a process.
    with ThreadPoolExecutor(jobs) as pool:
        waiting = {pool.submit(trial, m): m for m in todo if m not in results}
        for future in as_completed(waiting):
            result = results[waiting[future]] = future.result()
            log.add(result)
            if progress:
                progress(len(results), len(todo), f"{result.file} {result.outcome}")
    return [results[m] for m in todo]


def share(mutants: Iterable[Mutant]) -> tuple[int, int]:
    """(killed, not equivalent)."""
    eligible = [m for m in mutants if m.outcome != "equivalent"]
    return sum(m.outcome == "killed" for m in eligible), len(eligible)


def _key(mutant: Mutant) -> str:
    """The edit, the checks, and all source that decides what becomes of them."""
    hashes = [formula_hash(bounds.get(id)) for id in mutant.claims]
    text = json.dumps([mutant.file, mutant.site.name, mutant.claims, hashes])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class _Log:
    """One line per finished edit; a line that a kill cut off is dropped."""

    def __init__(self, out: Path | None, resume: bool) -> None:
        self.path = None if out is None else out / "mutants.jsonl"
        self.known: dict[str, Mutant] = {}
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            lines = read_text(self.path).splitlines() if resume and self.path.exists() else []
            # A line that is not of this version is tried again, not an error.
            for line in lines:
                try:
                    data = parse_json(line)
                    fields = {**data["mutant"], "site": build(Site, data["mutant"]["site"])}
                    mutant = build(Mutant, fields)
                    self.known[insist("key", data["key"], str)] = replace(
                        mutant, claims=tuple(mutant.claims)
                    )
                except (ValueError, KeyError, TypeError):
                    continue
            # Rewritten whole, so that a line that was cut off does not begin the next one.
            text = "".join(map(self._line, self.known, self.known.values()))
            write(self.path, text.encode())
        except OSError as error:
            raise ValueError(f"out must be writable, got {self.path}: {error.strerror}") from error

    def add(self, mutant: Mutant) -> None:
        if self.path is not None:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(self._line(_key(mutant), mutant))

    @staticmethod
    def _line(key: str, mutant: Mutant) -> str:
        return json.dumps({"key": key, "mutant": mutant.to_dict()}) + "\n"

"""Checks an unlearning certificate: one file on numpy, which needs nothing of who made it.

    python checker.py certificate.json [--ledger ledger.jsonl] [--head HEX]

Exit codes: 0 certified; 1 refused, each reason on a line; 2 unreadable.  Its number (proof in
docs/certificates.md): j_k rows in question move step k of noisy SGD by j_k w_k; each move is paid
from its own step on, in proportion to P_i s_i^2 (s_i the noise, P_i the product of the later
contractions), whatever the batches are; norms add: given the j_k the laws are mu-Gaussian-DP apart,
mu = sum_k j_k w_k P_k / (sum_{i>=k} P_i^2 s_i^2)^(1/2); patterns are averaged at one level.
"""

import json
import math
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

TRUST = """the steps were executed as recorded, on losses of the class that is named
noise and draws are fresh, secret, Gaussian, and hardly rounded
requests depend on no model, noise or batch
no other state has been seen, and settings were fixed without looking at the rows"""
TYPES = ["https://in-toto.io/Statement/v1", "urn:forgetproof:unlearning-certificate:v1"]
CELLS = 4096  # of the lattice of sums
MOST = 25.0  # a larger epsilon is called infinite
# What is covered: words (none after the last bar: may be left out), and numbers with defaults.
WORDS = """schema=forgetproof/mechanism/1 losses=scalar|linear requests=oblivious released=last
relation.adjacency=zero|delete relation.reference=N+K| step.batches.drawn=poisson start=0|0.0|
step.batches.last=kept| step.clip.each=row step.clip.decay=outside| step.divisor.is=constant
step.noise.on=sum|mean|iterate step.noise.drawn=fresh| step.noise.seed=system| step.optimizer=sgd|
outputs=1| layers=| step.momentum=0|0.0| tuned_on_rows=|"""
NUMBERS = """n= smoothness= relation.rows=1 step.count= step.sees= step.decay=0 step.step_size=
step.batches.rate= step.clip.norm= step.divisor.value= step.noise.deviation= step.radius=1"""
COVERED = {path: text.split("|") for path, text in (x.split("=") for x in WORDS.split())}
DEFAULTS = {path: int(text or -1) for path, text in (x.split("=") for x in NUMBERS.split())}
APART = ("name", "source", "places", "dimension", "claims", "steps")
tail = np.vectorize(lambda x: math.erfc(x / math.sqrt(2)) / 2, otypes=[float])


class Refused(Exception):
    """Not covered, or not as it says."""


def insist(condition: Any, words: str) -> None:
    if not condition:
        raise Refused(words)


def strict(data: bytes) -> Any:
    """The JSON object that the bytes spell, every key once and no NaN; ValueError if none."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key stands twice")
        return dict(pairs)

    return json.loads(data.decode(), object_pairs_hook=unique, parse_constant=int)


def leaves(value: Any, path: str = "") -> dict[str, Any]:
    """Path -> value of all that stands in an object; a constant is its number and origin."""
    if isinstance(value, dict) and "origin" not in value:
        parts = [leaves(each, f"{path}.{name}" if path else name) for name, each in value.items()]
        return {name: leaf for part in parts for name, leaf in part.items()}
    if isinstance(value, dict):
        return {path: value.get("value"), f"{path} origin": value["origin"]}
    return {} if value == [] else {path: value}


def ceiling(weight: Any, rows: Any, rate: Any, chance: float) -> float:
    """What the sum of draws passes with no more than this chance (Chernoff, at 60 exponents)."""
    theta = np.geomspace(1e-3, 100, 60) / (abs(weight).max() + 1e-300)
    bounds = [(rows @ np.log1p(rate * np.expm1(t * weight)) - math.log(chance)) / t for t in theta]
    return float(min(bounds) + 1e-9 * abs(min(bounds)))


def segment(value: Any, delta: float, conditions: set[str]) -> Any:
    """(count, rows in question, rate, c, w, s) of a step, in all that it stands in."""
    flat = leaves(value)
    doubts = {x: flat[x] for x in flat if " origin" in x and flat[x] not in ("public", "enforced")}
    conditions |= {f"{path[:-7]} is {each!s:.20}, and right" for path, each in doubts.items()}
    extra = {path.removesuffix(" origin") for path in flat} - {*COVERED, *DEFAULTS}
    insist(not extra, f"{sorted(extra)!s:.80}: not covered")
    flat = DEFAULTS | flat
    for path, words in COVERED.items():
        insist(str(flat.get(path, "")) in words, f"{path}: must be {words[0]}")
    for each in (flat[path] for path in DEFAULTS):
        insist(isinstance(each, int | float) and 0 <= each < 1e100, "steps: missing or no number")
    names = ("count", "sees", "step_size", "decay", "batches.rate", "divisor.value", "clip.norm")
    count, seen, eta, decay, rate, width, norm = (flat[f"step.{name}"] for name in names)
    n, rows, deviation = flat["n"], flat["relation.rows"], flat["step.noise.deviation"]
    seen = int(rows * seen) if isinstance(seen, bool) else seen
    whole = type(n) is type(rows) is type(count) is type(seen) is int and n < 2**40
    fine = whole and 0 <= seen <= rows <= n and min(count, rows, eta, width, deviation, rate) > 0
    insist(fine and rate < 1, "steps: n, rows, count, sees, rate or another number out of range")
    # The largest batch that is counted on: all are smaller but for 1e-6 delta in 10^6 steps.
    most = ceiling(np.ones(1), np.array([n]), np.array([rate]), 1e-12 * delta)
    curved = decay + min(math.ceil(most), n) * flat["smoothness"] / width
    factor = max(abs(1 - eta * decay), abs(1 - eta * curved)) * (1 + 1e-14) + 1e-15
    unit = {"sum": eta / width, "mean": eta, "iterate": 1.0}[flat["step.noise.on"]]
    return count, seen, rate, factor, eta * norm / width, unit * deviation


def lattice(weight: Any, rows: Any, rate: Any, delta: float) -> tuple[Any, Any]:
    """Shifts no smaller than sums of the inclusions, and their chances; 3e-6 delta are left out."""
    h, reach = ceiling(weight, rows, rate, 1e-6 * delta) / CELLS, float(CELLS)
    while reach >= CELLS - 1:
        h *= 1.03
        cell = np.round(weight / h)
        reach = ceiling(cell, rows, rate, 1e-6 * delta)
    more = ceiling(weight - cell * h, rows, rate, 1e-12 * delta)
    chance = np.eye(1, CELLS)[0]
    for step, q in sorted(set(zip(cell[cell > 0], rate[cell > 0], strict=True))):
        trials, j = int(rows[(cell == step) & (rate == q)].sum()), int(step)
        k = np.arange(min(trials, (CELLS - 1) // j))
        ratios = np.log((trials - k) / (k + 1)) + math.log(q / (1 - q))
        binomial = np.exp(np.cumsum([trials * math.log1p(-q), *ratios]))
        old, chance = chance, np.zeros(CELLS)
        for move in np.flatnonzero(binomial > 1e-20 * delta):
            chance[move * j :] += binomial[move] * old[: CELLS - move * j]
    return np.maximum(np.arange(CELLS) * h + more, 0.0), chance


def epsilon_of(mechanism: Any, delta: float) -> tuple[float, list[str]]:
    """(epsilon, conditions) of the last model alone; infinite where this module certifies none."""
    insist(isinstance(delta, float) and 1e-200 < delta < 1, "delta: must be from 1e-200 to 1")
    rest = {name: value for name, value in mechanism.items() if name not in APART}
    rest |= {"released": "last"} if isinstance(mechanism["released"], list) else {}
    conditions, steps = set[str](), [{**rest, "step": each} for each in mechanism["steps"]]
    table = np.array([segment(each, delta, conditions) for each in steps], dtype=float)
    insist(table[:, 1].any() and table[:, 0].sum() <= 10**6, "steps: none saw rows, or too many")
    _, rows, rate, factor, move, noise = np.repeat(table, table[:, 0].astype(int), 0).T
    after = np.cumsum(np.append(0.0, np.log(factor)[:0:-1]))[::-1]  # log P
    clock = np.logaddexp.accumulate(2 * (np.log(noise) + after)[::-1])[::-1] / 2
    weight = move * np.exp(np.minimum(after - clock, 99)) * (1 + 1e-9) + 1e-300
    moves, chance = lattice(weight[rows > 0], rows[rows > 0], rate[rows > 0], delta)
    wanted, slip = delta * (1 - 1e-5), 1e-12 * delta
    moves, chance = moves[chance > 1e-13 * delta], chance[chance > 1e-13 * delta]

    def side(x: float, sign: int) -> tuple[float, float]:
        """log of the likelihood ratio at x, and delta there of one direction, rounded up."""
        each = np.log(chance) + moves * x - moves**2 / 2
        ratio = each.max() + math.log(np.exp(each - each.max()).sum())
        if abs(ratio) > MOST:
            return ratio, 0.0 if sign * ratio > 0 else math.inf
        power, level = chance @ tail(sign * (x - moves)), float(tail(sign * x))
        if sign > 0:
            return ratio, power * (1 + 1e-9) + slip - math.exp(ratio) * level * (1 - 1e-12)
        return ratio, level * (1 + 1e-12) - (power * (1 - 1e-9) - slip) / math.exp(ratio)

    ends = []
    for sign, safe, other in ((1, 90.0, -90.0), (-1, -90.0, 90.0)):
        while abs(safe - other) > 1e-8:
            middle = (safe + other) / 2
            safe, other = (middle, other) if side(middle, sign)[1] <= wanted else (safe, middle)
        ratio, owed = side(safe, sign)
        ends.append(max(sign * ratio, 0.0) if owed <= wanted and abs(ratio) < MOST else math.inf)
    return max(ends) * (1 + 1e-9) + 1e-12, sorted(conditions)


def replay(events: list[Any]) -> tuple[Any, list[Any]]:
    """The mechanism that was executed, and the requests, as the events say."""
    gone, steps, requests, ends, asked = (list[Any]() for _ in range(5))
    for event in events:
        kind, count = event["event"], event.get("steps", 0)
        insist((kind == "open") == (event["sequence"] == 0), "ledger: must open once, at first")
        if kind == "unlearned" or (asked and kind != "repair"):
            insist([kind, event.get("request"), count] == asked, "ledger: a request was not run")
            asked = []
        if kind == "request":
            asked, gone = ["unlearned", event["sequence"], count], gone + event["rows"]
            when = {name: event[name] for name in ("sequence", "time", "steps")}
            requests.append({**when, "rows": len(event["rows"])})
        elif kind in ("train", "unlearned") and count:
            steps.append((count, len(gone)))
        elif kind == "release":
            ends.append(sum(k for k, _ in steps))
    insist(len(set(gone)) == len(gone), "ledger: a row left twice")
    whole = events[0]["settings"]["mechanism"]
    segments = [{**whole["steps"][0], "count": k, "sees": len(gone) - a} for k, a in steps]
    released = sorted({t for t in ends if 0 < t < sum(k for k, _ in steps)}) or whole["released"]
    relation = {**whole["relation"], "rows": len(gone)}
    return {**whole, "relation": relation, "steps": segments, "released": released}, requests


def verify(file: Path, ledger: str | None, head: str | None) -> tuple[list[str], list[str]]:
    """Reasons to refuse the certificate, and lines that say what was verified and what was not."""

    def attempt(function: Any, *arguments: Any) -> Any:
        try:
            return function(*arguments)
        except Refused as reason:
            reasons.append(str(reason))

    reasons, data = [], file.read_bytes()
    own, statement = sha256(data).hexdigest(), strict(data)
    (subject,), said = statement["subject"], statement["predicate"]
    claim, mechanism, model = said["claim"], said["mechanism"], subject["digest"]["sha256"]
    ours, conditions = attempt(epsilon_of, mechanism, claim["delta"]) or (math.inf, [])
    targets = [claim[x] <= each[x] for each in mechanism["claims"] for x in ("epsilon", "delta")]
    beside = file.with_name(str(subject["name"]))
    file_digest = sha256(beside.read_bytes()).hexdigest() if beside.is_file() else None
    checks = [
        ([statement["_type"], statement["predicateType"]] == TYPES, "type: no such certificate"),
        (ours <= claim["epsilon"] < MOST, f"claim: epsilon is {ours:.6g} by the mechanism"),
        (all(targets), "claim: misses the target"),
        (file_digest in (None, model), f"model: {beside.name:.80} is another file"),
    ]
    if ledger is not None:
        *rows, rest = Path(ledger).read_bytes().split(b"\n")
        heads, events = ["0" * 64, *(sha256(x).hexdigest() for x in rows)], [*map(strict, rows)]
        follows = [(x["sequence"], x["before"]) for x in events] == [*enumerate(heads[:-1])]
        count, last = said["ledger"]["lines"], events[said["ledger"]["lines"] - 1]
        past, _ = attempt(replay, events[:count]), attempt(replay, events)
        checks += [
            (not rest, "ledger: ends in half a line"),
            (follows, "ledger: a line does not follow the one before"),
            (heads[count] == said["ledger"]["head"], "ledger: not the certificate's, or cut short"),
            (past == (mechanism, said["requests"]), "mechanism: not what the ledger says"),
            ([last["event"], last.get("model")] == ["release", model], "ledger: another model"),
            (any(x.get("certificate") == own for x in events), "certificate: not in the ledger"),
            (head in (None, *heads[1:]), "ledger: the head that you kept is not in it"),
        ]
    reasons += [words for fine, words in checks if not fine]
    steps = " + ".join(str(each["count"]) for each in mechanism["steps"])
    lines = [f"certified: epsilon {claim['epsilon']:.6g} at delta {claim['delta']:g}"]
    lines += [f"the last model alone, {mechanism['relation']['rows']} rows, {steps} steps"]
    facts = {"the number": ours, "the model's file": file_digest, "what the ledger says": ledger}
    lines += [f"{'not compared' if facts[x] is None else 'verified'}: {x}" for x in facts]
    lines += [f"condition: {each}" for each in conditions]
    return reasons, [*lines, *(f"on trust: {each}" for each in TRUST.split("\n"))]


def main(arguments: list[str]) -> int:
    """The exit code; what there is to say is printed."""
    try:
        options: dict[str, Any] = {"--ledger": None, "--head": None}
        options |= zip(arguments[1::2], arguments[2::2], strict=True)
        reasons, lines = verify(Path(arguments[0]), *options.values())
    except Exception as error:  # whatever the bytes are: one line
        print(f"unreadable: {type(error).__name__}: {str(error)[:200]!r}", file=sys.stderr)
        return 2
    print("\n".join([f"refused: {each}" for each in reasons] or lines))
    return int(bool(reasons))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

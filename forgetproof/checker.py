"""Checks an unlearning certificate: checker.py certificate.json [--ledger FILE] [--head HEX].

One file on numpy.  Exit codes: 0 certified; 1 refused, each reason on a line; 2 unreadable.  j_k
rows in question move step k by w_k each, norms add; mu = sum_k j_k w_k P_k / (sum_{i>=k} P_i^2
s_i^2)^(1/2), s_k noise, P_k later contractions, is averaged over the j_k: docs/certificates.md.
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
no other state has been seen, and settings were fixed without looking at the rows
the first distance (start), of private rows, was no larger than recorded"""  # where there is one
TYPES = ["https://in-toto.io/Statement/v1", "urn:forgetproof:unlearning-certificate:v1"]
CELLS, MOST = 4096, 25.0  # of the lattice of sums; a larger epsilon is called infinite
# What is covered: words (none after the last bar: may be left out), and numbers with defaults.
BOTH = """schema=forgetproof/mechanism/1 requests=oblivious released=last relation.rows=1
step.count= step.noise.drawn=fresh| step.noise.seed=system| step.noise.deviation= step.radius=1 """
STEPS = """n= smoothness= losses=scalar|linear relation.adjacency=zero|delete start=0|0.0|
relation.reference=N+K| step.batches.drawn=poisson step.batches.last=kept| step.batches.rate=
step.clip.each=row step.clip.decay=outside| step.clip.norm= step.divisor.is=constant step.sees=
step.divisor.value= step.step_size= step.decay=0 step.noise.on=sum|mean|iterate step.optimizer=sgd|
step.momentum=0|0.0| outputs=1|"""
MAPS = """n=1 losses=scalar|linear|any| relation.adjacency=zero|delete|maps start=0 step.shift=
relation.reference=minimiser|other| step.noise.on=iterate step.contraction= outputs=1|"""
APART = ("name", "source", "places", "dimension", "claims", "steps")
tail = np.vectorize(lambda x: math.erfc(x / math.sqrt(2)) / 2, otypes=[float])


class Refused(ValueError):
    """Not covered, or not as it says."""


def insist(condition: Any, words: str) -> None:
    if not condition:
        raise Refused(words)


def strict(data: bytes) -> Any:
    """The JSON object that the bytes spell, every key once and no NaN; ValueError if none."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        insist(len(dict(pairs)) == len(pairs), "a key stands twice")
        return dict(pairs)

    return json.loads(data.decode(), object_pairs_hook=unique, parse_constant=int)


def ceiling(weight: Any, rows: Any, rate: Any, chance: float) -> float:
    """What the sum of draws passes with no more than this chance (Chernoff, at 60 exponents)."""
    theta = np.geomspace(1e-3, 100, 60) / (abs(weight).max() + 1e-300)
    bounds = [(rows @ np.log1p(rate * np.expm1(t * weight)) - math.log(chance)) / t for t in theta]
    return float(min(bounds) + 1e-9 * abs(min(bounds)))


def read(value: Any, kind: str, conditions: set[str]) -> dict[str, Any]:
    """Path -> value of a step in all that it stands in, if all is covered; with the defaults."""
    flat, known, places = {}, dict(x.split("=") for x in (BOTH + kind).split()), [("", value)]
    for path, each in places:
        if isinstance(each, dict):
            inner = {"": each.get("value")} if "origin" in each else each
            places += [(f"{path}.{name}".strip("."), x) for name, x in inner.items()]
            if each.get("origin", "public") not in ("public", "enforced"):
                conditions.add(f"{path} is {each['origin']!s:.20}, and right")
        elif each != []:
            flat[path] = each
    defaults = {path: int(x or -1) for path, x in known.items() if not x or x.isdigit()}
    words = {path: x.split("|") for path, x in known.items() if path not in defaults}
    wrong = {*flat} - {*known} | {x for x in words if str(flat.get(x, "")) not in words[x]}
    insist(not wrong, f"{', '.join(sorted(wrong)):.80}: not covered")
    for each in (flat.get(path, defaults[path]) for path in defaults):
        insist(isinstance(each, int | float) and 0 <= each < 1e100, "steps: missing or no number")
    return defaults | flat


def segment(value: Any, delta: float, conditions: set[str]) -> Any:
    """(count, rows, rate, c, w, s, first distance); maps take |x - y| to c |x - y| + w, rate 1."""
    if "contraction" in value["step"]:
        flat = read(value, MAPS, conditions)
        count, c, noise = (flat[f"step.{x}"] for x in ("count", "contraction", "noise.deviation"))
        insist(type(count) is int and min(count, noise) > 0, "steps: count or noise out of range")
        return count, 1, 1.0, c + 1e-300, flat["step.shift"], noise, flat["start"]
    flat = read(value, STEPS, conditions)
    names = ("count", "sees", "step_size", "decay", "batches.rate", "divisor.value", "clip.norm")
    count, seen, eta, decay, rate, width, norm = (flat[f"step.{name}"] for name in names)
    n, rows, deviation = flat["n"], flat["relation.rows"], flat["step.noise.deviation"]
    seen = int(rows * seen) if isinstance(seen, bool) else seen
    whole = type(n) is type(rows) is type(count) is type(seen) is int and n < 2**40
    fine = whole and 0 <= seen <= rows <= n and min(count, rows, eta, width, deviation, rate) > 0
    insist(fine and rate < 1, "steps: n, rows, count, sees, rate or another number out of range")
    most = ceiling(np.ones(1), np.array([n]), np.array([rate]), 1e-12 * delta)  # rows of a batch
    curved = decay + min(math.ceil(most), n) * flat["smoothness"] / width
    factor = max(abs(1 - eta * decay), abs(1 - eta * curved)) * (1 + 1e-14) + 1e-15
    unit = {"sum": eta / width, "mean": eta, "iterate": 1.0}[flat["step.noise.on"]]
    return count, seen, rate, factor, eta * norm / width, unit * deviation, 0.0


def lattice(weight: Any, rows: Any, rate: Any, delta: float) -> tuple[Any, Any]:
    """Shifts no smaller than sums of the inclusions, and their chances; 3e-6 delta are left out."""
    if (rate == 1).all():
        return np.array([weight.sum()]), np.ones(1)
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
        some = np.flatnonzero(binomial > 1e-20 * delta)
        chance = sum(binomial[x] * np.pad(chance, (int(x) * j, 0))[:CELLS] for x in some)
    return np.maximum(np.arange(CELLS) * h + more, 0.0), chance


def epsilon_of(mechanism: Any, delta: float) -> tuple[float, list[str]]:
    """(epsilon, conditions) of the last model alone; infinite where this module certifies none."""
    insist(isinstance(delta, float) and 1e-200 < delta < 1, "delta: must be from 1e-200 to 1")
    rest = {name: value for name, value in mechanism.items() if name not in APART}
    rest |= {"released": "last"} if isinstance(mechanism["released"], list) else {}
    conditions, steps = set[str](), [{**rest, "step": each} for each in mechanism["steps"]]
    table = np.array([segment(each, delta, conditions) for each in steps], dtype=float)
    insist(table[:, 1].any() and table[:, 0].sum() <= 10**6, "steps: none saw rows, or too many")
    _, rows, rate, factor, move, noise, start = np.repeat(table, table[:, 0].astype(int), 0).T
    move[0] += start[0] * factor[0]
    after = np.cumsum(np.append(0.0, np.log(factor)[:0:-1]))[::-1]  # log P
    clock = np.logaddexp.accumulate(2 * (np.log(noise) + after)[::-1])[::-1] / 2
    weight = np.exp(np.minimum(np.log(move + 1e-300) + after - clock, 99)) * (1 + 1e-9)
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
            requests.append(when | {"rows": len(event["rows"])})
        elif kind in ("train", "unlearned") and count:
            runs = event.get("step_sizes", [[count]])
            insist(sum(k for k, *_ in runs) == count, "ledger: step sizes of other steps")
            steps += [(len(gone), dict(zip(("count", "step_size"), x, strict=False))) for x in runs]
        elif kind == "release":
            ends.append(sum(each["count"] for _, each in steps))
    insist(len(set(gone)) == len(gone), "ledger: a row left twice")
    whole = events[0]["settings"]["mechanism"]
    segments = [{**whole["steps"][0], **each, "sees": len(gone) - a} for a, each in steps]
    released = sorted({*ends} - {0, sum(x["count"] for x in segments)}) or whole["released"]
    relation = {**whole["relation"], "rows": len(gone)}
    return {**whole, "relation": relation, "steps": segments, "released": released}, requests


def verify(file: Path, ledger: str | None, head: str | None) -> tuple[list[str], list[str]]:
    """Reasons to refuse the certificate, and lines that say what was verified and what was not."""
    own, statement = sha256(data := file.read_bytes()).hexdigest(), strict(data)
    (subject,), said = statement["subject"], statement["predicate"]
    claim, mechanism, model = said["claim"], said["mechanism"], subject["digest"]["sha256"]
    ours, conditions = epsilon_of(mechanism, claim["delta"])
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
        past, _ = replay(events[:count]), replay(events)
        checks += [
            (not rest, "ledger: ends in half a line"),
            (follows, "ledger: a line does not follow the one before"),
            (heads[count] == said["ledger"]["head"], "ledger: not the certificate's, or cut short"),
            (past == (mechanism, said["requests"]), "mechanism: not what the ledger says"),
            ([last["event"], last.get("model")] == ["release", model], "ledger: another model"),
            (any(x.get("certificate") == own for x in events), "certificate: not in the ledger"),
            (head in (None, *heads[1:]), "ledger: the head that you kept is not in it"),
        ]
    reasons = [words for fine, words in checks if not fine]
    steps = " + ".join(str(each["count"]) for each in mechanism["steps"])
    epsilon = math.ceil(min(claim["epsilon"], MOST) * 1e6 - 1e-6) / 1e6  # rounded up
    lines = [f"certified: epsilon {epsilon:.10g} at delta {claim['delta']!r}"]
    lines += [f"the last model alone, {mechanism['relation'].get('rows', 1)} rows, {steps} steps"]
    facts = {"the number": ours, "the model's file": file_digest, "what the ledger says": ledger}
    lines += [f"{'not compared' if facts[x] is None else 'verified'}: {x}" for x in facts]
    ends = {"condition": conditions, "on trust": TRUST.split("\n")[: 4 + ("start" in mechanism)]}
    return reasons, lines + [f"{kind}: {x}" for kind, each in ends.items() for x in each]


def main(arguments: list[str]) -> int:
    """The exit code; what there is to say is printed."""
    try:
        options: dict[str, Any] = {"--ledger": None, "--head": None}
        options |= zip(arguments[1::2], arguments[2::2], strict=True)
        reasons, lines = verify(Path(arguments[0]), *options.values())
    except Refused as reason:
        reasons, lines = [str(reason)], []
    except Exception as error:  # whatever the bytes are: one line
        print(f"unreadable: {type(error).__name__}: {str(error)[:200]!r}", file=sys.stderr)
        return 2
    lines = [f"refused: {each}" for each in reasons] or lines
    print(*("".join(c if c.isprintable() else "?" for c in each) for each in lines), sep="\n")
    return int(bool(reasons))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

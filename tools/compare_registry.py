"""What must not change when claims move house: records it, and compares a later state with it.

    python tools/compare_registry.py record before.json     # 5 minutes of one core
    python tools/compare_registry.py compare before.json    # lists every difference; exit code 1
    python tools/compare_registry.py compare before.json --intended changes.txt

Recorded of every claim: id, aliases, label, kind, words, interpretations; of every form its TeX,
its note, and its values, as floats and with 30 digits, at a dozen seeded points inside its
hypotheses (the points are recorded too, and used again); of every check its verdicts, the numbers
of instances and what was measured; of every counterexample program its output. Times are not
recorded.

A line of `--intended` is "KEY-PREFIX  reason"; differences under that prefix are counted as meant.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np
from mpmath import mp

import bounds
from bounds.draws import admissible
from verify.report.document import program
from verify.runner import Settings, fresh_outcome
from verify.search.limit import Late, limit

POINTS, EXACT = 12, 4
DIGITS = 30
SECONDS, LATE = 5.0, "late"
ROUNDING = Decimal("1e-10")


def declarations() -> Iterator[tuple[str, Any]]:
    """Facts that a claim declares, as (key, plain value)."""
    for claim in bounds.statements():
        yield f"{claim.id}/label", claim.label
        yield f"{claim.id}/kind", claim.kind
        yield f"{claim.id}/words", claim.words
        yield f"{claim.id}/aliases", sorted(claim.aliases)
        yield f"{claim.id}/correction", claim.correction
        yield f"{claim.id}/quantity", claim.quantity
        if claim.plot:
            plot = claim.plot
            inputs = {name: _plain(value) for name, value in plot.inputs.items()}
            yield f"{claim.id}/plot", [plot.symbol, list(plot.values), inputs]
        for interpretation in claim.interpretations:
            key = f"{claim.id}/interpretation/{interpretation.name}"
            yield f"{key}/words", interpretation.text
            yield f"{key}/forms", list(interpretation.forms)
            yield f"{key}/stance", interpretation.stance
            yield (
                f"{key}/proofs",
                {form: interpretation.proof(form).words for form in interpretation.proofs},
            )
            yield f"{key}/edits", {form: edit.words for form, edit in interpretation.edits.items()}


def formulas(known: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """TeX and values of every form, at the recorded points where there are any."""
    for formula in bounds.statements():
        id = formula.id
        if not formula.forms:
            continue
        yield f"{id}/left", formula.left
        for symbol in formula.symbols.values():
            yield f"{id}/symbol/{symbol.name}", [symbol.meaning, symbol.tex, symbol.range()]
        for name, form in formula.forms.items():
            key = f"{id}/form/{name}"
            yield f"{key}/tex", form.tex
            yield f"{key}/note", form.note
            yield f"{key}/arguments", list(form.arguments)
            points = known.get(f"{key}/points")
            if points is None:
                points = _points(formula, form)
            yield f"{key}/points", points
            yield f"{key}/values", [_value(form, _inputs(point)) for point in points]
            yield f"{key}/digits", [_digits(form, _inputs(point)) for point in points[:EXACT]]


def verdicts() -> Iterator[tuple[str, Any]]:
    """Verdicts, evidence and the programs' outputs, of one quick run with seed 0."""
    outputs: dict[str, str] = {}
    claims = bounds.statements()
    for number, claim in enumerate(claims):
        print(f"\r{number + 1}/{len(claims)} {claim.id:40}", end="", file=sys.stderr)
        outcome = fresh_outcome(claim, Settings())
        if outcome.error:
            yield f"{claim.id}/error", outcome.error.strip().splitlines()[-1]
        yield f"{claim.id}/headline", outcome.headline
        for verdict in outcome.verdicts:
            key = f"{claim.id}/verdict/{verdict.key}"
            yield f"{key}/word", verdict.word
            yield f"{key}/basis", verdict.basis
            yield f"{key}/reason", verdict.reason
            yield f"{key}/instances", verdict.instances
            yield f"{key}/reach", _number(verdict.attainment)
            yield f"{key}/loose", [_number(x) for x in verdict.slack or ()]
            if worst := verdict.worst:
                yield f"{key}/measured", _number(worst.measured)
                yield f"{key}/bound", _number(worst.bound)
            if text := program(outcome, verdict):
                if text not in outputs:
                    outputs[text] = _output(text)
                yield f"{key}/program", outputs[text]
    print(file=sys.stderr)


def _points(formula: Any, form: Any) -> list[dict[str, Any]]:
    rng = np.random.default_rng(zlib.crc32(f"witness {formula.id} {form.name}".encode()))
    found = []
    for _ in range(POINTS):
        try:
            drawn = admissible(formula, form, rng)
        except RuntimeError:
            break
        found.append({name: _plain(value) for name, value in drawn.items()})
    return found


def _value(form: Any, inputs: dict[str, Any]) -> Any:
    try:
        return [_number(x) for x in np.ravel(form(**inputs))]
    except ValueError as error:
        return str(error)


def _digits(form: Any, inputs: dict[str, Any]) -> Any:
    if form.expr is None:
        return None
    try:
        with limit(SECONDS):
            return str(mp.nstr(form.exact(DIGITS, **inputs), DIGITS))
    except Late:
        return LATE
    except (ArithmeticError, TypeError, ValueError) as error:
        return type(error).__name__


def _inputs(point: dict[str, Any]) -> dict[str, Any]:
    """JSON has no whole numbers for keys."""
    return {
        name: {int(k): v for k, v in value.items()} if isinstance(value, dict) else value
        for name, value in point.items()
    }


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, list | tuple | np.ndarray):
        return [_plain(v) for v in value]
    return value.item() if isinstance(value, np.generic) else value


def _number(value: float | None) -> str | None:
    return None if value is None else f"{float(value):.12g}"


def _output(text: str) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.py"
        path.write_text(text, encoding="utf-8")
        done = subprocess.run(
            [sys.executable, "-I", str(path)], cwd=folder, capture_output=True, text=True
        )
    return f"exit {done.returncode}: {done.stdout}"


def state(known: dict[str, Any], *, run: bool) -> dict[str, Any]:
    """Everything recorded of the landed code, as one flat table."""
    found = {**dict(declarations()), **dict(formulas(known))}
    return {**found, **dict(verdicts())} if run else found


def differences(before: dict[str, Any], after: dict[str, Any], *, run: bool) -> list[str]:
    """Keys of what was added, lost or changed; without a run its keys are left out."""
    shown = {key for key in before if run or ("/verdict/" not in key and "/headline" not in key)}
    keys = sorted(shown | after.keys())
    return [key for key in keys if _differ(before.get(key, "absent"), after.get(key, "absent"))]


def _differ(old: Any, new: Any) -> bool:
    """Whether two facts differ by more than rounding; what came late is not known.

    Digits where there were none, or an error, are a gain and no difference.
    """
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return any(map(_differ, old, new))
    if LATE in (old, new) or old == new:
        return False
    if old is None or (isinstance(old, str) and re.fullmatch(r"\w+Error", old)):
        return isinstance(new, str) and not (new[-1:].isdigit() or new.endswith("inf"))
    try:
        a, b = Decimal(old.replace("oo", "inf")), Decimal(new.replace("oo", "inf"))
        return a != b and not abs(a - b) <= ROUNDING * max(abs(a), abs(b))
    except (InvalidOperation, AttributeError):
        return True


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("record", "compare"))
    parser.add_argument("file", type=Path)
    parser.add_argument("--intended", type=Path, help="differences that are meant, with reasons")
    parser.add_argument("--no-run", action="store_true", help="declarations and values only")
    chosen = parser.parse_args()
    run = not chosen.no_run
    if chosen.what == "record":
        found = state({}, run=run)
        chosen.file.write_text(json.dumps(found, indent=0, sort_keys=True), encoding="utf-8")
        print(f"{len(found)} facts recorded")
        return 0
    before = json.loads(chosen.file.read_text(encoding="utf-8"))
    after = json.loads(json.dumps(state(before, run=run)))
    found_keys = differences(before, after, run=run)
    meant = []
    if chosen.intended:
        lines = chosen.intended.read_text(encoding="utf-8").splitlines()
        meant = [line.split()[0] for line in lines if line.strip() and line[0] != "#"]
    left = [key for key in found_keys if not any(key.startswith(prefix) for prefix in meant)]
    for key in left:
        old, new = (str(table.get(key, "absent"))[:160] for table in (before, after))
        print(f"{key}\n  - {old}\n  + {new}")
    print(f"{len(before)} facts before, {len(found_keys)} differ, {len(left)} of them not meant")
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())

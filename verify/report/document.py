"""A run as plain data: `results.json`, and one file for every counterexample."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import bounds
from bounds import Proof, Statement, certificates
from simulators.data.disk import write
from verify import programs
from verify.evidence import Clash, Comparison, to_dict
from verify.expectation import Surprise
from verify.jsonio import SCHEMA, dumps
from verify.origin import counts, described
from verify.outcome import Outcome
from verify.power import Power, powers
from verify.report.places import counterexample_file
from verify.verdict import Verdict


def counterexample(verdict: Verdict) -> Comparison | None:
    """The comparison that refutes a form, if the verdict rests on one."""
    worst = verdict.worst
    return worst if worst is not None and worst.violated else None


def program(outcome: Outcome, verdict: Verdict) -> str | None:
    """The stand-alone program of a verdict's counterexample, or of another one of the same form."""
    case = counterexample(verdict)
    if case is None:
        return None
    alike = (
        e
        for e in outcome.evidence
        if isinstance(e, Comparison)
        and (e.interpretation, e.form) == (verdict.interpretation, verdict.form)
        and e.role == case.role
        and e.violated
    )
    name = case.script or next((e.script for e in alike if e.script), None)
    return name and programs.text(outcome.claim, name)


def clashing(outcome: Outcome, verdict: Verdict) -> tuple[str, ...]:
    """The terms of a form whose units disagree, a line each."""
    key = (verdict.interpretation, verdict.form)
    clashes = (
        e for e in outcome.evidence if isinstance(e, Clash) and (e.interpretation, e.form) == key
    )
    return tuple(line for clash in clashes for line in clash.terms)


def with_program(claim: Statement, found: Comparison) -> dict[str, Any]:
    """A comparison as plain data, with the text of its program in the place of the name."""
    return to_dict(found) | {"script": found.script and programs.text(claim, found.script)}


def document(
    outcomes: Sequence[Outcome], surprises: Iterable[Surprise], manifest: Mapping[str, Any]
) -> dict[str, Any]:
    """Manifest, summary, every claim with its verdicts and deciding comparisons, and surprises."""
    odd = [vars(s) for s in surprises]
    return {
        "schema": SCHEMA,
        "manifest": dict(manifest),
        "summary": {
            "claims": len(outcomes),
            "headlines": counts((o.claim, o.headline) for o in outcomes),
            "unexpected": len(odd),
            "broken": sum(o.error is not None for o in outcomes),
        },
        "surprises": odd,
        "papers": [
            described(paper)
            for paper in bounds.papers()
            if any(o.claim.paper == paper.key for o in outcomes)
        ],
        "claims": [_claim(o) for o in outcomes],
    }


def write_document(data: Mapping[str, Any], path: Path) -> None:
    """Writes JSON so that a reader never sees half a file."""
    write_text(path, dumps(data, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Replaces the file in one step. Raises ValueError if it cannot be written."""
    try:
        write(path, text.encode())
    except OSError as error:
        raise ValueError(f"out must be writable, got {path}: {error.strerror}") from error


def write_counterexamples(
    outcomes: Iterable[Outcome], manifest: Mapping[str, Any], folder: Path
) -> list[Path]:
    """One file per refuted form in `folder/counterexamples`; those no longer refuted go."""
    paths = []
    settings = {key: manifest[key] for key in ("profile", "seed", "scale", "device")}
    for outcome in outcomes:
        for verdict in outcome.verdicts:
            path = folder / counterexample_file(outcome.claim.id, verdict.key)
            case = counterexample(verdict)
            # A form that is no longer refuted must leave no counterexample behind.
            if case is None:
                path.unlink(missing_ok=True)
                continue
            path.parent.mkdir(exist_ok=True)
            data = {
                "schema": SCHEMA,
                "claim": outcome.claim.id,
                "word": verdict.word,
                **settings,
                "comparison": {**to_dict(case), "script": program(outcome, verdict)},
            }
            write_document(data, path)
            paths.append(path)
    return paths


def _claim(outcome: Outcome) -> dict[str, Any]:
    claim = outcome.claim
    power_by_key = {p.key: p for p in powers([outcome])}
    return {
        "id": claim.id,
        "paper": claim.paper,
        "label": claim.label,
        "kind": claim.kind,
        "statement": claim.words,
        "correction": claim.correction,
        "origin": claim.origin,
        "quote": claim.quote,
        "headline": outcome.headline,
        "decision": outcome.decision,
        "disagreement": outcome.disagreement,
        "seconds": round(outcome.seconds, 3),
        "error": outcome.error,
        "stances": {r.name: r.stance for r in claim.interpretations},
        "verdicts": [_verdict(outcome, v, power_by_key.get(v.key)) for v in outcome.verdicts],
    }


def _proof(claim: Statement, verdict: Verdict, proof: Proof) -> dict[str, Any]:
    record = certificates.certificate(claim, verdict.interpretation, verdict.form)
    return {
        "level": proof.level,
        "told": proof.told,
        "words": proof.words,
        "rests_on": list(proof.rests_on),
        "certificate": list(record.told) if record else [],
    }


def _verdict(outcome: Outcome, verdict: Verdict, power: Power | None) -> dict[str, Any]:
    case = counterexample(verdict)
    return {
        "interpretation": verdict.interpretation,
        "form": verdict.form,
        "word": verdict.word,
        "basis": verdict.basis,
        "reason": verdict.reason,
        "slack": verdict.slack,
        "attainment": verdict.attainment,
        "green_between": power and [power.lowest, power.highest],
        "instances": verdict.instances,
        "proof": verdict.proof and _proof(outcome.claim, verdict, verdict.proof),
        "worst": verdict.worst and with_program(outcome.claim, verdict.worst),
        "counterexample": case and counterexample_file(outcome.claim.id, verdict.key),
        "clashes": list(clashing(outcome, verdict)),
    }

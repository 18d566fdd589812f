"""`forgetproof search`: look for a violation of a claim."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from forgetproof.expressions import assignments
from forgetproof.options import (
    INTERRUPTED,
    NUMBER,
    claim_named,
    emit_json,
    insist_on_papers,
    json_option,
    name_and_inputs,
    paper_option,
    refuse_unused,
)
from forgetproof.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from verify.search.finding import Finding
    from verify.search.worst_case import WorstCase


@click.command(
    "search", epilog="\b\nExample: forgetproof search olu.eq17 --form printed --seconds 5"
)
@click.argument("words", nargs=-1, metavar="[ID|LABEL] [NAME=VALUE]...")
@paper_option
@click.option("--interpretation", help="Only this interpretation; all of them without it.")
@click.option("--form", help="Only this form: printed, corrected or tight.")
@click.option("--seconds", type=NUMBER, default=10.0, show_default=True, help="For each form.")
@click.option("--evaluations", type=int, default=3000, show_default=True, help="For each form.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--scale", type=NUMBER, default=1.0, show_default=True, help="Factor on each bound.")
@click.option("--at", is_flag=True, help="Do not search: judge the given inputs NAME=VALUE.")
@click.option("--sdp", is_flag=True, help="Worst cases by semidefinite programming; needs no ID.")
@json_option
def command(
    words: tuple[str, ...],
    paper: str | None,
    interpretation: str | None,
    form: str | None,
    seconds: float,
    evaluations: int,
    seed: int,
    scale: float,
    at: bool,
    sdp: bool,
    as_json: bool,
) -> int:
    """Search for inputs and experiments that violate a claim, over its whole domain.

    What is found is minimised to round numbers and certified in ball arithmetic where both sides
    are closed forms. Exit code 1 when a form that is expected to hold was violated.
    """
    if sdp:
        if words:
            raise ValueError(f"id must be left out with --sdp, got {words[0]!r}")
        refuse_unused(
            ["paper", "interpretation", "form", "seconds", "evaluations", "seed", "scale", "at"],
            "with --sdp",
        )
        return _worst_cases(as_json)
    if not words:
        insist_on_papers()
        raise ValueError("id must name a claim (see `forgetproof claims`), got nothing")
    name, inputs = name_and_inputs(words)
    if at != bool(inputs):
        raise ValueError(f"inputs must be given with --at, and only then, got {len(inputs)}")
    from verify.search.run import Budget, judge, search

    id = claim_named(name, paper).id
    budget = Budget(evaluations, seconds, seed, scale)
    options: dict[str, Any] = {"interpretation": interpretation, "form": form, "budget": budget}
    candidates = judge(id, assignments(inputs), **options) if at else search(id, **options)
    findings, finished = _until_interrupted(id, candidates, as_json)
    if not findings and finished:
        raise ValueError(f"{id} has nothing to search: its verdicts are declared or tables")
    if as_json and findings:
        emit_json({"id": findings[0].claim, "findings": [f.to_dict() for f in findings]})
    if not finished:
        return INTERRUPTED
    return 1 if any(f.surprising for f in findings) else 0


def _until_interrupted(
    id: str, candidates: Iterator[Finding], as_json: bool
) -> tuple[list[Finding], bool]:
    """The findings, each shown as it comes, and whether all of them came before Ctrl-C."""
    findings: list[Finding] = []
    try:
        with progress(0, what=f"{id}: searching"):
            for finding in candidates:
                findings.append(finding)
                if not as_json:
                    _show(finding)
                # This form's search ended with what it had; those of other forms do not begin.
                if finding.interrupted:
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        count = f"forms searched until then: {len(findings)}"
        click.echo(f"forgetproof: interrupted; {count}", err=True)
        return findings, False
    return findings, True


def _show(found: Finding) -> None:
    from verify.words import given, pair

    click.echo(f"{found.claim} {found.interpretation}.{found.form} (expected: {found.expected})")
    measurement, bound = pair(found.measured, found.bound)
    if not found.violation:
        click.echo(f"  nothing found in {found.evaluations} evaluations")
        click.echo(f"  closest    {given(found.inputs)}: {measurement} against {bound}")
        return
    basis = f"{found.basis} at {found.level:g}" if found.level else found.basis
    basis = {"exact": "exact in floating point"}.get(basis, basis)
    click.echo(f"  {found.kind} after {found.evaluations} evaluations, {basis}")
    click.echo(f"  inputs     {given(found.inputs)}")
    click.echo(f"  violated   {measurement} {found.relation} {bound} fails")
    if found.certificate:
        proof = found.certificate
        click.echo(f"  balls      {proof.left} and {proof.right} ({proof.bits} bits)")
    elif found.note:
        click.echo(f"  note       {found.note}")
    click.echo(f"  replay     {found.replay}")


def _worst_cases(as_json: bool) -> int:
    from verify.search.worst_case import certificates

    with progress(0, what="worst cases"):
        rows: list[WorstCase] = list(certificates())
    if as_json:
        emit_json({"worst_cases": [row.to_dict() for row in rows]})
    else:
        for row in rows:
            sign = "=" if row.tight else "<="
            click.echo(
                f"{row.subject:<45} {row.value:<10.7g} {sign} {row.closed_form:<9.7g} {row.formula}"
            )
    return 0 if all(row.agrees for row in rows) else 1

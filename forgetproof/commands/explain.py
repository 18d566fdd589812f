"""`forgetproof explain`: what is stored of a claim: verdict, what is wrong, what stands instead."""

from __future__ import annotations

import textwrap

import click

import bounds
from bounds.unicode_formulas import unicode_formula, unicode_words
from forgetproof.commands._where_lost import show_where_lost
from forgetproof.options import (
    claim_argument,
    claim_named,
    emit_json,
    json_option,
    paper_option,
    refuse_unused,
)
from verify.record import DecidingCase
from verify.stored import StoredClaim, StoredInterpretation, StoredVerdict, stored

WIDTH = 92
MARGIN = 12
STANDING = ("corrected", "tight")
"""Forms that may stand in for the printed one."""


@click.command("explain", epilog='\b\nExample: forgetproof explain "olu Theorem 2"')
@claim_argument
@paper_option
@click.option(
    "--where-lost",
    is_flag=True,
    help="Instead: each form over the best one, and what drives it, as formulas beside numbers.",
)
@click.option("--latex", is_flag=True, help="With --where-lost: formulas in LaTeX.")
@json_option
def command(
    name: tuple[str, ...], paper: str | None, where_lost: bool, latex: bool, as_json: bool
) -> None:
    """What a claim says, whether it is true, what is wrong with it, and what stands instead.

    The claim is named by its id (olu.thm2) or its label, after its paper if need be: olu thm2,
    "2505.08557 Theorem 2". All of it is stored, and nothing is run: verdicts are the expected
    ones, which `forgetproof verify ID` holds to a fresh run.

    With --where-lost, the quotient of a form and the tight one is simplified and verified by
    substitution at random numbers inside the hypotheses. Growth and direction are told of the best
    form.
    """
    claim = claim_named(name, paper)
    if where_lost:
        show_where_lost(claim, latex, as_json)
        return
    refuse_unused(["latex"], "without --where-lost")
    found = stored(claim)
    others = [stored(bounds.get(id)) for id in found.parts]
    if as_json:
        emit_json(found.document() | {"parts": [other.document() for other in others]})
        return
    _show(found)
    for other in others:
        _show_part(other)
    commands = [f"forgetproof verify {found.id}"]
    if found.forms:
        commands.append(f"forgetproof explain {found.id} --where-lost")
    if found.programs:
        commands.append(f"{found.replay} --as-script")
    _told("next", "; ".join(commands))


def _show(found: StoredClaim) -> None:
    ours = ", ours" if found.origin == "ours" else ""
    click.echo(f"{found.id} ({found.label}{ours}): {found.headline} (expected)")
    _told("paper", found.paper)
    _told("it says", unicode_words(found.words))
    for form in found.forms:
        line = _line(form.tex)
        _told(form.name, f"{line}   [{unicode_words(form.note)}]" if form.note else line)
    if found.disagreement:
        _told("mixed", found.disagreement)
    for interpretation in found.interpretations:
        _show_interpretation(interpretation)
    _show_remedy(found)
    if found.run is not None:
        _told("checked", found.run.told)


def _line(tex: str) -> str:
    """The formula as a line; as it is where a third party's has a command that has no sign."""
    try:
        return unicode_formula(tex)
    except ValueError:
        return tex


def _show_interpretation(interpretation: StoredInterpretation) -> None:
    note = f" ({interpretation.note})" if interpretation.note else ""
    _told("read as", f"{interpretation.name}{note}: {interpretation.text}")
    for verdict in interpretation.verdicts:
        _told("", f"{verdict.form}: {_judged(verdict)}")
        if verdict.wrong and verdict.case is not None:
            _told("", f"  case: {_numbers(verdict.case)}")


def _numbers(case: DecidingCase) -> str:
    """The two sides of a case, and what went into them."""
    inputs = ", ".join(f"{name} = {_shown(value)}" for name, value in case.inputs.items())
    where = f"{case.basis}, on real rows" if case.on_data else case.basis
    sides = f"{case.measured:.4g} measured, {case.bound:.4g} claimed ({case.relation}; {where})"
    return f"{sides}{': ' if inputs else ''}{inputs}"


def _shown(value: object) -> str:
    return f"{value:.5g}" if isinstance(value, float) else str(value)


def _judged(verdict: StoredVerdict) -> str:
    """The word, the proof that it rests on, and the edit that mends the form."""
    proof = f", {verdict.proof}: {verdict.argument}" if verdict.word == "holds" else ""
    edit = f"; mended by: {verdict.edit}" if verdict.edit and verdict.wrong else ""
    return f"{verdict.word}{proof if verdict.proof else ''}{edit}"


def _show_remedy(found: StoredClaim) -> None:
    """Why it fails, by the programs that show it, and what should stand instead."""
    for program in found.programs:
        _told("why", f"{program.says} [program {program.name}]")
    if found.correction:
        _told("instead", unicode_words(found.correction))


def _show_part(found: StoredClaim) -> None:
    """What is said beside the claim under a label that begins with its own."""
    click.echo(f"{found.id} ({found.label}): {found.headline} (expected)")
    if found.wrong:
        _show_remedy(found)
        for interpretation in found.interpretations:
            for verdict in interpretation.verdicts:
                if verdict.form in STANDING and not verdict.wrong:
                    _told("", f"{verdict.form}, {interpretation.name}: {_judged(verdict)}")


def _told(head: str, text: str) -> None:
    """A paragraph beside its head."""
    # Long words are pieces of TeX, which are copied whole.
    lines = textwrap.wrap(
        " ".join(text.split()), WIDTH - MARGIN, break_on_hyphens=False, break_long_words=False
    )
    for place, line in enumerate(lines):
        click.echo(f"  {head if place == 0 else '':<{MARGIN - 2}}{line}")

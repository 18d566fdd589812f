"""Errata as PDF for the authors of a paper: a summary as long as a letter, then the entries."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO

from verify.report.errata import Erratum, gravest_first
from verify.report.errata_tex import opening
from verify.report.paper_sheet import PaperSheets, StyledText
from verify.report.view import FORMS


def errata_pdf(
    title: str, entries: Sequence[Erratum], remarks: Sequence[Erratum], total: int
) -> bytes:
    """The errata of a paper of whose own statements `total` were checked."""
    file = BytesIO()
    with PaperSheets(file, title) as sheets:
        sheets.paragraph(StyledText(title, "bold"), size=15)
        sheets.space(6)
        sheets.paragraph(StyledText(opening(len(entries), total)))
        sheets.space(4)
        for number, entry in enumerate(gravest_first(entries), 1):
            _line(sheets, number, entry)
        if entries:
            sheets.sheet()
            sheets.paragraph(StyledText("The entries", "bold"), size=13)
        for entry in entries:
            _entry(sheets, entry)
        if remarks:
            sheets.space(10)
            sheets.keep(120)
            sheets.paragraph(StyledText("Remarks", "bold"), size=13)
            sheets.paragraph(
                StyledText(
                    "These statements stand, yet fail under another interpretation, or are ours "
                    "beside the paper."
                )
            )
        for entry in remarks:
            _entry(sheets, entry)
    return file.getvalue()


def _line(sheets: PaperSheets, number: int, entry: Erratum) -> None:
    program = (
        [StyledText(" Program: "), StyledText(f"{entry.program}.", "italic")]
        if entry.program
        else []
    )
    sheets.paragraph(
        StyledText(f"{number}. "),
        StyledText(f"{entry.label} ", "bold"),
        StyledText(f"({entry.word}). {entry.instead}"),
        *program,
    )


def _entry(sheets: PaperSheets, entry: Erratum) -> None:
    sheets.space(8)
    sheets.keep(90)
    ours = f", {entry.whose}" if entry.whose else ""
    sheets.paragraph(StyledText(f"{entry.label}: {entry.word}{ours}", "bold"), size=11.5)
    if entry.lead:
        sheets.paragraph(StyledText(entry.lead))
    if entry.values:
        values = "; ".join(value.equation for value in entry.values)
        sheets.paragraph(StyledText("Counterexample: ", "italic"), StyledText(f"{values}."))
    sheets.paragraph(StyledText("It says: ", "italic"), StyledText(entry.statement))
    sheets.paragraph(StyledText("It should say: ", "italic"), StyledText(entry.instead))
    if entry.printed:
        sheets.keep(40)
        sheets.paragraph(StyledText(f"{FORMS['printed']}:", "italic"))
        sheets.formula(entry.printed)
    for form in filter(lambda standing: standing.tex, entry.standing):
        notes = ", ".join(filter(None, (form.word, form.notes)))
        provided = f"; provided: {form.provided}" if form.provided else ""
        proof = f"; proof: {form.proof}" if form.proof else ""
        sheets.keep(40)
        sheets.paragraph(
            StyledText(f"{FORMS[form.name]} ", "italic"), StyledText(f"({notes}{provided}{proof}):")
        )
        sheets.formula(form.tex)
    sheets.paragraph(StyledText("Shown by: ", "italic"), StyledText(entry.command))

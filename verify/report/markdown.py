"""Errata as Markdown, to send to authors or to paste into an issue."""

import re
from collections.abc import Iterable, Mapping, Sequence

from verify import words
from verify.report.errata import Erratum

_MARKS = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def escape(text: str) -> str:
    """Any text on one line of Markdown that shows it as it is, without markup or HTML."""
    # The ampersand first, as escapes of others hold one.
    plain = " ".join(text.split()).replace("&", "&amp;")
    marked = _MARKS.sub(r"\\\1", plain)
    # A list's mark at the beginning of the line.
    return re.sub(r"^([-+]|\d+[.)])(?=\s|$)", lambda m: f"{m[1][:-1]}\\{m[1][-1]}", marked)


def code(text: str) -> str:
    """A block of code whose fence is longer than any run of backticks within."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text.rstrip()}\n{fence}"


def markdown(title: str, entries: Sequence[Erratum], remarks: Sequence[Erratum] = ()) -> str:
    """The errata of one paper, and remarks on statements that stand."""
    parts = [f"# {escape(title)}"]
    if not entries:
        parts.append("Nothing to correct was found.")
    for number, entry in enumerate(entries, 1):
        parts += [f"## {number}. {escape(entry.label)}: {escape(entry.word)}", *_entry(entry)]
    if remarks:
        parts.append("# Remarks")
        parts.append(
            "These statements stand, yet fail under another interpretation, or are ours beside the "
            "paper."
        )
    for entry in remarks:
        ours = f", {entry.whose}" if entry.whose else ""
        parts += [f"## {escape(entry.label)}: {escape(entry.word + ours)}", *_entry(entry)]
    return "\n\n".join(parts) + "\n"


def _entry(entry: Erratum) -> Iterable[str]:
    yield f"**It says.** {escape(entry.statement)}"
    if entry.printed:
        yield _formula(entry.printed)
    if entry.disagreement:
        yield f"**Interpretations.** {escape(entry.disagreement)}"
    for f in entry.findings:
        needs_interpretation = len(entry.findings) > 1 or f.word != entry.word
        stance = f", {f.stance}" if f.stance else ""
        where = (
            f" ({escape(f.interpretation + stance)}: {escape(f.hypotheses)})"
            if needs_interpretation
            else ""
        )
        sentences = " ".join(filter(None, (f.sentence, f.case, f.remarks)))
        yield f"**{f.word.capitalize()}{where}.** {escape(sentences)}"
        if f.rows:
            yield _table(f.rows)
    yield f"**It should say.** {escape(entry.instead)}"
    for form in entry.standing:
        provided = f"; provided: {form.provided}" if form.provided else ""
        proof = f"; proof: {form.proof}" if form.proof else ""
        notes = f", {form.notes}" if form.notes else ""
        yield escape(f"{form.name}: {form.word}{notes} ({form.basis}{provided}{proof})")
        if form.tex:
            yield _formula(form.tex)
    yield f"**Check.** `{entry.replay}`"
    for _, label, source in entry.programs:
        yield f"Program ({escape(label)}):"
        yield code(source)


def _formula(tex: str) -> str:
    return f"$$\n{tex.strip()}\n$$"


def _table(rows: Sequence[Mapping[str, object]]) -> str:
    names = list(rows[0])
    lines = [names, ["---"] * len(names)]
    lines += [[escape(str(words.number(row[name]))) for name in names] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

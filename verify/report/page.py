"""The HTML report: one file with everything in it, readable without network or JavaScript."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from verify.expectation import Surprise
from verify.report import words
from verify.report.document import write_text
from verify.report.view import ClaimView, claim_view
from verify.runner import Outcome

GROUPS = {
    "error": "Checks that broke",
    "false": "False as stated",
    "vacuous": "Vacuous: nothing satisfies the hypotheses",
    "typo": "Wrong by one edit",
    "not run": "Not decided by this run",
    "unspecified": "Unspecified",
    "not checkable": "Not checkable",
    "not refuted": "Not refuted, without a proof named",
    "reproduced in part": "Reproduced in part",
    "reproduced": "Reproduced",
    "consistent": "Consistent definitions",
    "holds": "Hold",
}
# The parts of a preface besides its title, with what stands for a part left out.
PREFACE: Mapping[str, Any] = {
    "paragraphs": (), "svg": "", "caption": "", "header": (), "rows": (),
}  # fmt: skip


def write_report(
    outcomes: Sequence[Outcome],
    surprises: Iterable[Surprise],
    manifest: Mapping[str, Any],
    path: Path,
    *,
    preface: Mapping[str, Any] | None = None,
) -> None:
    """Writes the report of a run to `path`.

    Args:
        outcomes: claims with their verdicts.
        surprises: verdicts other than the expected ones.
        manifest: what a reader needs to repeat the run.
        path: the HTML file.
        preface: a section to stand first: "title" and, each if wanted, "paragraphs" (a list of
            texts), "svg" (an `<svg>` element, taken as it is), "caption", "header" and "rows"
            (a table, cells as text).

    Raises:
        ValueError: the file cannot be written, or the preface has no title or an unknown part.
    """
    write_text(path, render(outcomes, surprises, manifest, preface=preface))


def render(
    outcomes: Sequence[Outcome],
    surprises: Iterable[Surprise],
    manifest: Mapping[str, Any],
    *,
    preface: Mapping[str, Any] | None = None,
) -> str:
    """The page as text."""
    environment = Environment(
        loader=PackageLoader("verify.report", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(number=words.number, tone=words.tone_of, svg=Markup)
    odd = list(surprises)
    views = [claim_view(o, odd) for o in outcomes]
    source = environment.loader.get_source(environment, "style.css")[0]  # type: ignore[union-attr]
    return environment.get_template("template.html.j2").render(
        style=Markup(source),
        title=_title(outcomes),
        preface=_preface(preface),
        counts=_counts(views),
        groups=_groups(views),
        claims=views,
        surprises=odd,
        manifest=manifest,
    )


def _preface(parts: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if parts is None:
        return None
    if unknown := sorted(parts.keys() - {"title", *PREFACE}):
        raise ValueError(f"preface may hold title, {', '.join(PREFACE)}; got {unknown[0]!r}")
    if not parts.get("title"):
        raise ValueError("preface must have a title")
    return {**PREFACE, **parts}


def _title(outcomes: Sequence[Outcome]) -> str:
    papers = list(dict.fromkeys(o.claim.paper for o in outcomes))
    return f"{len(outcomes)} claims of {', '.join(papers)}, checked"


def _counts(views: Iterable[ClaimView]) -> list[tuple[str, int]]:
    found = Counter(v.kind for v in views)
    return [(kind, found[kind]) for kind in words.ORDER if found[kind]]


def _groups(views: Sequence[ClaimView]) -> list[tuple[str, str, list[ClaimView]]]:
    """Claims by headline, problems first."""
    kinds = [kind for kind, _ in _counts(views)]
    return [(kind, GROUPS[kind], [v for v in views if v.kind == kind]) for kind in kinds]

"""The pages of the report as text, readable without network or JavaScript."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from verify import words
from verify.expectation import Surprise
from verify.glosses import GLOSSES
from verify.origin import WHOSE, cited, counts, source, whose
from verify.outcome import Outcome
from verify.report.claim_body import body_of
from verify.report.drawing import Drawing, Refusal
from verify.report.errata import gravest_first, listed, wrong
from verify.report.errata_files import PaperErrata
from verify.report.index import COLUMNS, choices, grouped, index_rows
from verify.report.places import GALLERY, claim_page, errata_page, plain, plot_file
from verify.report.rendering import render
from verify.report.results import ClaimResult
from verify.report.view import FORMS

# The parts of a preface besides its title, with what stands for a part left out.
PREFACE: Mapping[str, Any] = {
    "paragraphs": (),
    "svg": "",
    "caption": "",
    "header": (),
    "rows": (),
}


def index_page(
    outcomes: Sequence[Outcome],
    surprises: Sequence[Surprise],
    manifest: Mapping[str, Any],
    *,
    preface: Mapping[str, Any] | None = None,
    gallery: bool = False,
) -> str:
    """The first page: summary, surprises, the table of all claims, and the run.

    Args:
        outcomes: claims with their verdicts.
        surprises: verdicts other than the expected ones.
        manifest: what a reader needs to repeat the run.
        preface: a section to stand first: "title" and, each if wanted, "paragraphs" (a list of
            texts), "svg" (an `<svg>` element, taken as it is), "caption", "header" and "rows"
            (a table, cells as text).
        gallery: whether there are plots to link to.

    Raises:
        ValueError: the preface has no title or an unknown part.
    """
    table = index_rows(outcomes)
    groups = grouped(table)
    papers = papers_of(outcomes)
    return render(
        "index.html.j2",
        root="",
        title=_title(len(outcomes), papers),
        glosses=[(word, gloss.meaning) for word, gloss in GLOSSES.items()],
        preface=_preface(preface),
        gallery=GALLERY if gallery else "",
        strips=[
            (origin, WHOSE[origin], kinds)
            for origin, kinds in counts((o.claim, o.headline) for o in outcomes).items()
        ],
        groups=groups,
        choices=choices(table),
        columns=COLUMNS,
        surprises=surprises,
        pages={r.id: r.page for r in table},
        papers=[
            (
                p,
                cited(p),
                source(p),
                errata_page(p),
                sum(listed(o.claim, o.headline) for o in outcomes if o.claim.paper == p),
            )
            for p in papers
        ],
        manifest=manifest,
    )


def claim_page_text(
    results: Sequence[ClaimResult], place: int, drawing: Drawing | Refusal | None = None
) -> str:
    """The page of the claim at this place of the run, with links to its neighbours."""
    result = results[place]
    claim = result.claim
    before = results[place - 1] if place else None
    after = results[place + 1] if place + 1 < len(results) else None
    errata = f"../{errata_page(claim.paper)}"
    body = body_of(
        result,
        figure=drawing.figure if isinstance(drawing, Drawing) else "",
        code=drawing.code if isinstance(drawing, Drawing) else "",
        refusal=drawing.reason if isinstance(drawing, Refusal) else "",
        links=[("In the errata", f"{errata}#{plain(claim.id)}")] if wrong(result) else [],
        root="../",
    )
    return render(
        "claim.html.j2",
        root="../",
        title=f"{claim.label} of {claim.paper}",
        body=body,
        claim=claim,
        errata=errata,
        previous=_neighbour(before),
        following=_neighbour(after),
    )


def gallery_page(outcomes: Sequence[Outcome], drawn: Mapping[str, Drawing | Refusal]) -> str:
    """All plots as thumbnails, by paper."""
    gallery_outcomes = [o for o in outcomes if isinstance(drawn.get(o.claim.id), Drawing)]
    members = [
        {
            "id": o.claim.id,
            "label": o.claim.label,
            "page": claim_page(o.claim.id),
            "file": plot_file(o.claim.id),
            "word": o.headline,
            "whose": whose(o.claim),
            "paper": o.claim.paper,
        }
        for o in gallery_outcomes
    ]
    return render(
        "gallery.html.j2",
        root="",
        title=f"{len(gallery_outcomes)} plots",
        papers=[
            (cited(p), [m for m in members if m["paper"] == p]) for p in papers_of(gallery_outcomes)
        ],
    )


def errata_page_text(
    errata: PaperErrata, manifest: Mapping[str, Any], files: Mapping[str, str]
) -> str:
    """The errata of a paper: contents, entries, and last the remarks.

    files: name of a format -> address of the same errata in it.
    """
    gravest = gravest_first(errata.entries)
    return render(
        "errata.html.j2",
        root="../",
        title=errata.title,
        entries=errata.entries,
        gravest=gravest,
        remarks=errata.remarks,
        counts=Counter(words.kind_of(e.word) for e in gravest),
        total=errata.total,
        names=FORMS,
        files=list(files.items()),
        manifest=manifest,
    )


def papers_of(outcomes: Iterable[Outcome]) -> list[str]:
    """The papers that occur, in the order of the run."""
    return list(dict.fromkeys(o.claim.paper for o in outcomes))


def _title(claims: int, papers: Sequence[str]) -> str:
    """How many claims, of which paper; of several papers, how many."""
    noun = "claim" if claims == 1 else "claims"
    of = cited(papers[0]) if len(papers) == 1 else f"{len(papers)} papers"
    return f"{claims} {noun} of {of}, checked"


def _neighbour(result: ClaimResult | None) -> dict[str, str] | None:
    if result is None:
        return None
    page = claim_page(result.claim.id).removeprefix("claims/")
    return {"label": result.claim.label, "page": page}


def _preface(parts: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if parts is None:
        return None
    if unknown := sorted(parts.keys() - {"title", *PREFACE}):
        raise ValueError(f"preface may hold title, {', '.join(PREFACE)}; got {unknown[0]!r}")
    if not parts.get("title"):
        raise ValueError("preface must have a title")
    return {**PREFACE, **parts}

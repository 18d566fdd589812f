"""The page of a claim without what is around it: for the report, and for any other site.

from verify.report.claim_body import claim_body, STYLE, SCRIPT

claim_body(bounds.get("sglu.alg5"), figure=svg)     # from the record; nothing is run
asset(STYLE), asset(SCRIPT)                         # what its classes and buttons need
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from bounds import Statement
from verify.report.rendering import asset, render
from verify.report.results import ClaimResult, of_record
from verify.report.view import claim_view

__all__ = ["SCRIPT", "STYLE", "asset", "body_of", "claim_body"]

STYLE, SCRIPT = "claim.css", "page.js"
"""Assets that the body needs. Rules of the style sheet are of elements within `.claim` alone;
colours are custom properties (`--bad`, `--soft`, ...) that a site may set."""
Link = tuple[str, str]
"""Text and address."""


def claim_body(
    claim: Statement,
    *,
    figure: str = "",
    links: Sequence[Link] = (),
    heading: bool = True,
) -> Markup:
    """All that is recorded of a claim as an `<article class="claim">` of HTML; nothing is run.

    figure: an `<svg>` element and its `<figcaption>`, taken as they are.  links: what to offer
    beside "Cite this", such as a page of errata.  heading: whether it begins with `<h1>`; without
    it the page says the label.

    Raises ValueError for a claim of no installed paper.
    """
    return body_of(of_record(claim), figure=figure, links=links, heading=heading)


def body_of(
    result: ClaimResult,
    *,
    figure: str = "",
    code: str = "",
    refusal: str = "",
    links: Sequence[Link] = (),
    heading: bool = True,
    root: str | None = None,
) -> Markup:
    """The same of any result.

    code: names what drew the figure.  refusal: why there is none.  root: the way to the folder of
    the report that holds the files of counterexamples; None where there is none.
    """
    return Markup(
        render(
            "claim_body.html.j2",
            c=claim_view(result),
            figure=Markup(figure),
            figure_code=code,
            refusal=refusal,
            links=links,
            heading=heading,
            root=root,
        )
    )

"""Outcomes that every page can show: what of a third-party claim cannot be shown is broken."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import bounds
from bounds import Interpretation, Statement
from verify.outcome import Outcome, outcome_of
from verify.report.document import document
from verify.report.entries import entries
from verify.report.errata import errata, remarks
from verify.report.index import index_rows
from verify.report.page import claim_page_text
from verify.report.results import of_run
from verify.runner import fault


def showable(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """The outcomes, with an error where the statement itself is such that a page of it fails.

    A third-party statement may fail wherever it is looked at (a unit, a stance, a relation); it
    then takes no other claim's page with it, and is shown by its name alone.
    """
    return [_shown(o) if bounds.paper(o.claim.paper).foreign else o for o in outcomes]


def unloaded(ids: Sequence[str]) -> list[Outcome]:
    """A broken outcome for each of these ids whose statement cannot even be imported."""
    return [_of_name(id, id, "", why) for id in ids if (why := bounds.lost(id))]


def _shown(outcome: Outcome) -> Outcome:
    error = outcome.error
    # Rehearsed in full: a fault in any part of the report would end all of it.
    try:
        _rehearse(outcome)
    except (Exception, SystemExit) as broken:
        error = error or fault(outcome.claim, broken)
    else:
        return outcome
    # Its evidence may be what cannot be shown: once more without.
    whole = replace(outcome, evidence=(), error=error)
    try:
        _rehearse(whole)
    except (Exception, SystemExit):
        claim = outcome.claim
        return _of_name(claim.id, str(claim.label), str(claim.words), error)
    return whole


def _rehearse(outcome: Outcome) -> None:
    """All that a report makes of one claim."""
    document([outcome], (), {})
    entries([outcome])
    results = [of_run(outcome, {})]
    errata(results, outcome.claim.paper)
    remarks(results, outcome.claim.paper)
    from verify import plots  # with the first claim of a third party

    plots.told(outcome.claim, outcome)
    claim_page_text(results, 0)
    index_rows([outcome])


def _of_name(id: str, label: str, words: str, error: str) -> Outcome:
    """Of a statement of this name that states nothing."""
    interpretation = Interpretation("literal", "could not be read", {"printed": "<="})
    statement = Statement(id, label, "claim", words, (interpretation,))
    return outcome_of(statement, [], 0.0, error)

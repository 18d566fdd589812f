"""What a run certifies, in numbers and words, without a ledger behind it."""

from collections.abc import Sequence
from typing import Any

from forgetproof.certificates.certificate import TRUSTED
from forgetproof.engine.planning import accountant
from forgetproof.engine.refusals import EngineRefusal
from forgetproof.engine.run import RecordedTraining


def insist_on_certificate(run: RecordedTraining) -> None:
    """Raises EngineRefusal where there is none: no row has left, or the seed is known."""
    if not run.left:
        raise EngineRefusal("ids must have left for a certificate, got none that has")
    if not run.source.secret:
        raise EngineRefusal(
            "seed must be secret for a certificate, got one that was given by the caller"
        )


def run_certificate(run: RecordedTraining, read_from_rows: Sequence[str] = ()) -> dict[str, Any]:
    """Return what was executed, what is certified of the last model, and on which conditions.

    read_from_rows: numbers that were, in words; each is a condition.

    For runs without a ledger: nothing shows that the record was not written afterwards, and the
    document says so.  Raises EngineRefusal where nothing can be certified.
    """
    insist_on_certificate(run)
    settings, mechanism = run.settings, run.mechanism()
    if read_from_rows:
        mechanism["tuned_on_rows"] = list(read_from_rows)
    return {
        "mechanism": mechanism,
        "claim": {
            "epsilon": run.epsilon(),
            "delta": settings.delta,
            "accountant": accountant(settings),
        },
        "target": {"epsilon": settings.epsilon, "delta": settings.delta},
        "steps": {"executed": run.executed, "retraining": settings.steps},
        "conditions": [f"{each} was read from the rows" for each in read_from_rows],
        "trusted": [*TRUSTED, "the record was kept in memory: there is no ledger"],
    }

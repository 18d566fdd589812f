"""What a run certifies, in numbers and words, without a ledger behind it."""

from collections.abc import Sequence
from typing import Any

from forgetproof.certificates.certificate import TRUSTED
from forgetproof.engine.planning import accountant
from forgetproof.engine.refusals import NotCovered
from forgetproof.engine.run import RecordedTraining


def insist_on_certificate(run: RecordedTraining) -> None:
    """Raises NotCovered where nothing can be certified: no row has left, or the seed is known."""
    if not run.left:
        raise NotCovered("ids must have left for a certificate, got none that has")
    if not run.source.secret:
        raise NotCovered(
            "seed must be secret for a certificate, got one that was given by the caller"
        )


def run_certificate(run: RecordedTraining, conditions: Sequence[str] = ()) -> dict[str, Any]:
    """Return what was executed, what is certified of the last model, and on which conditions.

    For runs without a ledger: nothing shows that the record was not written afterwards, and the
    document says so.  Raises NotCovered where nothing can be certified.
    """
    insist_on_certificate(run)
    settings = run.settings
    return {
        "mechanism": run.mechanism(),
        "claim": {
            "epsilon": run.epsilon(),
            "delta": settings.delta,
            "accountant": accountant(settings),
        },
        "target": {"epsilon": settings.epsilon, "delta": settings.delta},
        "steps": {"executed": run.executed, "retraining": settings.steps},
        "conditions": list(conditions),
        "trusted": [*TRUSTED, "the record was kept in memory: there is no ledger"],
    }

"""An engine that executes noisy steps, records them, and forgets rows by the fewest of them.

    UnlearningEngine    training and deletions with a ledger, releases with certificates
    RecordedTraining    the same in memory, without a ledger
    EngineSettings      what is fixed before the first step
    EngineRefusal       what the guarantee does not cover

Needs torch: `pip install 'forgetproof[sim]'`.
"""

from forgetproof.extras import missing

try:
    import torch  # noqa: F401
except ModuleNotFoundError as absent:
    raise missing(absent, "sim") from None

from forgetproof.engine.engine import UnlearningEngine
from forgetproof.engine.losses import LOSSES, ScalarLoss
from forgetproof.engine.planning import Interval, UnlearningPlan
from forgetproof.engine.refusals import EngineRefusal
from forgetproof.engine.release import Release
from forgetproof.engine.run import RecordedTraining
from forgetproof.engine.settings import EngineSettings

__all__ = [
    "LOSSES",
    "EngineRefusal",
    "EngineSettings",
    "Interval",
    "RecordedTraining",
    "Release",
    "ScalarLoss",
    "UnlearningEngine",
    "UnlearningPlan",
]

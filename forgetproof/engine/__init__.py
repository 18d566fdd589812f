"""An engine that executes noisy steps, records them, and forgets rows by the fewest of them.

    UnlearningEngine   training and deletions with a ledger, releases with certificates
    UnlearningRun      the same in memory, without a ledger
    Settings           what is fixed before the first step
    Refused            what the guarantee does not cover

Needs torch: `pip install 'forgetproof[sim]'`.
"""

from forgetproof.engine.engine import UnlearningEngine
from forgetproof.engine.losses import LOSSES, ScalarLoss
from forgetproof.engine.planning import Interval, Plan
from forgetproof.engine.refusals import Refused
from forgetproof.engine.release import Release
from forgetproof.engine.run import UnlearningRun
from forgetproof.engine.settings import Settings

__all__ = [
    "LOSSES",
    "Interval",
    "Plan",
    "Refused",
    "Release",
    "ScalarLoss",
    "Settings",
    "UnlearningEngine",
    "UnlearningRun",
]

"""Audits of a user's own unlearning: is the privacy that is claimed compatible with samples?

`audit(learn, unlearn, retrain, data, request, epsilon=..., delta=...)` is the whole of it.  The
parts stand alone: `compare` (limits of events, from samples of two laws), `EProcess` and
`sequential_test` (anytime-valid), `contraction`, `sensitivity` and `w_infinity` (lower limits of
distances), `AuditedProblem` and `claim_of` (what is audited, what is claimed).
"""

from verify.audit.auditing import audit, audit_problem, stated
from verify.audit.claims import claim_of
from verify.audit.curves import ApproximateDP, Claim, GaussianDP
from verify.audit.distances import Attained, contraction, sensitivity
from verify.audit.events import compare
from verify.audit.limits import EventLimits
from verify.audit.outputs import UserFunctionError
from verify.audit.power import detectable_leak, detectable_mu
from verify.audit.problem import AuditedProblem
from verify.audit.renyi_claim import RenyiDP
from verify.audit.report import AuditReport
from verify.audit.sequential import EProcess, SequentialResult, sequential_test
from verify.audit.wasserstein import LowerDistance, w_infinity

__all__ = [
    "ApproximateDP",
    "Attained",
    "AuditReport",
    "AuditedProblem",
    "Claim",
    "EProcess",
    "EventLimits",
    "GaussianDP",
    "LowerDistance",
    "RenyiDP",
    "SequentialResult",
    "UserFunctionError",
    "audit",
    "audit_problem",
    "claim_of",
    "compare",
    "contraction",
    "detectable_leak",
    "detectable_mu",
    "sensitivity",
    "sequential_test",
    "stated",
    "w_infinity",
]

"""What an operator can show: a ledger of what was done, a budget, and a certificate of the result.

ledger       `ledger.jsonl`: events in a chain of digests, written by one process at a time
history      what the events say, and which may come next
budget       limits that no two processes spend twice
keys         the key of the ids' digests
recorded     what was executed, as a mechanism document
process      the checker as a process of its own
certificate  `certificate.json`
schema       what that file has to look like
sheet        one page of it for people
strict_json  JSON with one reading
"""

from forgetproof.certificates.budget import BudgetExceeded, DeletionBudget
from forgetproof.certificates.certificate import UnlearningCertificate, certify
from forgetproof.certificates.history import DeletionRequest, History, ModelRelease
from forgetproof.certificates.ledger import Ledger, LedgerConflict, LedgerRepaired
from forgetproof.certificates.process import CheckerProcess
from forgetproof.certificates.recorded import recorded_mechanism

__all__ = [
    "BudgetExceeded",
    "CheckerProcess",
    "DeletionBudget",
    "DeletionRequest",
    "History",
    "Ledger",
    "LedgerConflict",
    "LedgerRepaired",
    "ModelRelease",
    "UnlearningCertificate",
    "certify",
    "recorded_mechanism",
]

"""What an operator can show: a ledger of what was done, a budget, and a certificate of the result.

ledger       `ledger.jsonl`: events in a chain of digests, written by one process at a time
history      what the events say, and which may come next
budget       limits that no two processes spend twice
keys         the key of the ids' digests
recorded     what was executed, as a mechanism document
process      the checker as a process of its own
certificate  `certificate.json`
claim        `unlearning.json`: the same document about settings, where nothing was executed
settings     a claim's settings by name, and what is certified of others in their place
schema       what that file has to look like
sheet        one page of it for people
strict_json  JSON with one reading
"""

from forgetproof.certificates.budget import BudgetExceeded, DeletionBudget
from forgetproof.certificates.certificate import UnlearningCertificate, certify
from forgetproof.certificates.claim import claim_document
from forgetproof.certificates.history import DeletionRequest, History, ModelRelease
from forgetproof.certificates.ledger import Ledger, LedgerConflict, LedgerRepaired
from forgetproof.certificates.process import CheckerProcess
from forgetproof.certificates.recorded import recorded_mechanism
from forgetproof.certificates.settings import SettingsCheck, check_settings

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
    "SettingsCheck",
    "UnlearningCertificate",
    "certify",
    "check_settings",
    "claim_document",
    "recorded_mechanism",
]

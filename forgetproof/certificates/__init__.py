"""What an operator can show: a ledger of what was done, a budget, and a certificate of the result.

ledger       `ledger.jsonl`: events in a chain of digests, written by one process at a time
history      what the events say, and which may come next
budget       limits that no two processes spend twice
strict_json  JSON with one reading
"""

from forgetproof.certificates.budget import BudgetExceeded, DeletionBudget
from forgetproof.certificates.history import DeletionRequest, History
from forgetproof.certificates.ledger import Ledger, LedgerConflict, LedgerRepaired

__all__ = [
    "BudgetExceeded",
    "DeletionBudget",
    "DeletionRequest",
    "History",
    "Ledger",
    "LedgerConflict",
    "LedgerRepaired",
]

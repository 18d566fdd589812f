"""`forgetproof lint`: is the number that is claimed a number of what runs?

codes           the diagnostics: what each compares, why it matters, how to mend it
findings        a finding with its place; the report of a mechanism
checking        `lint`: verdicts of the claims, and findings
structure       findings that need no number
reasons, edits  what somebody may have billed in place of what runs
conversions     slips between one claim and the next
targets         documents, folders, templates and objects as mechanisms
templates, configurations   documents made from YAML and JSON files
places          lines of the fields of a JSON text
records         ledgers and certificates
live            dp-accounting's events, and what Opacus keeps
drafts, scripts what stands literally in a training script
text, sarif     reports for people, and for code scanning
items           claims as pytest items
"""

from forgetproof.linting.checking import lint
from forgetproof.linting.codes import CODES, Diagnostic
from forgetproof.linting.findings import LintFinding, LintReport, Position
from forgetproof.linting.live import of_event, of_opacus

__all__ = [
    "CODES",
    "Diagnostic",
    "LintFinding",
    "LintReport",
    "Position",
    "lint",
    "of_event",
    "of_opacus",
]

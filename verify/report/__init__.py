"""The report of a run: `results.json` for programs, one self-contained HTML page for readers."""

from verify.report.document import document, write_counterexamples, write_document
from verify.report.page import write_report

__all__ = ["document", "write_counterexamples", "write_document", "write_report"]

"""`forgetproof lint`: seconds of one core for documents, and for 289 released configurations.

    python benchmarks/lint.py

Of each worked example and each slip: its verdicts, and processor time of the report, reasons
included. Then the 289 configuration files of one released repository (53 settings), through one
template, in one process, reading included.
"""

import tempfile
import time
from collections import Counter
from pathlib import Path

from forgetproof.commands.lint import reports_of, targets_of
from forgetproof.linting.checking import lint_source
from forgetproof.linting.targets import sources
from tests.core.linting import pabi

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "core" / "linting"


def main() -> None:
    """Prints the table."""
    times = []
    for folder in (ROOT / "docs" / "mechanisms", TESTS / "slips"):
        for source in sources(str(folder)):
            started = time.process_time()
            report = lint_source(source)
            times.append(time.process_time() - started)
            words = ", ".join(verdict.word for verdict in report.verdicts)
            name = Path(source.file).name.removesuffix(".mechanism.json")
            print(f"{name:<28} {words:<14} {times[-1]:7.3f}")
    times.sort()
    print(f"{'median':<28} {'':<14} {times[len(times) // 2]:7.3f}")
    with tempfile.TemporaryDirectory() as folder:
        count = pabi.write(Path(folder))
        started = time.process_time()
        reports = list(reports_of(targets_of([folder], TESTS / "pabi.template.json"), 1))
        seconds = time.process_time() - started
    words = Counter(verdict.word for report in reports for verdict in report.verdicts)
    print(f"{count} configurations: {dict(words)}, {seconds:.2f}")


if __name__ == "__main__":
    main()

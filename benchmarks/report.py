"""How long a report takes to write, and its index to open, by the number of claims.

Claims are those of the registry, repeated under new ids as often as needed, with evidence made up
to give several verdicts, and without plots: those take what their experiments take. Opening is
`performance.now()` in headless Chromium at the end of a forced layout after the page's load event,
script included, from the start of the navigation: the median and the longest of fresh starts.

Run: python benchmarks/report.py
"""

import itertools
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import bounds
from verify import report
from verify.evidence import Comparison
from verify.manifest import manifest
from verify.outcome import outcome_of
from verify.report.drawing import Drawer

CLAIMS = (60, 240, 430, 1000)
STARTS = 5
PROBE = """<script>addEventListener("load", () => {
  document.body.offsetHeight;
  document.title = "opened " + performance.now();
});</script></body>"""


def outcomes(count):
    """So many claims, every third of them refuted."""
    found = []
    for i, claim in zip(range(count), itertools.cycle(bounds.statements()), strict=False):
        measured = 2.0 if i % 3 == 0 else 0.5
        evidence = [
            Comparison(r.name, form, "made up", {"K": 3.0}, measured, 1.0, tight=0.75)
            for r in claim.interpretations
            for form in r.forms
        ]
        renamed = claim.changed(id=f"{claim.id}.{i}")
        found.append(outcome_of(renamed, evidence, 0.1, None))
    return found


def written(count, folder):
    """Seconds to write a report of so many claims."""
    made, about = outcomes(count), manifest(seed=0, profile="quick", scale=1.0, jobs=1)
    start = time.perf_counter()
    report.write(made, [], about, folder, drawer=Drawer(folder, "none"))
    return time.perf_counter() - start


def opened(browser, folder):
    """Milliseconds until the index is laid out, in a browser that starts anew."""
    page = folder / "probed.html"
    page.write_text((folder / "report.html").read_text().replace("</body>", PROBE))
    done = subprocess.run(
        [
            browser,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--window-size=1200,900",
            "--disable-background-networking",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return float(re.search(r"<title>opened ([\d.]+)", done.stdout)[1])


def main():
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    print(f"{'claims':>6}{'write s':>10}{'index kB':>10}{'open ms':>10}{'longest':>10}")
    for count in CLAIMS:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            seconds = written(count, folder)
            size = (folder / "report.html").stat().st_size / 1000
            line = f"{count:>6}{seconds:>10.2f}{size:>10.0f}"
            if browser:
                times = [opened(browser, folder) for _ in range(STARTS)]
                line += f"{statistics.median(times):>10.0f}{max(times):>10.0f}"
            print(line)


if __name__ == "__main__":
    main()

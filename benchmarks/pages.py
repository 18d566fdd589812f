"""Processor seconds and bytes of claim pages and errata, made of the last recorded run alone.

For each paper a row of a table in Markdown: claims, seconds of their pages, the largest page
without a picture, entries of its errata, seconds of these as page, LaTeX and PDF. Nothing is run.

Run: python benchmarks/pages.py
"""

import time

import bounds
from verify.report import page
from verify.report.claim_body import claim_body
from verify.report.errata_files import recorded_errata
from verify.report.errata_pdf import errata_pdf

HEAD = "paper | claims | pages, s | largest, KB | entries | page, s | LaTeX, s | PDF, s"
ABOUT = {"profile": "quick", "seed": 0}


def timed(work):
    """What the work returns, and the processor seconds it took."""
    start = time.process_time()
    result = work()
    return result, time.process_time() - start


def row(paper):
    """The measurements of a paper."""
    claims = [bounds.get(id) for id in paper.statements]
    bodies, seconds = timed(lambda: [claim_body(claim) for claim in claims])
    largest = max(len(body.encode()) for body in bodies) / 1e3
    errata = recorded_errata(paper)
    _, html = timed(lambda: page.errata_page_text(errata, ABOUT, {}))
    _, tex = timed(errata.tex)
    parts = (errata.title, errata.entries, errata.remarks, errata.total)
    _, pdf = timed(lambda: errata_pdf(*parts))
    numbers = f"{len(claims)} | {seconds:.2f} | {largest:.0f} | {len(errata.entries)}"
    return f"{paper.key} | {numbers} | {html:.2f} | {tex:.2f} | {pdf:.1f}"


def main():
    print(f"| {HEAD} |")
    print("|" + " --- |" * (HEAD.count("|") + 1))
    for paper in bounds.papers():
        print(f"| {row(paper)} |", flush=True)


if __name__ == "__main__":
    main()

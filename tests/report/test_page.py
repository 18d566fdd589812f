"""The HTML report: complete, escaped, self-contained, and readable in a narrow window."""

import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest

from verify.expectation import Surprise
from verify.report import render, write_report

VOID = {"meta", "link", "br", "path", "use", "mspace", "input", "img", "hr"}


class Structure(HTMLParser):
    """Collects ids, local links, addresses, and elements that are not closed in order."""

    def __init__(self, page):
        super().__init__()
        self.ids, self.links, self.addresses, self.open, self.crossed = [], [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self._note(attrs)

    def handle_startendtag(self, tag, attrs):
        self._note(attrs)

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.crossed.append(tag)

    def _note(self, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "xlink:href", "src"):
                (self.links if value.startswith("#") else self.addresses).append(value)


@pytest.fixture
def page(outcomes, manifest):
    odd = [Surprise("x.false", "literal.printed", "holds", "false")]
    return render(outcomes, odd, manifest)


def test_every_claim_has_an_anchor_and_every_link_a_target(page, outcomes):
    found = Structure(page)
    assert {o.claim.id for o in outcomes} <= set(found.ids)
    assert {link[1:] for link in found.links} <= set(found.ids)
    assert not found.crossed
    assert not found.open


def test_ids_are_unique_with_two_plots(outcomes, manifest):
    from verify import registry
    from verify.runner import outcome_of

    other = outcome_of(registry.claim("sglu.lem3.6"), [], 0.0, None)
    found = Structure(render([outcomes[0], other], [], manifest))
    assert len(found.ids) == len(set(found.ids))
    assert any(id.startswith("sglu-lem3-4-") for id in found.ids)
    assert any(id.startswith("sglu-lem3-6-") for id in found.ids)


def test_it_needs_nothing_from_elsewhere(page):
    assert Structure(page).addresses == ["data:,"]
    assert not re.search(r"@import|url\((?!#)|<script", page)


def test_text_is_escaped(page):
    assert "<script>alert" not in page
    assert "<b>bold" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "print(&#39;&lt;i&gt;&#39;)" in page


def test_problems_stand_first(page):
    order = [page.index(f'<article class="claim" id="{id}"') for id in
             ("x.broken", "x.false", "x.open", "x.table", "sglu.lem3.4")]  # fmt: skip
    assert order == sorted(order)


def test_a_claim_shows_formula_verdict_numbers_and_plot(page):
    start = page.index('<article class="claim" id="sglu.lem3.4"')
    article = page[start : page.index("</article>", start)]
    for part in ("<math", "mfrac", "holds", "exact", "loose 2", "reach 1", "Proof:", "<svg",
                 "Divide by G_c(K)", "experiment"):  # fmt: skip
        assert part in article


def test_a_counterexample_stands_in_words_and_numbers(page):
    start = page.index('<article class="claim" id="x.false"')
    article = page[start : page.index("</article>", start)]
    assert "Counterexample: measured 2, claimed at most 1" in article
    assert "eta = 1\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁻⁵" in article
    assert "K = [1, 2]" in article
    assert "forgetproof replay x.false" in article
    assert "expected holds" in article


def test_a_broken_check_shows_its_traceback_and_a_failed_plot_its_reason(page):
    start = page.index('<article class="claim" id="x.broken"')
    assert "ValueError: no" in page[start : page.index("</article>", start)]


def test_a_preface_stands_first(outcomes, manifest):
    page = render(
        outcomes, [], manifest,
        preface={
            "title": "Two thirds less <noise>", "paragraphs": ["first"], "svg": "<svg></svg>",
            "header": ["who", "sigma"], "rows": [["printed", 3], ["exact", 1]],
        },
    )  # fmt: skip
    assert "<svg></svg>" in page
    assert page.index("Two thirds less &lt;noise&gt;") < page.index("All claims")
    assert "<td>exact</td><td>1</td>" in page


def test_a_folder_that_does_not_exist_is_named(outcomes, manifest, tmp_path):
    with pytest.raises(ValueError, match=r"no.report\.html"):
        write_report(outcomes, [], manifest, tmp_path / "no" / "report.html")


CHROME = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
PROBE = """<script>addEventListener("load", () => {
  document.querySelectorAll("details").forEach(d => d.open = true);
  const page = document.documentElement;
  parent.postMessage([innerWidth, page.scrollWidth - page.clientWidth].join(), "*");
});</script></body>"""


@pytest.mark.skipif(CHROME is None, reason="no chromium on PATH")
def test_nothing_overflows_a_narrow_window_and_the_console_is_silent(page, tmp_path):
    (tmp_path / "report.html").write_text(page.replace("</body>", PROBE), "utf-8")
    frame = tmp_path / "frame.html"
    frame.write_text(
        '<p id="found"></p><iframe src="report.html" style="width:400px;height:900px;border:0">'
        "</iframe><script>onmessage = e => found.textContent = e.data</script>"
    )
    done = subprocess.run(
        [
            CHROME, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
            "--no-first-run", "--disable-background-networking", "--disable-component-update",
            "--disable-sync", f"--user-data-dir={tmp_path / 'profile'}",
            "--enable-logging=stderr", "--virtual-time-budget=4000", "--dump-dom", frame.as_uri(),
        ],
        capture_output=True, text=True, timeout=90, check=True,
    )  # fmt: skip
    assert '<p id="found">400,0</p>' in done.stdout
    assert "CONSOLE" not in done.stderr

"""Claim pages and errata in headless Chromium: formulas that fit, heights, copying, paper."""

import json
import re
from html import unescape

import pytest

import bounds
from tests.chromium import CHROME, browse
from verify.report import page, rendering
from verify.report.breakable import breakable
from verify.report.claim_body import claim_body
from verify.report.errata_files import recorded_errata

pytestmark = pytest.mark.skipif(CHROME is None, reason="no chromium on PATH")

WIDTHS = (1280, 768, 390, 320)
SAMPLE = 60
"""Formulas that the default profile looks at; the full one looks at all."""
CLAIMS = ("sglu.sec4.10pct2pct", "olu.thm6.shift", "safe.thm2ii", "own.opt", "hf.eq41", "mini.alg4")
"""Claims of the longest pages and the widest formulas."""
DRAWING = '<svg viewBox="0 0 480 320" width="480" height="320"></svg><figcaption>x</figcaption>'

PROBE = r"""<script>addEventListener("load", async () => {
  const page = document.documentElement;
  const cut = () => [...document.querySelectorAll(".formula, .part")]
    .filter(e => e.clientWidth && e.scrollWidth > e.clientWidth + 1).length;
  const figure = document.querySelector("figure.plot");
  const facts = {name: document.title, width: innerWidth, cut: cut(), height: page.scrollHeight,
    above: figure ? figure.getBoundingClientRect().top + scrollY : 0,
    overflow: page.scrollWidth - page.clientWidth};
  const closed = () => document.querySelectorAll("details:not([open])").length;
  facts.closed = closed();
  dispatchEvent(new Event("beforeprint"));
  facts.printed = closed();
  facts.cut += cut();
  facts.overflow += page.scrollWidth - page.clientWidth;
  dispatchEvent(new Event("afterprint"));
  facts.after = closed();
  const button = document.querySelector("[data-copy=command]");
  if (button) {
    button.click();
    await new Promise(done => setTimeout(done, 200));
    facts.button = button.textContent;
    facts.selected = String(getSelection());
  }
  parent.postMessage(facts, "*");
});</script>"""


def document(title, body):
    page_text = rendering.render("base.html.j2", root="", title=title)
    return page_text.replace("<main>", f"<main>{body}").replace("</body>", f"{PROBE}</body>")


def looked_at(folder, documents, widths):
    """What each document says of itself at each width, in one browser."""
    (folder / "assets").mkdir()
    for name, text in rendering.assets().items():
        (folder / name).write_text(text, "utf-8")
    frames = []
    for name, text in documents.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
        frames += [
            f'<iframe src="{name}.html" style="width:{w}px;height:900px;border:0"></iframe>'
            for w in widths
        ]
    (folder / "frame.html").write_text(
        '<pre id="found"></pre><script>const all = []; onmessage = e => { all.push(e.data);'
        "document.getElementById('found').textContent = JSON.stringify(all) }</script>"
        + "".join(frames)
    )
    address = (folder / "frame.html").as_uri()
    done = browse(address, folder / "profile", "--virtual-time-budget=20000")
    facts = json.loads(unescape(re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)[1]))
    assert len(facts) == len(frames)
    return facts


def test_no_formula_is_cut_at_any_width(tmp_path, full):
    forms = [form.tex for claim in bounds.statements() for form in claim.forms.values()]
    # The longest are always among them.
    forms.sort(key=len, reverse=True)
    chosen = forms if full else [*forms[:20], *forms[20 :: len(forms) // (SAMPLE - 20)]]
    rows = "".join(f'<div class="form-row"><div>{breakable(tex)}</div></div>' for tex in chosen)
    body = f'<article class="claim">{rows}</article>'
    for facts in looked_at(tmp_path, {"forms": document("forms", body)}, WIDTHS):
        assert (facts["cut"], facts["overflow"]) == (0, 0), facts


def test_claim_pages_are_short_and_copied_from_and_open_on_paper(tmp_path, full):
    ids = bounds.ids() if full else CLAIMS
    documents = {id: document(id, claim_body(bounds.get(id), figure=DRAWING)) for id in ids}
    for facts in looked_at(tmp_path, documents, (1280, 320)):
        assert (facts["cut"], facts["overflow"]) == (0, 0), facts
        if facts["width"] == 1280:
            assert facts["above"] <= 900, facts
            assert facts["height"] <= 2000, facts
        assert facts["closed"] == facts["after"] > 3, facts
        assert facts["printed"] == 0, facts
        # Without a clipboard the text is selected, for a hand to copy.
        name = facts["name"].partition(" ")[0]
        assert facts["button"] == "Copied" or name in facts["selected"], facts


def test_errata_are_short_and_the_report_begins_with_its_counts(tmp_path, outcomes, manifest):
    errata = recorded_errata(bounds.paper("mini"))
    text = page.errata_page_text(errata, manifest, {}).replace('"../', '"')
    index = page.index_page(outcomes, [], manifest)
    place = "facts.above = document.querySelector('.counts').getBoundingClientRect().top;"
    probe = PROBE.replace("const closed", f"{place} const closed")
    documents = {
        "errata": text.replace("</body>", f"{PROBE}</body>"),
        "report": index.replace("</body>", f"{probe}</body>"),
    }
    for facts in looked_at(tmp_path, documents, (1280, 390)):
        assert (facts["cut"], facts["overflow"]) == (0, 0), facts
        if facts["name"].startswith("Errata"):
            entries = len(errata.entries) + len(errata.remarks)
            assert facts["width"] == 390 or facts["height"] <= 130 * entries, facts
            assert (facts["closed"] >= entries, facts["printed"]) == (True, 0), facts
        else:
            assert facts["above"] < {1280: 300, 390: 420}[facts["width"]], facts


def test_the_address_of_an_entry_opens_it(tmp_path, manifest):
    errata = recorded_errata(bounds.paper("mini"))
    anchor = errata.entries[0].anchor
    shows = "document.querySelectorAll('details.entry[open]')"
    probe = f"<script>addEventListener('load', () => document.title = {shows}[0].id)</script>"
    text = page.errata_page_text(errata, manifest, {}).replace('"../', '"')
    (tmp_path / "assets").mkdir()
    for name, asset in rendering.assets().items():
        (tmp_path / name).write_text(asset, "utf-8")
    file = tmp_path / "errata.html"
    file.write_text(text.replace("</body>", f"{probe}</body>"), "utf-8")
    done = browse(f"{file.as_uri()}#{anchor}", tmp_path / "profile")
    assert f"<title>{anchor}</title>" in done.stdout

"""The report in headless Chromium: narrow and wide, light and dark, filtered and sorted."""

import dataclasses
import json
import re
import shutil
from html import unescape

import pytest

from tests.chromium import CHROME, browse
from verify.report import page, rendering

pytestmark = pytest.mark.skipif(CHROME is None, reason="no chromium on PATH")

# Put at the end of every page: opens what is folded, then reports the width of the window, how far
# the page overflows it, the text of the least contrast, and the colour scheme.
PROBE = r"""<script>addEventListener("load", () => {
  const page = document.documentElement;
  document.querySelectorAll("details").forEach(d => d.open = true);
  const parts = text => (text.match(/[\d.]+/g) || []).map(Number);
  const light = text => {
    const [r, g, b] = parts(text).map(v => v / 255)
      .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = e => {
    for (; e; e = e.parentElement) {
      const colour = getComputedStyle(e).backgroundColor;
      if (parts(colour)[3] !== 0) return colour;
    }
    return "rgb(255, 255, 255)";
  };
  const worst = [21, ""];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const e = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || e.closest("script, style") || !e.getClientRects().length)
      continue;
    const style = getComputedStyle(e);
    const ink = e instanceof SVGElement ? style.fill : style.color;
    const [a, b] = [light(ink), light(ground(e))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < worst[0]) worst.splice(0, 2, contrast, walk.currentNode.data.trim());
  }
  parent.postMessage({page: location.pathname.split("/").pop(), width: innerWidth,
    overflow: page.scrollWidth - page.clientWidth, contrast: worst[0], text: worst[1],
    dark: matchMedia("(prefers-color-scheme: dark)").matches, columns: document.querySelectorAll(
      "#claims tr:first-child td").length}, "*");
});</script></body>"""

# Works the index as a reader would and reports the rows that it then shows.
READER = r"""<script>addEventListener("load", async () => {
  const wait = () => new Promise(done => setTimeout(done, 50));
  const rows = () => [...document.querySelectorAll("#claims tbody tr:not([hidden]) .id")]
    .map(e => e.textContent);
  const form = document.querySelector(".filters");
  const set = (name, value) => {
    form.elements[name].value = value;
    form.elements[name].dispatchEvent(new Event("input", {bubbles: true}));
  };
  const click = name => document.querySelector(`th[data-key="${name}"] button`).click();
  const found = {};
  const note = name => found[name] = [rows(), location.hash];
  note("opened");
  set("paper", "x"); note("paper");
  set("verdict", "false"); note("verdict");
  set("paper", ""); set("verdict", ""); set("q", "ALERT lemma"); note("both words");
  set("q", "harmonic nothing"); note("no match");
  set("q", ""); click("claim"); note("up"); click("claim"); note("down"); click("claim");
  note("as it was");
  click("attainment"); note("numbers"); click("attainment"); note("numbers down");
  form.querySelector("[type=reset]").click(); await wait(); note("reset");
  location.hash = "#verdict=reproduced+in+part&sort=kind&order=down"; await wait(); note("linked");
  location.hash = "#verdict=nonsense&sort=nonsense"; await wait(); note("unknown");
  found.count = form.querySelector("output").value;
  parent.postMessage(found, "*");
});</script></body>"""


# Reports when the page is laid out, script included.
CLOCK = """<script>addEventListener("load", () => {
  document.body.offsetHeight;
  document.title = "opened " + performance.now();
});</script></body>"""


def messages(folder, count, pages, *options, width=400):
    """What the pages, each in a window of this width, send to the page that holds them."""
    frames = "".join(
        f'<iframe src="{address}" style="width:{width}px;height:900px;border:0"></iframe>'
        for address in pages
    )
    (folder / "frame.html").write_text(
        '<pre id="found"></pre><script>const all = []; onmessage = e => { all.push(e.data);'
        "document.getElementById('found').textContent = JSON.stringify(all) }</script>" + frames
    )
    address = (folder / "frame.html").as_uri()
    done = browse(address, folder / "profile", "--virtual-time-budget=8000", *options)
    assert "CONSOLE" not in done.stderr
    found = json.loads(unescape(re.search(r'<pre id="found">(.*?)</pre>', done.stdout, re.S)[1]))
    assert len(found) == count
    return found


def probed(site, folder, probe):
    """A copy of the site whose pages end with the probe; their addresses."""
    shutil.copytree(site, folder, dirs_exist_ok=True)
    pages = sorted(folder.rglob("*.html"))
    for path in pages:
        path.write_text(path.read_text("utf-8").replace("</body>", probe), "utf-8")
    return [str(p.relative_to(folder)) for p in pages]


@pytest.mark.parametrize(("scheme", "setting"), [("dark", 0), ("light", 1)])
def test_pages_fit_a_narrow_window_with_enough_contrast_in_silence(site, tmp_path, scheme, setting):
    pages = probed(site, tmp_path, PROBE)
    option = f"--blink-settings=preferredColorScheme={setting}"
    for found in messages(tmp_path, len(pages), pages, option):
        assert (found["width"], found["overflow"]) == (400, 0), found
        assert found["dark"] == (scheme == "dark")
        assert found["contrast"] >= 4.5, found


def test_the_reader_filters_sorts_and_links_a_view(site, tmp_path):
    probed(site, tmp_path, READER)
    (found,) = messages(tmp_path, 1, ["report.html"], width=1000)
    everything = ["x.broken", "x.false", "x.open", "x.table", "sglu.lem3.4"]
    assert found["opened"] == [everything, ""]
    assert found["paper"] == [everything[:4], "#paper=x"]
    assert found["verdict"] == [["x.false"], "#paper=x&verdict=false"]
    assert found["both words"] == [[], "#q=ALERT+lemma"]
    assert found["no match"][0] == []
    paper = ["sglu.lem3.4", "x.false", "x.open", "x.table", "x.broken"]
    assert found["up"] == [paper, "#sort=claim"]
    assert found["down"] == [paper[::-1], "#sort=claim&order=down"]
    assert found["as it was"] == [everything, ""]
    assert found["numbers"][0][:2] == ["sglu.lem3.4", "x.false"]
    assert found["numbers down"][0][:2] == ["x.false", "sglu.lem3.4"]
    assert found["reset"] == [everything, ""]
    assert found["linked"][0] == ["x.table"]
    assert found["unknown"][0] == everything
    assert found["count"] == "5 of 5"


def test_the_table_is_whole_without_a_script(site):
    text = (site / "report.html").read_text("utf-8")
    assert '<form class="filters" hidden' in text
    table = text[text.index('<table class="index"') : text.index("</table>", text.index("claims"))]
    assert "hidden" not in table
    for id in ("x.broken", "x.false", "x.open", "x.table", "sglu.lem3.4"):
        assert f'<a href="claims/{id}.html">' in text


def test_an_index_of_430_claims_opens_at_once(outcomes, manifest, tmp_path):
    many = [
        dataclasses.replace(o, claim=o.claim.changed(id=f"{o.claim.id}.{i}"))
        for i in range(86)
        for o in outcomes
    ]
    index = page.index_page(many, [], manifest).replace("</body>", CLOCK)
    (tmp_path / "report.html").write_text(index, "utf-8")
    (tmp_path / "assets").mkdir()
    for name, text in rendering.assets().items():
        (tmp_path / name).write_text(text, "utf-8")
    done = browse((tmp_path / "report.html").as_uri(), tmp_path / "profile")
    assert "430 claims" in done.stdout
    # benchmarks/report.py measures about half a second; a busy machine may take longer.
    assert float(re.search(r"<title>opened ([\d.]+)", done.stdout)[1]) < 4000

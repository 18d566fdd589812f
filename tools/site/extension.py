"""What Sphinx is told beside its own: the role `claim`, MathML, and docstrings of ours."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from tools.site.docstrings import DocstringText

PACKAGES = ("accounting", "bounds", "simulators", "verify", "forgetproof")
FACTS = "facts.json"
"""What the laying of sources leaves for Sphinx: headline and label of claims, names of pages."""


def setup(app: Sphinx) -> dict[str, Any]:
    """Registers all of it."""
    facts = json.loads((Path(app.srcdir).parent / FACTS).read_text("utf-8"))
    app.add_role("claim", _ClaimRole(facts["claims"]))
    app.add_html_math_renderer("fp_mathml", (_inline_math, None), (_block_math, None))
    text = DocstringText(facts["names"], frozenset(facts["claims"]))

    def process(
        _app: Sphinx, kind: str, _name: str, _of: object, _options: Any, lines: list[str]
    ) -> None:
        # Napoleon takes what stands before a colon in a property's first line for its type.
        first = ["\\ "] if kind in ("property", "attribute", "data") else []
        lines[:] = first + text.lines(lines)

    # Before napoleon, which turns sections into fields.
    app.connect("autodoc-process-docstring", process, priority=100)
    app.connect("missing-reference", _without_page)
    # After viewcode, which makes the pages of modules.
    app.connect("html-page-context", _way_back, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


class _ClaimRole:
    """{claim}`sglu.thm3.2`: label, paper and verdict, with a link to the page of the claim."""

    def __init__(self, claims: dict[str, dict[str, str]]) -> None:
        self._claims = claims

    def __call__(
        self, _name: str, rawtext: str, text: str, line: int, inliner: Any, *_rest: Any
    ) -> tuple[list[nodes.Node], list[nodes.Node]]:
        claim = self._claims.get(text)
        if claim is None:
            message = inliner.reporter.error(f"no claim {text!r}", line=line)
            return [inliner.problematic(rawtext, rawtext, message)], [message]
        reference = addnodes.pending_xref(
            rawtext,
            refdomain="std",
            reftype="ref",
            reftarget=f"claim-{text}".lower(),
            refexplicit=True,
            refwarn=True,
            refdoc=inliner.document.settings.env.docname,
        )
        words = f"{claim['label']} of {text.partition('.')[0]}"
        reference += nodes.inline(words, words, classes=["std", "std-ref"])
        box = ["fp-verdict", f"fp-{claim['tone']}"]
        return [reference, nodes.Text(" "), nodes.inline("", claim["word"], classes=box)], []


def _without_page(
    _app: Sphinx, _env: Any, node: addnodes.pending_xref, content: nodes.Node
) -> nodes.Node | None:
    """The bare name of a class of ours that has no page; what is no class stays a warning."""
    if node.get("refdomain") != "py" or node.get("reftype") != "class":
        return None
    module, _, name = node["reftarget"].rpartition(".")
    if module.split(".")[0] not in PACKAGES:
        return None
    return content if isinstance(getattr(import_module(module), name, None), type) else None


def _way_back(app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: Any) -> None:
    """On a module's page, links to names whose page has them by another module: to the page."""
    if not page.startswith("_modules/") or "body" not in context:
        return
    anchors = {each.node_id for each in app.env.get_domain("py").data["objects"].values()}

    def link(match: re.Match[str]) -> str:
        return match[0] if match[2] in anchors else f'{match[1]}"'

    pattern = r'(class="viewcode-back" href="[^"#]+)#([^"]+)"'
    context["body"] = re.sub(pattern, link, context["body"])


def _inline_math(translator: Any, node: nodes.Element) -> None:
    _math(translator, node, block=False)


def _block_math(translator: Any, node: nodes.Element) -> None:
    _math(translator, node, block=True)


def _math(translator: Any, node: nodes.Element, *, block: bool) -> None:
    from verify.report.mathml import mathml

    translator.body.append(str(mathml(node.astext(), block=block)))
    raise nodes.SkipNode

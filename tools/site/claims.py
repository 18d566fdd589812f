"""One page a claim, from the registry and the record of its last run, and an index a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import bounds
from bounds import Statement
from tools.site.folder import SourceFolder
from tools.site.markdown import cell, contents, escaped, plain, raw, relative, table
from tools.site.pictures import Picture
from tools.site.symbols import symbol_anchor
from tools.site.uses import Uses
from verify import words
from verify.report.claim_body import claim_body
from verify.stored import StoredClaim, stored

SYMBOLS = "reference/symbols"


def page_of(id: str) -> str:
    """The page of a claim, relative to the site's root."""
    return f"claims/{id.split('.')[0]}/{id}"


def lay(folder: SourceFolder, pictures: Mapping[str, Picture], uses: Uses) -> dict[str, str]:
    """Lays the pages of all claims; returns the headline of each."""
    headlines: dict[str, str] = {}
    for paper in bounds.papers():
        told = [stored(bounds.get(id)) for id in paper.statements]
        for claim in told:
            headlines[claim.id] = claim.headline
            folder.write(f"{page_of(claim.id)}.md", page(claim, pictures.get(claim.id), uses))
        folder.write(f"claims/{paper.key}/index.md", _index(paper.key, told))
    keys = [f"{paper.key}/index" for paper in bounds.papers()]
    folder.write("claims/index.md", _all(headlines) + contents(keys))
    return headlines


def page(told: StoredClaim, picture: Picture | None, uses: Uses) -> str:
    """The page of a claim in MyST Markdown."""
    claim = bounds.get(told.id)
    body = str(claim_body(claim, figure=_figure(claim, picture), heading=False))
    parts = [
        f"(claim-{told.id})=\n# {plain(claim.label)} of {claim.paper}\n",
        raw(_names(claim)),
        raw(_linked_symbols(claim, _as_part(body))),
        _related(told, uses),
    ]
    return "\n".join(filter(None, parts))


def _names(claim: Statement) -> str:
    """What a reader may call it: id, abbreviated label, number of the paper."""
    paper = bounds.paper(claim.paper)
    number = f"arXiv:{paper.arxiv}" if paper.arxiv else ""
    names = filter(None, (claim.id, *claim.aliases, _short(claim.label), number, claim.kind))
    text = escaped(" · ".join(dict.fromkeys(names)))
    return f'<p class="fp-names" data-pagefind-weight="10">{text}</p>'


def _short(label: str) -> str:
    """The label as it is often abbreviated: "Thm 3.2"."""
    for word, short in {"Theorem": "Thm", "Proposition": "Prop", "Lemma": "Lem"}.items():
        if label.startswith(word):
            return label.replace(word, short, 1)
    return ""


def _as_part(body: str) -> str:
    """The body as a part of a page that is an article already."""
    return body.replace("<article", "<div", 1).replace("</article>", "</div>", 1)


def _linked_symbols(claim: Statement, body: str) -> str:
    """The body with each symbol of its table as a link to what it means elsewhere."""
    address = relative(page_of(claim.id), SYMBOLS) + ".html"
    before, mark, table_of_symbols = body.partition('<table class="symbols">')
    for name in claim.symbols:
        code = f"<td><code>{escaped(name)}</code></td>"
        link = (
            f'<td><a href="{address}#{symbol_anchor(name)}"><code>{escaped(name)}</code></a></td>'
        )
        table_of_symbols = table_of_symbols.replace(code, link)
    return before + mark + table_of_symbols


def _figure(claim: Statement, picture: Picture | None) -> str:
    if picture is None:
        return ""
    file = relative(page_of(claim.id), picture.file)
    return (
        f'<img src="{file}" alt="{escaped(picture.words)}" width="480" height="340">'
        f"<figcaption>{escaped(picture.caption)} "
        f"<code>{escaped(picture.command)}</code></figcaption>"
    )


def _related(told: StoredClaim, uses: Uses) -> str:
    lines = []
    if told.parts:
        lines.append("Its parts: " + ", ".join(f"{{claim}}`{id}`" for id in told.parts))
    if functions := uses.functions.get(told.id):
        lines.append("Computed or checked with " + ", ".join(f"{{py:obj}}`{n}`" for n in functions))
    if pages := uses.documents.get(told.id):
        lines.append("Named in " + ", ".join(f"{{doc}}`/{page}`" for page in pages))
    if claims := uses.claims.get(told.id):
        lines.append("Claims that use it: " + ", ".join(f"{{claim}}`{id}`" for id in claims))
    return "## Related\n\n" + "".join(f"- {line}\n" for line in lines) if lines else ""


def _index(key: str, told: Sequence[StoredClaim]) -> str:
    paper = bounds.paper(key)
    rows = [[f"[{cell(c.label)}]({c.id}.md)", cell(c.headline), cell(c.words)] for c in told]
    number = f", arXiv:{paper.arxiv}" if paper.arxiv else ""
    return (
        f"# {plain(paper.title)}{number}\n\n{plain(paper.cited)}.\n\n"
        + table(("claim", "verdict", "it says"), rows)
        + "\n"
        + contents([c.id for c in told], hidden=True)
    )


def _all(headlines: Mapping[str, str]) -> str:
    """Counts of verdicts by paper, those of statements of our own apart."""
    kinds = [
        kind for kind in words.ORDER if any(words.kind_of(w) == kind for w in headlines.values())
    ]
    rows = []
    for paper in bounds.papers():
        mine = [words.kind_of(headlines[id]) for id in paper.statements]
        counts = [str(mine.count(kind) or "") for kind in kinds]
        rows.append([f"[{cell(paper.cited)}]({paper.key}/index.md)", *counts])
    return f"# Claims\n\nEvery claim, by paper and verdict.\n\n{table(('paper', *kinds), rows)}\n"

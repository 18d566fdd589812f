"""The symbols of all claims: name -> what it means, and in how many claims."""

from __future__ import annotations

from collections import Counter, defaultdict

import bounds
from bounds import Statement
from tools.site.folder import SourceFolder
from tools.site.markdown import escaped, raw
from verify.report.mathml import mathml


def symbol_anchor(name: str) -> str:
    """The anchor of a symbol on the page of symbols; upper and lower case are kept apart."""
    return f"symbol-{name}"


def lay(folder: SourceFolder, page: str) -> None:
    """Lays the page of symbols."""
    meanings: dict[str, Counter[str]] = defaultdict(Counter)
    first: dict[str, Statement] = {}
    for claim in bounds.statements():
        for symbol in claim.symbols.values():
            meanings[symbol.name][symbol.meaning] += 1
            first.setdefault(symbol.name, claim)
    rows = []
    for name in sorted(meanings, key=lambda each: (each.lower(), each)):
        symbol = first[name].symbols[name]
        said = "; ".join(f"{escaped(m)} ({n})" for m, n in meanings[name].most_common())
        rows.append(
            f'<tr id="{symbol_anchor(name)}"><td>{mathml(symbol.tex)}</td>'
            f"<td><code>{escaped(name)}</code></td><td>{said}</td></tr>"
        )
    head = "".join(f'<th scope="col">{w}</th>' for w in ("symbol", "name", "meaning (claims)"))
    body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    markup = f'<table class="fp-table">{body}</table>'
    folder.write(
        f"{page}.md",
        "# Symbols\n\nThe arguments of formulas, as `forgetproof bound` takes them, and what they"
        " mean. Words stand in the [glossary](glossary.md).\n\n" + raw(markup),
    )

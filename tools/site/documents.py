"""The documents of docs/ and the written proofs, with links that lead where they stand on the site.

A claim's id between backticks becomes the role `claim`, a link with label and verdict.  In a
tutorial that is run, Python blocks become cells, and commands of console blocks are run after them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from tools.site.folder import SourceFolder
from tools.site.markdown import contents, plain, relative
from tools.site.places import (
    DOCS,
    EXECUTED,
    LISTS,
    PROOFS,
    ROOT,
    SECTIONS,
    address,
    documents,
)

_LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"^(```.*?^```[ ]*$)", re.M | re.S)
_INLINE = re.compile(r"(?<![`{}])`([a-z0-9_]+(?:\.[a-z0-9_]+)+)`(?!`)")
_COMMENT = re.compile(r"^<!-- skip: .*?-->\n", re.M)
_PICTURES = (".svg", ".png")
CHANGES = "reference/changes"


def lay(folder: SourceFolder, claims: Iterable[str]) -> None:
    """Lays all documents, proofs, linked source files, and the index of each section."""
    ids = frozenset(claims)
    sources: set[Path] = set()
    for name in documents():
        page = address(name)
        if name.endswith(".ipynb"):
            folder.copy(f"{page}.ipynb", DOCS / name)
            continue
        text = (DOCS / name).read_text("utf-8")
        text = moved(text, page, DOCS, folder, sources)
        text = _claims(without_conditions(text), ids)
        folder.write(f"{page}.md", _executed(text) if name in EXECUTED else text)
    changes = (ROOT / "CHANGELOG.md").read_text("utf-8")
    folder.write(f"{CHANGES}.md", moved(changes, CHANGES, ROOT, folder, sources))
    _proofs(folder, ids)
    for path in sorted(sources):
        _source(folder, path)
    folder.write("source/index.md", _source_index(sources))
    # What commands of tutorials read; they run in the folder of the page.
    for data in sorted(path for kind in ("*.csv", "*/*.json") for path in DOCS.glob(kind)):
        folder.copy(f"tutorials/docs/{data.relative_to(DOCS)}", data)


def proof_pages() -> list[str]:
    """The pages of the written proofs, in the order of their names."""
    return [f"explanation/proofs/{path.stem}" for path in sorted(PROOFS.glob("*.md"))]


def section(name: str, more: Iterable[str]) -> str:
    """The index of a section: its documents, and further pages of it."""
    title, sentence, names = SECTIONS[name]
    pages = [address(each).removeprefix(f"{name}/") for each in names]
    return f"# {title}\n\n{sentence}\n\n{contents([*pages, *more])}"


def moved(text: str, page: str, base: Path, folder: SourceFolder, sources: set[Path]) -> str:
    """The text with every link to a file as a link to its page.

    page: where the text will stand.  base: the folder that its links begin at.  sources: receives
    the files that get a page because something links to them.
    """

    def target(match: re.Match[str]) -> str:
        to, mark, anchor = match[1].partition("#")
        if not to or re.match(r"[a-z]+:", to):
            return match[0]
        path = (base / to).resolve()
        if path.suffix in (*_PICTURES, ".csv", ".json") and path.is_relative_to(DOCS):
            copied = f"files/{path.name}"
            folder.copy(copied, path)
            return f"]({relative(page, copied)})"
        found = _page_of(path, sources)
        return f"]({relative(page, found)}{mark}{anchor})"

    return _LINK.sub(target, text)


def without_conditions(text: str) -> str:
    """The text without the comments that tell the test suite when to pass over a block."""
    return _COMMENT.sub("", text)


def _page_of(path: Path, sources: set[Path]) -> str:
    """The page of the site, with its suffix, that a file of the repository is on."""
    if path.parent == DOCS / "api":
        return f"reference/api/{path.name}"
    if (path.parent == DOCS and path.name in LISTS) or path == ROOT / "README.md":
        return "index.md"
    if path.parent == DOCS:
        suffix = path.suffix
        return address(path.name) + suffix
    if path == ROOT / "CHANGELOG.md":
        return f"{CHANGES}.md"
    if path.parent == PROOFS and path.suffix == ".md":
        return f"explanation/proofs/{path.stem}.md"
    if not path.is_file():
        path = path / "README.md" if (path / "README.md").is_file() else path / "__init__.py"
    sources.add(path)
    return f"{source_page(path)}.md"


def source_page(path: Path) -> str:
    """The page that shows a file of the repository."""
    return "source/" + "-".join(path.relative_to(ROOT).parts).replace(".", "-")


def _source(folder: SourceFolder, path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    language = {".py": "python", ".md": "markdown"}.get(path.suffix, "text")
    code = path.read_text("utf-8").rstrip()
    folder.write(
        f"{source_page(path)}.md",
        f"---\norphan: true\n---\n\n# {name}\n\n``````{language}\n{code}\n``````\n",
    )


def _source_index(sources: Iterable[Path]) -> str:
    lines = [
        f"- [{path.relative_to(ROOT).as_posix()}]({source_page(path).partition('/')[2]}.md)"
        for path in sorted(sources)
    ]
    return (
        "---\norphan: true\n---\n\n# Source files that pages link to\n\n" + "\n".join(lines) + "\n"
    )


def _claims(text: str, ids: frozenset[str]) -> str:
    """Ids of claims outside blocks of code as the role `claim`."""

    def role(match: re.Match[str]) -> str:
        return f"{{claim}}`{match[1]}`" if match[1] in ids else match[0]

    pieces = _FENCE.split(text)
    return "".join(p if i % 2 else _INLINE.sub(role, p) for i, p in enumerate(pieces))


BEGINNING = """\
---
file_format: mystnb
kernelspec:
  name: python3
---

```{code-cell} ipython3
:tags: [remove-cell]
import os
import shlex

from forgetproof.cli import run

os.environ["COLUMNS"] = "92"

def command(line):
    code = run(shlex.split(line)[1:])
    if code:
        raise SystemExit(f"{line} left with exit code {code}")
```

"""
"""Head and first cell of a tutorial: runs a command in the kernel, and fails where it does."""


def _executed(text: str) -> str:
    """The text as a notebook: Python blocks as cells, commands run where their output stands."""
    return BEGINNING + _FENCE.sub(lambda match: _cell(match[1]), text)


def _cell(block: str) -> str:
    language, _, body = block.removeprefix("```").partition("\n")
    body = body.removesuffix("```")
    if language == "python":
        return f"```{{code-cell}} ipython3\n{body}```"
    if language != "console":
        return block
    cells = []
    for line in body.splitlines():
        if line.startswith("$ "):
            shown = f"```console\n{line}\n```"
            called = f"command({line[2:]!r})"
            hidden = f"```{{code-cell}} ipython3\n:tags: [remove-input]\n{called}\n```"
            cells.append(f"{shown}\n\n{hidden}")
    return "\n\n".join(cells)


def _proofs(folder: SourceFolder, ids: frozenset[str]) -> None:
    """The written proofs, titled by the first form that rests on each."""
    uses = _proof_uses(ids)
    for path in sorted(PROOFS.glob("*.md")):
        text = path.read_text("utf-8")
        claims = uses.get(path.name, [])
        title = path.stem.replace("_", " ").capitalize()
        proved = ", ".join(f"{{claim}}`{id}`" for id in claims)
        said = f"Proof of {proved}.\n\n" if claims else ""
        # Lines are set as they stand: a formula at the beginning of one is no Markdown.
        paragraphs = "\n\n".join(map(plain, re.split(r"\n\s*\n", text.strip())))
        folder.write(f"explanation/proofs/{path.stem}.md", f"# {title}\n\n{said}{paragraphs}\n")
    pages = [path.stem for path in sorted(PROOFS.glob("*.md"))]
    folder.write(
        "explanation/proofs/index.md",
        "# Written proofs\n\nWhat verdicts rest on where a phrase is not enough.\n\n"
        + contents(pages),
    )


def _proof_uses(ids: Iterable[str]) -> dict[str, list[str]]:
    """File of a written proof -> the claims of which a form rests on it."""
    import bounds

    uses: dict[str, list[str]] = {}
    for id in sorted(ids):
        claim = bounds.get(id)
        home = ROOT.joinpath(*bounds.paper(claim.paper).module(id).split(".")[:-1])
        for interpretation in claim.interpretations:
            for form in interpretation.forms:
                proof = interpretation.proof(form)
                if proof is None or not proof.file or home != PROOFS:
                    continue
                if id not in uses.setdefault(proof.file, []):
                    uses[proof.file].append(id)
    return uses

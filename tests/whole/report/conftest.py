"""A report of outcomes made by hand, so that it is tested without running a check."""

import dataclasses
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest

import bounds
from bounds import Interpretation, Plot, Statement
from verify import programs, report
from verify.evidence import Comparison, Declaration, Reproduction
from verify.expectation import Surprise
from verify.outcome import outcome_of

MARKUP = f"<script>alert(1)</script> & <b>bold</b> /{'long/' * 30}"
MANIFEST = {
    "seed": 3,
    "profile": "quick",
    "scale": 1.0,
    "device": "cpu",
    "jobs": 1,
    "versions": {"numpy": "<2>"},
    "data": [MARKUP],
}
SURPRISE = Surprise("x.false", "literal.printed", "holds", "false")
PREFACE = {
    "title": "Two thirds less <noise>",
    "paragraphs": ["first"],
    "svg": "<svg></svg>",
    "header": ["who", "sigma"],
    "rows": [["printed", 3], ["exact", 1]],
}
PROGRAMS = {"italic": "print('<i>')\n", "one": "print(1)\n", "two": "print(2)\n"}


@pytest.fixture(scope="session", autouse=True)
def shelf(tmp_path_factory):
    """Programs of the claims made by hand, which no module checks."""
    folder = tmp_path_factory.mktemp("counterexamples")
    for name, text in PROGRAMS.items():
        (folder / f"{name}.py").write_text(text)
    known, beside = {c.id for c in bounds.statements()}, programs.folder
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(programs, "folder", lambda c: beside(c) if c.id in known else folder)
        yield


def _outcomes():
    """One claim of each kind of headline; markup wherever text goes."""

    def claim(id, *forms, kind="inequality", **options):
        return Statement(
            id,
            MARKUP,
            kind,
            MARKUP,
            (Interpretation("literal", MARKUP, dict.fromkeys(forms, "<=")),),
            **options,
        )

    wrong = Comparison(
        "literal", "printed", MARKUP, {"eta": 1e-5, "K": [1, 2]}, 2.0, 1.0, script="italic"
    )
    table = Reproduction(
        "literal", "printed", "rounded", ({"b": 1, "match": True}, {"b": 2, "match": False})
    )
    lemma = bounds.get("sglu.lem3.4")
    fine = [
        Comparison("literal", form, "AR(1)", {"K": 3.0}, 0.5, 1.0, tight=0.5)
        for form in ("printed", "tight")
    ]
    return [
        outcome_of(lemma, fine, 0.1, None),
        outcome_of(claim("x.false", "printed", correction=MARKUP), [wrong], 0.1, None),
        outcome_of(
            claim("x.open", "printed"),
            [Declaration("literal", "printed", "unspecified", MARKUP)],
            0.1,
            None,
        ),
        outcome_of(claim("x.table", "printed", kind="table"), [table], 0.1, None),
        outcome_of(
            claim("x.broken", "printed", plot=Plot("K", (1.0, 2.0), {})),
            [],
            0.1,
            f"Traceback\n{MARKUP}\nValueError: no",
        ),
    ]


@pytest.fixture
def manifest():
    return dict(MANIFEST)


@pytest.fixture
def surprise():
    return SURPRISE


@pytest.fixture
def outcomes():
    return _outcomes()


@pytest.fixture
def undrawable():
    """A claim whose formula can be evaluated at none of its points."""
    lemma = bounds.get("sglu.lem3.4")
    return lemma.changed(plot=dataclasses.replace(lemma.plot, values=(-1, -2)))


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The folder of a report of all of them, with a preface and a surprise. Do not write to it."""
    folder = tmp_path_factory.mktemp("site")
    report.write(_outcomes(), [SURPRISE], MANIFEST, folder, preface=PREFACE)
    return folder


class Structure(HTMLParser):
    """Ids, addresses, and elements that are not closed in order."""

    VOID = frozenset({"meta", "link", "br", "path", "use", "mspace", "input", "img", "hr"})

    def __init__(self, page):
        super().__init__()
        self.ids, self.addresses, self.open, self.crossed = [], [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        self._note(attrs)

    def handle_startendtag(self, tag, attrs):
        self._note(attrs)

    def handle_endtag(self, tag):
        if tag not in self.VOID and (not self.open or self.open.pop() != tag):
            self.crossed.append(tag)

    def _note(self, attrs):
        for name, value in attrs:
            if name == "id":
                self.ids.append(value)
            elif name in ("href", "xlink:href", "src"):
                self.addresses.append(value)


@pytest.fixture(scope="session")
def pages():
    """A function: folder -> the structure of each of its pages, by path."""

    def read(folder):
        return {p: Structure(p.read_text("utf-8")) for p in Path(folder).resolve().rglob("*.html")}

    return read


@pytest.fixture(scope="session")
def broken_links(pages):
    """A function: folder -> (page, address) of each link that leads nowhere."""

    def find(folder):
        found = pages(folder)

        def leads(page, address):
            path, _, fragment = address.partition("#")
            target = (page.parent / unquote(path)).resolve() if path else page
            return target.is_file() and (not fragment or fragment in found[target].ids)

        return [
            (page.name, address)
            for page, structure in found.items()
            for address in structure.addresses
            if address != "data:," and not leads(page, address)
        ]

    return find

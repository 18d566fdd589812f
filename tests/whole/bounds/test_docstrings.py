"""The docstring of a form is its one text: its sections, what is refused, and what is said once."""

import json
import pydoc
import subprocess
import sys
import textwrap
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import bounds
from bounds import Statement, Symbol, Written, docstrings
from bounds.docstrings import docstring_of, parsed

WHOLE = """|w_T - w| is at most this value.

    Losses are convex.  Here
    w is the minimiser.

    Note: a line
    Proof: an argument that goes
        on: and on
    Proof (ball, no noise): another
    Source: a paper, (3)
    """
FORMS = [form for claim in bounds.statements() for form in claim.forms.values()]


def test_a_docstring_is_taken_apart():
    text = parsed(WHOLE)
    assert text.head == (
        "|w_T - w| is at most this value.\n\nLosses are convex.  Here\nw is the minimiser."
    )
    assert (text.note, text.equality, text.source) == ("a line", "", "a paper, (3)")
    assert text.proof("ball") == text.proof("no noise") == "another"
    assert text.proof("literal") == "an argument that goes on: and on"
    assert parsed("Alone.").proof("literal") is None


words = st.text(st.sampled_from("abw_T<=(:,)"), min_size=1, max_size=9)
sentences = st.lists(words, min_size=1, max_size=30).map(" ".join)
names = st.sampled_from(["ball", "order 1", "literal"])


@given(
    st.dictionaries(st.sampled_from(["Note", "Equality", "Source"]), sentences),
    st.dictionaries(names | st.just(""), sentences),
    st.dictionaries(names | st.just(""), sentences),
    st.integers(20, 100),
)
def test_what_is_written_in_sections_is_read_from_them(texts, proofs, fails, width):
    sections = [f"{name}: {text}" for name, text in texts.items()]
    for section, by_interpretation in (("Proof", proofs), ("Fails", fails)):
        for name, text in by_interpretation.items():
            sections.append(f"{section} ({name}): {text}" if name else f"{section}: {text}")
    wrapped = [textwrap.fill(s, width, subsequent_indent="    ") for s in sections]
    text = parsed("\n    ".join(["It is at most this.", "", *"\n".join(wrapped).splitlines(), ""]))
    assert text.head == "It is at most this."
    assert {"Note": text.note, "Equality": text.equality, "Source": text.source} == {
        "Note": "",
        "Equality": "",
        "Source": "",
    } | texts
    assert (text.proofs, text.fails) == (proofs, fails)


@pytest.mark.parametrize(
    ("sections", "said"),
    [
        ("Remark: x", "section must be one of Note, Proof, Fails, Equality, Source, got 'Remark'"),
        ("Note: x\nNote: y", "section Note must be there once"),
        ("Proof: x\nProof: y", "section Proof must be there once"),
        ("Proof (a, b): x\nProof (b): y", "section Proof of b must be there once"),
        ("Note:", "section Note must have a text"),
        ("Note (a): x", r"only Proof and Fails name interpretations, got Note \(a\)"),
        ("Note: x\ny", "further lines of a section must be indented, got 'y'"),
    ],
    ids=["unknown", "twice", "proofs", "one proof twice", "empty", "names", "margin"],
)
def test_what_is_no_section_is_refused(sections, said):
    with pytest.raises(TypeError, match=said):
        parsed(f"It is at most this.\n\n{sections}")


def stated(docstring, **how):
    statement = Statement("x.y", "Lemma 1", "inequality", "words")
    statement.interpreted_as("literal", "as it stands")
    statement.interpreted_as("other", "elsewhere", {"tight": "<="}, **how)

    def body(xp):
        return 1

    body.__doc__ = f"It is at most this.\n\n{docstring}"
    return statement, body


@pytest.mark.parametrize(
    ("section", "how", "said"),
    [
        ("Proof (absent): x", {}, r"x\.y \(printed\): a proof for 'absent', which is no inter"),
        ("Proof (other): x", {}, "a proof for 'other', which is no interpretation that judges"),
        ("Fails (other): x", {}, "a failure for 'other', which is no interpretation that judges"),
        ("Remark: x", {}, r"x\.y \(printed\): section must be one of"),
        ("Note: x", {"written": Written("x.md", interpretations=("literal",))}, "no proof"),
        ("Proof: x", {"written": Written("x.md", interpretations=("other",))}, "'other', where"),
    ],
    ids=[
        "absent",
        "does not judge",
        "fails where not judged",
        "section",
        "nothing to write",
        "another",
    ],
)
def test_a_form_refuses_what_is_nowhere_judged_and_names_itself(section, how, said):
    statement, body = stated(section)
    with pytest.raises(TypeError, match=said):
        statement.form("printed", tex="1", **how)(body)


def test_a_form_has_its_proofs_in_its_docstring_alone():
    statement, body = stated("Proof: x", proofs={"tight": "declared"})
    with pytest.raises(TypeError, match=r"x\.y \(tight\): a form has its proofs and failures in"):
        statement.form("tight", tex="1")(body)


def test_a_written_proof_has_the_words_of_the_docstring():
    statement, body = stated("Proof (other): elsewhere so\nProof: so")
    statement.form("tight", tex="1", written=Written("so.md", ("x.z",), ("other",)))(body)
    literal, other = (r.proof("tight") for r in statement.interpretations)
    assert (literal.level, literal.words) == ("named", "so")
    assert (other.level, other.words, other.file) == ("written", "elsewhere so", "so.md")
    assert other.rests_on == ("x.z",)


def test_help_adds_what_the_arguments_mean():
    statement = Statement(
        "x.y",
        "Lemma 1",
        "inequality",
        "words",
        symbols=(Symbol("eta", "step size", r"\eta", low=0, unit="parameter^2/loss"),),
    )

    @statement.form("printed", tex=r"\eta")
    def printed(xp, eta):
        """It is at most this."""
        return eta

    assert printed.__doc__ == (
        "It is at most this.\n\nArguments:\n    eta: step size; >= 0, in parameter^2/loss"
    )
    assert "eta: step size" in pydoc.render_doc(printed, renderer=pydoc.plaintext)
    assert type(printed).__doc__.startswith("One form of a statement")


def test_every_form_says_what_is_bounded_and_what_is_printed_says_where():
    assert len(FORMS) > 600
    for form in FORMS:
        first = form.text.head.partition("\n\n")[0]
        assert first.endswith((".", ".)")), (form.statement.id, form.name)
        assert form.name != "printed" or form.text.source, form.statement.id


def test_nothing_is_said_twice_but_by_a_note_and_a_proof():
    def bare(text):
        return " ".join(text.lower().replace(".", "").split())

    for form in FORMS:
        text = form.text
        said = [bare(s) for s in text.head.replace("\n\n", ". ").split(". ")]
        rest = [bare(s) for s in (text.equality, text.source) if s]
        told = {bare(s) for s in (text.note, *text.proofs.values())}
        assert not told & {*said, *rest}, (form.statement.id, form.name)
        assert len({*said, *rest}) == len(said) + len(rest), (form.statement.id, form.name)


SAID = """
import json, bounds
said = [
    [form.note, form.text.docstring, {r.name: r.proof(name).words for r in claim.interpretations
                                      if r.proof(name)}]
    for claim in bounds.statements("guo") for name, form in claim.forms.items()
]
print(json.dumps(said))
"""


def test_without_docstrings_they_are_read_from_the_source():
    kept, left_out = (
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for command in ([sys.executable, "-c", SAID], [sys.executable, "-OO", "-c", SAID])
    )
    assert kept == left_out
    assert any(proofs for _, _, proofs in kept)


def test_without_docstrings_and_without_a_source_nothing_is_made_up(monkeypatch):
    monkeypatch.setattr(docstrings, "sys", SimpleNamespace(flags=SimpleNamespace(optimize=2)))
    table = {}
    exec("def nowhere(xp): return 1", table)
    with pytest.raises(TypeError, match="nowhere has no source"):
        docstring_of(table["nowhere"])
    assert docstring_of(lambda xp: 1) == ""

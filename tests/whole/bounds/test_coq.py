"""Proofs in Coq, the second checker: all lines are exported, and Coq refuses what is changed."""

import re
from functools import cache

import pytest

import bounds
from bounds import proof_files
from bounds.kernel import theorems
from bounds.kernel.scope import FUNCTIONS, OPAQUE, SORTS
from tools.coq import compiling, words
from tools.coq.__main__ import chosen, main
from tools.coq.export import exported
from tools.coq.prelude import declared, expressible, prelude, proofs_of_theorems
from tools.coq.words import coq_name

needs_coq = pytest.mark.skipif(not compiling.installed(), reason="coqc is not installed")
SMALL = ("safe.eq20", "olu.eq11", "olu.eq49")
# Differences of whole numbers: P has the factors from the end.
BACKWARDS = """
theorem x.backwards tight
for N: nat
for c: nat -> real
define P(0) = 1, P(m+1) = P(m)*c(N-m-1)
define C(0) = 1, C(k+1) = C(k)*c(k)
show P(N) = C(N)
both: for k, m nat; if N = k + m: P(N) = C(k)*P(m) by induction on k
  base: hence by algebra with [if], [C_0]
  step: hence by [ih(m+1)] with [if], [P_1(m)], [C_1(k)]
hence by [both(N, 0)] with [P_0]
"""
# What is changed in which file: a pattern that stands there, and what it becomes.
FALSE = {
    "goal": ("olu_eq49_printed", r"<= (.*)\.\nProof using", r"<= (\1) / 2.\nProof using"),
    "multiplier": ("olu_eq49_printed", r" = (.+)\) by \(identity", r" = 2 * (\1)) by (identity"),
    "theorem": ("Prelude", r"Rmin a b\) <= a", "Rmin a b) <= (a - 1)"),
}


# What the kernel has and the exporter has no rule for; nothing today.
NO_RULE = (
    {*SORTS} - words.SORTS.keys()
    | {*FUNCTIONS} - {*words.FUNCTIONS, *words.SPREAD}
    | {name for name, theorem in theorems().items() if not expressible(theorem)}
)


@cache
def coq_files():
    files = {}
    for proof in chosen(()):
        if not NO_RULE & set(re.findall(r"\w+", proof.text)):
            files[proof] = exported(proof.text)
    return files


def labels(text):
    """Labels of the lines of a proof, with those inside of inductions."""
    for line in text.splitlines():
        line = line.strip().removeprefix("base: ").removeprefix("step: ")
        match = re.match(r"(?:given )?(\w+): .*", line)
        if match:
            yield match[1]


def test_all_proofs_are_exported():
    count = sum(len(proof_files.of_paper(paper)) for paper in bounds.papers())
    assert len(coq_files()) == count or NO_RULE
    names = [file.name for file in coq_files().values()]
    assert len(set(names)) == len(names) >= 80


def test_each_line_of_a_proof_is_in_coq_under_its_label():
    for proof, file in coq_files().items():
        stated = re.findall(r"^(?:Lemma|Hypothesis|\{? ?assert) \(?([\w']+) :", file.text, re.M)
        missing = {coq_name(label) for label in labels(proof.text)} - set(stated)
        assert not missing, proof.path
        assert f"Theorem {file.name} : " in file.text
        lines = [line for line in proof.text.splitlines() if re.match(r"\s*(\w+:|hence) ", line)]
        assert file.lines == len(lines)


def test_a_named_theorem_is_proved_in_coq_or_an_axiom_on_what_is_opaque():
    text = prelude()
    for name, theorem in theorems().items():
        opaque = any(sort in OPAQUE for _, sort in theorem.parameters)
        if expressible(theorem):
            assert (f"by_{name}" in declared(text)) == opaque, name
            assert (name in proofs_of_theorems()) != opaque, name
    assert proofs_of_theorems().keys() <= theorems().keys()
    # An axiom is made from the kernel's own text.
    assert "Axiom by_meet : forall (X : law) (Y : law) (v : R), link X Y 0 v -> gdp X Y v." in text


def test_what_the_exporter_does_not_know_of_a_theorem_is_not_passed_over():
    theorem = theorems()["meet"]
    assert expressible(theorem)
    assert not expressible((*theorem, ("another premise",)))


def test_without_coq_the_command_says_how_to_get_it(monkeypatch, capsys):
    monkeypatch.setattr(compiling, "installed", lambda: False)
    assert main(["safe.eq20"]) == 2
    assert capsys.readouterr().err.splitlines() == [compiling.MISSING]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--jobs", "0"], "--jobs must be >= 1"),
        (["olu.nothing"], "olu.nothing"),
        (["hf.thm4.3"], "hf.thm4.3 has no proof"),
    ],
    ids=["jobs", "id", "without"],
)
def test_what_cannot_be_asked_is_exit_code_2(words, reason, capsys):
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert reason in capsys.readouterr().err


@needs_coq
def test_coq_accepts_proofs_and_refuses_what_is_changed_in_them(tmp_path, capsys):
    assert main([*SMALL, "--out", str(tmp_path), "--jobs", "1"]) == 0
    assert "3 proofs, 10 lines" in capsys.readouterr().out
    file = exported(BACKWARDS)
    (tmp_path / f"{file.name}.v").write_text(file.text, "utf-8")
    assert compiling.run(tmp_path, file.name)[0].failure == ""
    accepted = [word for word, change in FALSE.items() if not _refused(tmp_path, *change)]
    assert accepted == []


def _refused(folder, name, pattern, changed):
    """Whether Coq refuses the file with the change."""
    text = (folder / f"{name}.v").read_text("utf-8")
    # The last place: the first identities are of lines in which both sides are 0.
    last = list(re.finditer(pattern, text))[-1]
    other = text[: last.start()] + last.expand(changed) + text[last.end() :]
    (folder / "Changed.v").write_text(other, "utf-8")
    result, said = compiling.run(folder, "Changed")
    assert bool(result.failure) == ("Error" in said)
    return bool(result.failure)


def test_a_theorem_that_rests_on_more_than_the_kernel_says_is_a_failure():
    file = next(file for proof, file in coq_files().items() if proof.id == "olu.eq11")
    said = "olu_eq11_printed\n  : forall ..\nAxioms:\ndot : vec -> vec -> R\n{}\n  : forall ..\n"
    known = declared(prelude())
    assert compiling.beyond(file, said.format("by_nonexpansive"), known) == ""
    assert compiling.beyond(file, said.format("by_shift"), known) == "rests on by_shift"
    assert compiling.beyond(file, said.format("Other.axiom"), known) == "rests on Other.axiom"
    assert compiling.beyond(file, "Closed under the global context", known) == ""
    assert compiling.beyond(file, "", known) != ""

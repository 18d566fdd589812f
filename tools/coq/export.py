"""A proof as a file of Coq: a section with its hypotheses, and a lemma for every line."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from bounds.kernel import check
from bounds.kernel.reading import ProofReader
from bounds.kernel.scope import BUILT_IN
from bounds.kernel.syntax import quantified
from tools.coq.claims import Output
from tools.coq.context import Context, CoqFact, NotExported
from tools.coq.line import Line
from tools.coq.prelude import PRELUDE, predicates
from tools.coq.rules import LineProofs
from tools.coq.words import SORTS, binders, coq_name, coq_type


class CoqFile(NamedTuple):
    """A file of Coq.

    Attributes:
        title: statement and form.
        name: of its theorem and of the file.
        text: what stands in it.
        lines: how many lines of the proof it shows.
        lemmas: how many lemmas of Coq these are.
        theorems: the named theorems that the kernel says it uses.
    """

    title: str
    name: str
    text: str
    lines: int
    lemmas: int
    theorems: tuple[str, ...]


def exported(text: str) -> CoqFile:
    """The proof in Coq. Raises ProofRejected and NotExported."""
    proof = check(text)
    reader = CoqReader(text)
    reader.proved()
    title = " ".join([proof.id, proof.form, *proof.interpretations])
    name = re.sub(r"\W", "_", title)
    head = f"(* {title} *)\nRequire Import {PRELUDE}.\nSection Proof.\n"
    tail = f"End Proof.\nCheck {name}.\nPrint Assumptions {name}.\n"
    body = "\n".join([head, *reader.written, reader.goal_theorem(name), tail])
    lemmas = len(re.findall(r"^(?:Lemma|Theorem) ", body, re.M))
    return CoqFile(title, name, body, reader.lines_shown, lemmas, proof.theorems)


class CoqReader(ProofReader):
    """Reads the lines of a proof as the kernel does, and writes each in Coq."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.context = Context(self.scope, dict(BUILT_IN))
        self.output = Output()
        self.proofs = LineProofs(self.output)
        self.written: list[str] = []
        self.lines_shown = 0
        self._declared_predicates = set(predicates())
        self._goal: tuple[str, list[str]] = ("", [])

    def goal_theorem(self, name: str) -> str:
        """The goal, for everything that was declared and assumed."""
        statement, script = self._goal
        return "\n".join([f"Theorem {name} : {statement}.", "Proof using All.", *script, "Qed."])

    def _line(self, line: str, block: list[str]) -> None:
        try:
            self._written(line, block)
        except NotExported as error:
            raise NotExported(f"{line[:80]}: {error}") from error

    def _written(self, line: str, block: list[str]) -> None:
        word, _, rest = line.partition(" ")
        hence = word == "hence"
        if not hence and not (word.endswith(":") and self.goal):
            super()._line(line, block)
            return
        self.output.before.clear()
        label = "goal" if hence else word[:-1]
        text = f"{self.goal} {rest}" if hence else rest
        fact, statement, script = self.proofs.shown(self.context, label, text, block)
        self._predicates()
        remark = [f"(* {each} *)" for each in (line, *block)]
        self.written += [*remark, *self.output.before]
        self.lines_shown += 1 + len(block)
        if hence:
            self._goal = (statement, script)
            self.goal_shown = True
            return
        self.context.add(label, fact)
        self.written += [f"Lemma {fact.name} : {statement}.", "Proof.", *script, "Qed.", ""]

    def _predicates(self) -> None:
        """Predicates of this proof alone are variables."""
        for name, sorts in self.output.predicates.items():
            if name not in self._declared_predicates:
                self._declared_predicates.add(name)
                types = " -> ".join([*(SORTS[sort] for sort in sorts), "Prop"])
                self.written.append(f"Variable {name} : {types}.")

    def _declare(self, text: str) -> None:
        before = set(self.scope.names)
        super()._declare(text)
        for name in self.scope.names:
            if name not in before:
                self._named(name)

    def _named(self, name: str) -> None:
        sort = str(self.scope.names[name])
        self.context.names[name] = sort
        self.written.append(f"Variable {coq_name(name)} : {coq_type(sort)}.")

    def _given(self, text: str) -> None:
        label, _, claim_text = text.partition(":")
        parameters, guards, claim = quantified(claim_text)
        label = label.strip()
        inner = self.context.inner()
        for name, sort in parameters:
            inner.declare(name, sort)
        statement = self.proofs.stated(inner, parameters, guards, claim)
        self._predicates()
        fact = CoqFact(coq_name(label), parameters, guards, claim, dict(self.context.names))
        super()._given(text)
        self.context.facts[label] = fact
        self.written += [f"(* {text} *)", f"Hypothesis {fact.name} : {statement}."]

    def _define(self, text: str) -> None:
        super()._define(text)
        name = self.definitions[-1]
        self.context.names[name] = str(self.scope.names[name])
        zero, after = (self.scope.facts[f"{name}_{i}"] for i in (0, 1))
        for label, fact in ((f"{name}_0", zero), (f"{name}_1", after)):
            self.context.facts[label] = CoqFact(
                coq_name(label), fact.parameters, (), fact.claim, dict(self.context.names)
            )
        first, second = (self._right(fact.parameters, fact.claim) for fact in (zero, after))
        *others, (m, _) = after.parameters
        function, last = coq_name(name), coq_name(m)
        self.written += [
            f"(* define {text} *)",
            f"Fixpoint {function} {binders(tuple(others))} (m'0 : nat) {{struct m'0}} : R :=",
            f"  match m'0 with O => {first} | S {last} => {second} end.",
        ]
        for label, fact in ((f"{name}_0", zero), (f"{name}_1", after)):
            inner = self.context.inner()
            for parameter, sort in fact.parameters:
                inner.declare(parameter, sort)
            statement = self.proofs.stated(inner, fact.parameters, (), fact.claim)
            at = " ".join([function, *(coq_name(parameter) for parameter, _ in others)])
            names = " ".join(coq_name(parameter) for parameter, _ in fact.parameters)
            proof = "intros. reflexivity."
            if fact is after:
                proof = (
                    f"intros {names}. transitivity ({at} (S {last})); "
                    "[now rewrite Nat.add_1_r | reflexivity]."
                )
            self.written += [f"Lemma {coq_name(label)} : {statement}.", f"Proof. {proof} Qed."]

    def _right(self, parameters: tuple[tuple[str, str], ...], claim: ast.expr) -> str:
        """The right side of a definition's equation."""
        assert isinstance(claim, ast.Compare)
        inner = self.context.inner()
        for parameter, sort in parameters:
            inner.declare(parameter, sort)
        stating = inner.stating()
        line = Line(stating, Output())
        return line.terms.term(claim.comparators[0], stating.names).text

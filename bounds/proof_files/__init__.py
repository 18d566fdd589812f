"""Proofs of forms that `bounds.kernel` checks: files beside statements, bound to the forms.

A paper's proofs are `proofs/*.proof` in the package of its statements, also a third party's. The
kernel is loaded with the first proof that is checked: a statement without any does not need it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import ModuleType
from typing import TYPE_CHECKING

from bounds.interpretations import proved_from
from bounds.library import Paper, blame, installed
from bounds.statements import Statement

if TYPE_CHECKING:
    from bounds.kernel import Proved

FOLDER = "proofs"
SUFFIX = ".proof"
_HEADER = re.compile(r"^theorem ([\w.]+) (\w+)(?: in (.*))?$", re.M)
_SETTING = re.compile(r"^setting (\w+)\(", re.M)
_THEOREM = re.compile(r" by (\w+)\(")
_GOAL = re.compile(r"^show (?:for [^:]*: )?(.*)$", re.M)


@dataclass(frozen=True)
class ProofFile:
    """A proof as it is written.

    Attributes:
        id, form: of which form of which statement.
        interpretations: those in which it shows the form; empty: the first that judges the form.
        path: where it is, from the folder of the statements.
        text: what it says.
    """

    id: str
    form: str
    interpretations: tuple[str, ...]
    path: str
    text: str

    @property
    def theorems(self) -> tuple[str, ...]:
        """The named theorems that its lines use, without checking it."""
        return tuple(sorted(set(_THEOREM.findall(self.text)) & _kernel().theorems().keys()))

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that it assumes."""
        known = _kernel().settings()
        return tuple(name for name in _SETTING.findall(self.text) if name in known)

    def shows(self, claim: Statement, interpretation: str) -> bool:
        """Whether it speaks of the form in this interpretation."""
        judging = [r.name for r in claim.interpretations if self.form in r.relations]
        return interpretation in (self.interpretations or judging[:1])

    def half(self, claim: Statement) -> str:
        """ "at most" where the form is an equality and the goal is not; else nothing."""
        equality = any(r.relations.get(self.form) == "==" for r in claim.interpretations)
        goal = _GOAL.search(self.text)
        one_sided = goal is None or "<=" in goal[1] or " = " not in goal[1]
        return "at most" if equality and one_sided else ""

    def unbound(self, claim: Statement) -> bool:
        """Whether the statement has no formula that its goal could be compared with."""
        return self.form not in claim.forms

    def checked(self) -> Proved:
        """The proof, line by line. Raises ProofRejected where one does not follow."""
        proof: Proved = _kernel().check(self.text)
        return proof

    def bound(self, claim: Statement) -> Proved:
        """The same, its goal bound to the claim's form. Raises ProofRejected where it is another.

        A statement without that form (an algorithm, or words alone) has nothing to bind.
        """
        from bounds.proof_files.binding import bound

        proof = self.checked()
        if not self.unbound(claim):
            of = [r for r in claim.interpretations if self.shows(claim, r.name)]
            relations = {r.relations[self.form] for r in of if self.form in r.relations}
            bound(proof, claim, self.form, relations)
        return proof

    def grounds(self, claim: Statement) -> str:
        """What an accepted proof makes of the form: "proved from meet, shift, start"."""
        return proved_from(self.half(claim), self.theorems, unbound=self.unbound(claim))


def of_paper(paper: Paper) -> tuple[ProofFile, ...]:
    """The proofs beside a paper's statements, by the order of the statements.

    Raises ValueError for a file that names no claim of the paper.
    """
    return _in_package(paper.package, tuple(paper.statements))


@cache
def _in_package(package: str, ids: tuple[str, ...]) -> tuple[ProofFile, ...]:
    proofs = [_read(ids, file) for file in _files(package)]
    return tuple(sorted(proofs, key=lambda proof: (ids.index(proof.id), proof.form)))


def of_claim(claim: Statement) -> tuple[ProofFile, ...]:
    """The proofs of a statement's forms; none of a statement of no installed paper."""
    owner = installed(claim.paper)
    if owner is None:
        return ()
    try:
        return tuple(proof for proof in of_paper(owner) if proof.id == claim.id)
    except Exception as error:  # a third-party package may fail in any way
        blame(f"{FOLDER} of {claim.paper}", error)
        return ()


def of_form(claim: Statement, interpretation: str, form: str) -> ProofFile | None:
    """The proof of a form in an interpretation, if the kernel accepts it and it is bound."""
    for proof in of_claim(claim):
        if proof.form == form and proof.shows(claim, interpretation) and _accepted(claim, proof):
            return proof
    return None


def accepted(claim: Statement) -> tuple[ProofFile, ...]:
    """The proofs of a statement's forms that the kernel accepts and that are bound to them."""
    return tuple(proof for proof in of_claim(claim) if _accepted(claim, proof))


@cache
def _accepted(claim: Statement, proof: ProofFile) -> bool:
    """Checked once for a statement: neither it nor the text changes under a program."""
    try:
        proof.bound(claim)
    except _kernel().ProofRejected:
        return False
    return True


def _kernel() -> ModuleType:
    """The checker of proofs."""
    from bounds import kernel

    return kernel


def _files(package: str) -> Iterator[Traversable]:
    folder = files(package) / FOLDER
    if folder.is_dir():
        yield from (file for file in folder.iterdir() if file.name.endswith(SUFFIX))


def _read(ids: tuple[str, ...], file: Traversable) -> ProofFile:
    text = file.read_text("utf-8")
    header = _HEADER.search(text)
    if header is None or header[1] not in ids:
        raise ValueError(f"{file.name} must begin with `theorem ID FORM` of a claim of its paper")
    names = tuple(name.strip() for name in (header[3] or "").split(",") if name.strip())
    return ProofFile(header[1], header[2], names, f"{FOLDER}/{file.name}", text)

"""Proofs of forms that `verify.kernel` checks: files beside statements, bound to the forms.

A paper's proofs are `proofs/*.proof` in the package of its statements, also a third party's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

import bounds
from bounds import Paper, Statement
from verify.kernel import Proved, Rejected, check, settings, theorems

SUFFIX = ".proof"
_HEADER = re.compile(r"^theorem ([\w.]+) (\w+)", re.M)
_SETTING = re.compile(r"^setting (\w+)\(", re.M)
_THEOREM = re.compile(r" by (\w+)\(")


@dataclass(frozen=True)
class ProofFile:
    """A proof as it is written: of which statement and form, and the text."""

    id: str
    form: str
    text: str

    @property
    def theorems(self) -> tuple[str, ...]:
        """The named theorems that its lines use, without checking it."""
        return tuple(sorted(set(_THEOREM.findall(self.text)) & theorems().keys()))

    @property
    def settings(self) -> tuple[str, ...]:
        """The settings that it assumes."""
        return tuple(name for name in _SETTING.findall(self.text) if name in settings())

    def checked(self) -> Proved:
        """The proof, line by line. Raises Rejected where one does not follow."""
        proof = check(self.text)
        if (proof.id, proof.form) != (self.id, self.form):
            raise Rejected(f"the proof must be of {self.id} {self.form}, got {proof.id}")
        return proof


@cache
def of_paper(key: str) -> tuple[ProofFile, ...]:
    """The proofs beside a paper's statements, by the order of the statements."""
    paper = bounds.paper(key)
    proofs = [_read(paper, file) for file in _files(paper)]
    order = list(paper.statements)
    return tuple(sorted(proofs, key=lambda proof: (order.index(proof.id), proof.form)))


def of_claim(claim: Statement) -> tuple[ProofFile, ...]:
    """The proofs of a statement's forms."""
    return tuple(proof for proof in of_paper(claim.paper) if proof.id == claim.id)


def _files(paper: Paper) -> Iterator[Traversable]:
    folder = files(paper.package) / "proofs"
    if folder.is_dir():
        yield from (file for file in folder.iterdir() if file.name.endswith(SUFFIX))


def _read(paper: Paper, file: Traversable) -> ProofFile:
    text = file.read_text("utf-8")
    header = _HEADER.search(text)
    if header is None or header[1] not in paper.statements:
        raise ValueError(f"{file.name} must begin with `theorem ID FORM` of a claim of {paper.key}")
    return ProofFile(header[1], header[2], text)

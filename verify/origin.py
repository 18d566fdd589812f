"""Where a claim comes from: its paper as readers know it, and whose proof it rests on."""

from collections import Counter
from collections.abc import Iterable

from bounds import Paper, Proof, Statement
from bounds.library import installed
from bounds.statements import ORIGINS
from verify.words import ORDER, kind_of, weakness

WHOSE = {"paper": "stated by a paper", "ours": "ours, beside the papers"}
"""What an origin means, where statements are counted."""


def counts(headlines: Iterable[tuple[Statement, str]]) -> dict[str, dict[str, int]]:
    """Origin -> kind of headline -> how many claims, problems first; what does not occur is out."""
    tallies: dict[str, Counter[str]] = {origin: Counter() for origin in ORIGINS}
    for claim, word in headlines:
        tallies[claim.origin][kind_of(word)] += 1
    return {
        origin: {word: kinds[word] for word in ORDER if kinds[word]}
        for origin, kinds in tallies.items()
        if kinds
    }


def summary(headlines: Iterable[tuple[Statement, str]]) -> list[str]:
    """The counts in words, a line for each origin: "3 stated by a paper: 1 false, 2 holds"."""
    return [
        f"{sum(kinds.values())} {WHOSE[origin]}: "
        + ", ".join(f"{n} {word}" for word, n in kinds.items())
        for origin, kinds in counts(headlines).items()
    ]


def cited(key: str) -> str:
    """The paper in a line: authors, year, title and number; its key where none is installed."""
    paper_record = installed(key)
    return paper_record.cited if paper_record else key


def source(key: str) -> str:
    """The distribution that brought the paper, where that is not the project's own."""
    paper_record = installed(key)
    return paper_record.distribution if paper_record and paper_record.foreign else ""


def proved(claim: Statement, proof: Proof | None) -> str:
    """What sort of proof it is, and by whom where it is a third party's: "named proof, by lab".

    What is checked of it says from where, and where that is no proof of the whole, on which box.
    """
    if proof is None:
        return ""
    by = source(claim.paper)
    kind = (
        proof.told
        if proof.level in ("checked", "proved")
        else proof.told.replace(proof.level, f"{proof.level} proof", 1)
    )
    return kind + (f", by {by}" if by else "")


def whose(claim: Statement) -> str:
    """ "ours" of a statement that is not the paper's; nothing of one that is."""
    return "ours" if claim.origin == "ours" else ""


def notes(claim: Statement, word: str, attainment: float | None, proof: Proof | None) -> str:
    """What stands beside a headline: a small attainment, the proof, whose it is if not paper's."""
    return ", ".join(filter(None, (rests(claim, word, attainment, proof), whose(claim))))


def rests(claim: Statement, word: str, attainment: float | None, proof: Proof | None) -> str:
    """What stands beside a verdict: a small attainment, and the proof where it rests on one."""
    remarks = (weakness(word, attainment), proved(claim, proof) if word == "holds" else "")
    return ", ".join(filter(None, remarks))


def proof_text(claim: Statement, proof: Proof | None) -> str:
    """What a written proof says; nothing where there is none, or where it cannot be read."""
    paper_record = installed(claim.paper)
    if proof is None or paper_record is None or claim.id not in paper_record.statements:
        return ""
    try:
        return proof.text(paper_record.module(claim.id))
    except (OSError, ValueError):
        return ""


def described(paper: Paper) -> dict[str, object]:
    """A paper as plain data."""
    return {
        "key": paper.key,
        "title": paper.title,
        "authors": list(paper.authors),
        "year": paper.year,
        "arxiv": paper.arxiv,
        "version": paper.version,
        "edition": paper.edition,
        "source": paper.distribution,
    }

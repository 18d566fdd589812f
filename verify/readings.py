"""One word for a claim: what its printed forms say together, under every reading that counts."""

from collections.abc import Mapping

from bounds import Statement

GREEN = ("holds", "not refuted", "consistent")
AGAINST = ("false", "typo", "vacuous")
COUNTED = ("fair", "part")


def is_green(word: str) -> bool:
    """Whether a verdict speaks for the form; "reproduced n/m" does where all were."""
    done, _, total = word.removeprefix("reproduced ").partition("/")
    return word in GREEN or (word.startswith("reproduced ") and done == total)


def counted(claim: Statement, words: Mapping[str, str]) -> dict[str, str]:
    """Reading -> word of the paper's own form, where the paper's reader could mean the reading.

    `words` maps "reading.form" to a verdict. Gaps and repairs are left out; where a claim has
    nothing else, its first reading counts.
    """
    found = {
        r.name: words[key]
        for r in claim.readings
        if r.stance in COUNTED and (key := f"{r.name}.{claim.own_form}") in words
    }
    first = claim.readings[0].name
    return found or {first: words.get(f"{first}.{claim.own_form}", "not run")}


def headline(claim: Statement, words: Mapping[str, str]) -> str:
    """The word of the first reading that counts; "mixed" where such readings disagree.

    They disagree where one is green and another is false, wrong by an edit, or vacuous. A part of
    a statement can spoil what is green, but not redeem what is not.
    """
    found = counted(claim, words)
    stances = {r.name: r.stance for r in claim.readings}
    leading = next(iter(found.values()))
    green = is_green(leading) or any(
        is_green(word) and stances.get(name) == "fair" for name, word in found.items()
    )
    return "mixed" if green and any(word in AGAINST for word in found.values()) else leading


def disagreement(claim: Statement, words: Mapping[str, str]) -> str:
    """The readings of a mixed claim by their words: "holds: literal; false: public"."""
    by_word: dict[str, list[str]] = {}
    for name, word in counted(claim, words).items():
        by_word.setdefault(word, []).append(name)
    return "; ".join(f"{word}: {', '.join(names)}" for word, names in by_word.items())

"""One word for a claim: what its printed forms come to, under every interpretation that counts."""

from collections.abc import Mapping

from bounds import Statement

GREEN = ("holds", "not refuted", "consistent")
AGAINST = ("false", "typo", "vacuous")
COUNTED = ("plain", "component")


def is_green(word: str) -> bool:
    """Whether a verdict speaks for the form; "reproduced n/m" does where all were."""
    return word in GREEN or _share(word) == 1.0


def is_against(word: str) -> bool:
    """Whether a verdict speaks against the form; "reproduced n/m" does where some were not."""
    share = _share(word)
    return word in AGAINST or (share is not None and share < 1)


def _share(word: str) -> float | None:
    """The share of a table that follows: 0.75 of "reproduced 3/4"; None of any other word."""
    if not word.startswith("reproduced "):
        return None
    matches, _, total = word.removeprefix("reproduced ").partition("/")
    return int(matches) / int(total)


def counted(claim: Statement, words: Mapping[str, str]) -> dict[str, str]:
    """Interpretation -> word of the paper's own form, where the paper's reader could mean the
    interpretation.

    `words` maps "interpretation.form" to a verdict. What is out of context or amended is left out;
    where a claim has nothing else, its first interpretation counts.
    """
    # In the claim's order: the first that counts leads.
    interpretation_words = {
        r.name: words[key]
        for r in claim.interpretations
        if r.stance in COUNTED and (key := f"{r.name}.{claim.own_form}") in words
    }
    first = claim.interpretations[0].name
    return interpretation_words or {first: words.get(f"{first}.{claim.own_form}", "not run")}


def standing(word: str) -> tuple[int, float]:
    """How well a verdict speaks for the form, for comparison: its level, and the share of a table.

    From below: false, vacuous; a table in part, wrong by an edit; what is open; what is green.
    """
    if is_green(word):
        return 3, 1.0
    if (share := _share(word)) is not None:
        return 1, share
    return {"false": 0, "vacuous": 0, "typo": 1}.get(word, 2), 1.0


def headline(claim: Statement, words: Mapping[str, str]) -> str:
    """The word of the first interpretation that counts; "mixed" where another one fares worse.

    It is "mixed" too where that word speaks against the paper, and another plain interpretation is
    green. A part of a statement can spoil what stands better than itself, but not redeem what does
    not.
    """
    interpretation_words = counted(claim, words)
    stances = {r.name: r.stance for r in claim.interpretations}
    leading = next(iter(interpretation_words.values()))
    # Worse than the leading word, and against the paper: open verdicts spoil nothing.
    worse = any(
        is_against(w) and standing(w) < standing(leading) for w in interpretation_words.values()
    )
    redeemed = is_against(leading) and any(
        is_green(word) and stances.get(name) == "plain"
        for name, word in interpretation_words.items()
    )
    return "mixed" if worse or redeemed else leading


def decision(claim: Statement, words: Mapping[str, str]) -> str:
    """Which interpretation decides the headline, and what the others that count say.

    "literal decides; also holds: target" or, of a mixed claim, all of them by their words; nothing
    where there is one verdict only.
    """
    if len(words) < 2:
        return ""
    if headline(claim, words) == "mixed":
        return disagreement(claim, words)
    first, *others = counted(claim, words).items()
    also = f"; also {_by_word(dict(others))}" if others else ""
    return f"{first[0]} decides{also}"


def disagreement(claim: Statement, words: Mapping[str, str]) -> str:
    """The interpretations of a mixed claim by their words: "holds: literal; false: public"."""
    return _by_word(counted(claim, words))


def _by_word(found: Mapping[str, str]) -> str:
    """Interpretations by their words, in the order in which the words occur."""
    by_word: dict[str, list[str]] = {}
    for name, word in found.items():
        by_word.setdefault(word, []).append(name)
    return "; ".join(f"{word}: {', '.join(names)}" for word, names in by_word.items())

"""The search of `tools.prove` for the steps of a certificate. The checker imports none of it.

Where a symbol lies is taken from what is known: a range, a hypothesis, the condition of a case.
Powers, logarithms, minima and the like get a name each and the lemmas that speak of them; which of
these are tried is a product of a few options a part, cut off by the clock. Every step is tried by
the checker itself as soon as it is made, and a branch that it rejects ends there.
"""

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import permutations
from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]

from bounds.algebra.certificates import CaseWalk, Rejected
from bounds.certificates import Step
from bounds.namespaces.special import mu_star

LETTERS = ("x", "y", "z", "v", "w", "p", "q", "r", "h", "g", "k", "l")
PLACES = 2  # at most so many symbols are given a place of their own


class _Late(BaseException):
    """No Exception, which sympy may catch."""


@contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raises TimeoutError after so many seconds of this process, wherever it is."""

    def stop(*_: object) -> None:
        raise _Late

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 1)
    try:
        yield
    except _Late:
        raise TimeoutError from None
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def found(walk: CaseWalk, gap: Any, forms: tuple[Any, Any]) -> list[Step] | None:
    """Steps that show the difference of two forms to be >= 0, or None."""
    parts = _parts(gap)
    for placed, steps in _placed(walk):
        for bound in _above(placed, *forms):
            if (there := taken(placed, bound)) is not None and there.shown(gap):
                return [*steps, *bound]
        if (rest := _named(placed, gap, parts)) is not None:
            return [*steps, *rest]
    return None


def taken(walk: CaseWalk, steps: Sequence[Step]) -> CaseWalk | None:
    """A copy of the walk after these steps; None where the checker rejects one."""
    there = copy(walk)
    for name, value in vars(walk).items():
        if isinstance(value, dict | list):
            setattr(there, name, copy(value))
    try:
        for step in steps:
            there.take(*step)
    except (Rejected, TypeError, ValueError, AttributeError):
        return None
    return there


def _placed(walk: CaseWalk) -> Iterator[tuple[CaseWalk, list[Step]]]:
    """The walk with no symbol, one or two put where what is known says it lies."""
    yield walk, []
    moves = [m for m in _places(walk) if taken(walk, [m]) is not None]
    for number in range(1, PLACES + 1):
        for chosen in permutations(moves, number):
            if len({step[1] for step in chosen}) == number and (there := taken(walk, chosen)):
                yield there, [*chosen]


def _places(walk: CaseWalk) -> list[Step]:
    """["within", x, low, high] for every symbol in something known, solved for it."""
    known = [fact for fact in walk.given if len(fact.free_symbols) > 1]
    moves: dict[tuple[Any, ...], Step] = {}
    for x in sorted(walk.numbers.values(), key=str):
        ends = {str(sp.factor(end)) for fact in known if (end := _end(fact, x)) is not None}
        low = "0" if x.is_nonnegative else None
        for a, b in [
            *((e, e) for e in ends),
            *((low, e) for e in ends),
            *((e, None) for e in ends),
            *permutations(sorted(ends), 2),
        ]:
            moves[str(x), a, b] = ["within", str(x), a, b]
    return [*moves.values()]


def _end(fact: Any, x: Any) -> Any:
    """Where the fact, linear in x, is 0."""
    top = sp.numer(sp.together(fact))
    if x not in fact.free_symbols or not top.is_polynomial(x) or sp.degree(top, x) != 1:
        return None
    a, b = sp.Poly(top, x).all_coeffs()
    return -b / a


def _parts(gap: Any) -> list[Any]:
    """What is named in a difference, inner parts first."""
    seen: list[Any] = []
    for node in sp.postorder_traversal(gap):
        power = node.is_Pow and node.exp.free_symbols and node.base is not sp.E
        if power:
            node = node.base ** node.exp.as_coeff_Mul()[1]
        elif not isinstance(node, NAMED):
            continue
        if node not in seen and not _bound(gap) & node.free_symbols:
            seen.append(node)
    return seen


NAMED = (sp.exp, sp.log, sp.Min, sp.Max, sp.Abs, sp.harmonic, sp.zeta, sp.gamma, mu_star)


def _bound(gap: Any) -> set[Any]:
    return {row[0] for s in gap.atoms(sp.Sum, sp.Product) for row in s.limits}


def _named(walk: CaseWalk, gap: Any, parts: list[Any]) -> list[Step] | None:
    """Steps for the parts, the first one by each of its options in turn."""
    if not parts:
        return [] if walk.shown(gap) else None
    part, *rest = parts
    for steps in _options(walk, part, gap):
        there = taken(walk, steps)
        if there is not None and (more := _named(there, gap, rest)) is not None:
            return [*steps, *more]
    return None


def _options(walk: CaseWalk, part: Any, gap: Any) -> Iterator[list[Step]]:
    """Ways to name a part and to say where it lies, the most telling first."""
    letters = (x for x in LETTERS if x not in walk.called and x not in walk.numbers)
    name = next(letters)
    text = str(part)
    call: Step = ["name", name, text]
    if part.is_Pow and not isinstance(part, sp.exp):
        yield from _powers(walk, part, name, gap)
    elif isinstance(part, sp.log):
        (of,) = map(str, part.args)
        yield [["lemma", "logarithms", of, "1"], call, ["within", name, None, "0"]]
        yield [["lemma", "logarithms", "1", of], call, ["within", name, "0", None]]
        for other in gap.atoms(sp.log) - {part}:
            yield [["lemma", "logarithms", of, str(other.args[0])]]
    elif isinstance(part, sp.exp):
        (of,) = map(str, part.args)
        yield [["lemma", "exponentials", "0", of], call, ["within", name, "1", None]]
        yield [["lemma", "exponentials", of, "0"], call, ["within", name, "0", "1"]]
    elif isinstance(part, sp.Min):
        for one in part.args:
            least = ["lemma", "least", text, str(one)]
            yield [least]
            yield [least, call]
            yield [least, call, ["within", name, "0", str(one)]]
    elif isinstance(part, sp.Max):
        yield from ([["lemma", "greatest", text, str(one)]] for one in part.args)
    elif isinstance(part, sp.harmonic):
        of = str(part.args[0])
        yield [["lemma", "harmonics", of]]
        logs: list[Step] = [
            ["lemma", "logarithms", "1", of],
            ["name", "logT", f"log({of})"],
            ["within", "logT", "0", None],
        ]
        yield [["lemma", "harmonics", of], *logs, call, ["within", name, None, "1 + logT"]]
    elif isinstance(part, sp.zeta):
        yield [["lemma", "zetas", str(part.args[0])]]
    elif isinstance(part, sp.gamma):
        other = f"gamma({2 * part.args[0] - 1}/2)"
        yield [
            ["lemma", "gammas", str(2 * part.args[0] - 1)],
            ["name", f"{name}0", other],
            call,
            ["within", name, None, f"{name}0*sqrt(({2 * part.args[0] - 1})/2)"],
        ]
    elif isinstance(part, mu_star):
        yield [["lemma", "gaussian", *map(str, part.args)]]
    yield [call]
    yield []


def _powers(walk: CaseWalk, part: Any, name: str, gap: Any) -> Iterator[list[Step]]:
    """A power between 0 and 1, its base, or another power of it that is named already."""
    base, exponent = f"({part.base})", str(part.exp)
    call: Step = ["name", name, str(part)]
    others = [(n.exp, x) for n, x in walk.names.items() if n.is_Pow and n.base == part.base]
    tops = [(str(e), str(x)) for e, x in others if x.is_Symbol] + [("1", base), ("0", "1")]
    for low, top in tops:
        yield [["lemma", "power", base, low, exponent], call, ["within", name, "0", top]]
    for e in gap.atoms(sp.exp):
        yield [
            ["lemma", "decays", str(1 - part.base), exponent],
            call,
            ["name", f"{name}0", str(e)],
            ["within", name, "0", f"{name}0"],
        ]


def _above(walk: CaseWalk, low: Any, high: Any) -> Iterator[list[Step]]:
    """Ways to show a maximum, an absolute value or a root to be at most the other form."""
    for node in (n for n in sp.postorder_traversal(low) if isinstance(n, sp.Max)):
        rest = low.subs(node, sp.Dummy())
        if rest.is_Symbol or sp.cancel(low / node).free_symbols.isdisjoint(node.free_symbols):
            bound = str(sp.simplify(high * node / low))
            inner: list[Step] = [
                ["lemma", "absolute_below", str(one.args[0]), bound]
                for one in node.args
                if isinstance(one, sp.Abs)
            ]
            yield [*inner, ["lemma", "greatest_below", str(node), bound]]
    if low.is_Pow and low.exp == sp.Rational(1, 2):
        yield [["lemma", "root_below", str(low.base), str(high)]]

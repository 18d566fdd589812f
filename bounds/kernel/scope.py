"""What is declared and known at a line of a proof: values of terms, signs that are seen, facts."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import NamedTuple

from bounds.kernel.algebra import (
    Atom,
    Polynomial,
    ProofRejected,
    Real,
    Term,
    Thing,
    Vector,
    atom_at,
    dot,
    number_of,
)
from bounds.kernel.chance import RANDOM, expectation, is_random, speaks_of_chance
from bounds.kernel.syntax import USE, called

FUNCTIONS = ("dot", "sq", "norm", "sqrt", "exp", "log", "abs", "pinv", "min", "expectation")
BUILT_IN = {
    "proj": "set, vec -> vec",
    "noisy": "map, law, real -> law",
    "image": "map, law -> law",
    "renyi": "real, law, law -> real",
    "renyi_shifted": "real, real, law, law -> real",
}
OPAQUE = ("law", "map", "set")
SORTS = ("real", "nat", "vec", *RANDOM, *OPAQUE)
RELATIONS: dict[type[ast.cmpop], str] = {ast.LtE: "<=", ast.Lt: "<", ast.Eq: "=="}
Names = Mapping[str, str | Term]
"""A name -> its sort, where it stands for anything of it, or the term that it stands for."""


class Sign(IntEnum):
    """What is seen of a real term."""

    UNKNOWN = 0
    NONNEGATIVE = 1
    POSITIVE = 2
    ZERO = 3


class Fact(NamedTuple):
    """A statement for all values of its parameters, under guards, and what its names stand for."""

    parameters: tuple[tuple[str, str], ...]
    guards: tuple[ast.expr, ...]
    claim: ast.expr
    names: Names


class RelationClaim(NamedTuple):
    """left <= right, left < right or left == right."""

    kind: str
    left: Term
    right: Term

    @property
    def gap(self) -> Real | Vector:
        """right - left."""
        if isinstance(self.left, Real) and isinstance(self.right, Real):
            return self.right - self.left
        if isinstance(self.left, Vector) and isinstance(self.right, Vector):
            return self.right.plus(self.left, -1)
        raise ProofRejected("the two sides must be numbers, or vectors")


class PredicateClaim(NamedTuple):
    """A name of its arguments, such as gdp(X, Y, v)."""

    name: str
    arguments: tuple[Term, ...]


Claim = RelationClaim | PredicateClaim


class Scope:
    """Names, facts, and equations by which atoms are replaced."""

    def __init__(
        self,
        names: Names,
        facts: Mapping[str, Fact] | None = None,
        equations: Mapping[object, Term] | None = None,
    ) -> None:
        self.names = dict(names)
        self.facts: dict[str, Fact] = {}
        self.equations = dict(equations or {})
        self._signs: dict[int, Sign] = {}
        self._of_functions: dict[tuple[str, int], Sign] = {}
        self._gaps: list[tuple[Polynomial, Sign]] = []
        for label, fact in (facts or {}).items():
            self.add(label, fact)

    def inner(self) -> Scope:
        """A scope of its own, in which the same is known."""
        inner = Scope(self.names, {}, self.equations)
        # What the facts tell of signs is read with the same equations: it stays as it is.
        inner.facts = dict(self.facts)
        inner._signs = dict(self._signs)
        inner._of_functions = dict(self._of_functions)
        inner._gaps = list(self._gaps)
        return inner

    def declare(self, name: str, sort: str) -> None:
        """Let the name stand for anything of the sort. Raises ProofRejected where it is taken."""
        *arguments, result = sort.replace("->", ",").split(",")
        if not all(part.strip() in SORTS for part in (*arguments, result)):
            raise ProofRejected(f"a sort must be of {', '.join(SORTS)}, got {sort!r}")
        if not name.isidentifier() or name in self.names or name in self.facts:
            raise ProofRejected(f"{name} is taken or no name")
        if name in FUNCTIONS or name.startswith(USE):
            raise ProofRejected(f"{name} is a function of the language")
        self.names[name] = sort

    def add(self, label: str, fact: Fact) -> None:
        """Let the fact be known. Raises ProofRejected where the label is taken."""
        if label in self.facts or label in self.names:
            raise ProofRejected(f"{label} is taken")
        self.facts[label] = fact
        self._see(fact)

    # Terms

    def term(self, node: ast.expr, names: Names | None = None) -> Term:
        """What an expression stands for. Raises ProofRejected for what is not of the language."""
        names = self.names if names is None else names
        match node:
            case ast.Constant(value=value) if type(value) is int:
                return Real.of(value)
            case ast.Name(id=name) if name in names:
                entry = names[name]
                return self.applied(name, (), entry) if isinstance(entry, str) else entry
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _scaled(self.term(operand, names), Real.of(-1))
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self.power(self.real(left, names), self.real(right, names))
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                divisor = self.real(right, names)
                return _scaled(self.term(left, names), self.inverse(divisor))
            case ast.BinOp(left=left, op=op, right=right):
                return _combined(op, self.term(left, names), self.term(right, names))
            case ast.Call():
                return self._call(node, names)
        raise ProofRejected(f"cannot read {ast.unparse(node)}")

    def real(self, node: ast.expr, names: Names | None = None) -> Real:
        """The same, which must be a number."""
        value = self.term(node, names)
        if not isinstance(value, Real):
            raise ProofRejected(f"{ast.unparse(node)} is no number")
        return value

    def _call(self, node: ast.Call, names: Names) -> Term:
        name, nodes = called(node)
        arguments = [self.term(each, names) for each in nodes]
        match name, arguments:
            case "dot", [Vector() as u, Vector() as v]:
                return dot(u, v)
            case "sq", [Vector() as u]:
                return dot(u, u)
            case "sq", [Real() as a]:
                return a * a
            case "norm", [Vector() as u]:
                return self._replaced(Real.atom(Atom("norm", (u.key,))))
            case (("sqrt" | "exp" | "log" | "abs" | "pinv"), [Real() as a]):
                return self._replaced(Real.atom(Atom(name, (a.key,))))
            case "expectation", [Real() as a]:
                return self.expectation(a)
            case "min", [Real() as a, Real() as b]:
                return self._replaced(Real.atom(Atom("min", tuple(sorted((a.key, b.key))))))
        sort = names.get(name)
        if not isinstance(sort, str) or "->" not in sort:
            raise ProofRejected(f"{name or ast.unparse(node)} is no function of these arguments")
        taken = [part.strip() for part in sort.partition("->")[0].split(",")]
        if len(taken) != len(arguments) or not all(map(_is_of, arguments, taken)):
            raise ProofRejected(f"{name} is a function of {', '.join(taken)}")
        return self.applied(name, tuple(a.key for a in arguments), sort)

    def applied(self, name: str, keys: tuple[object, ...], sort: str) -> Term:
        """The value of a declared name, or what an equation says of it."""
        if not keys and "->" in sort:
            raise ProofRejected(f"{name} is a function")
        result = sort.rpartition(">")[2].strip()
        if result in OPAQUE:
            return self._replaced(Thing(result, name, keys))
        atom = Atom(f"{name}()" if keys else name, keys, result)
        if result in ("vec", "random_vec"):
            return self._replaced(Vector({number_of(atom): Real.of(1)}))
        return self._replaced(Real.atom(atom))

    def _replaced(self, value: Term) -> Term:
        return self.equations.get(value.key, value)

    def expectation(self, real: Real) -> Real:
        """Its expectation, atoms as equations say. Raises ProofRejected for what has none."""
        return expectation(real, lambda atom: _as_real(self._replaced(atom)))

    def inverse(self, divisor: Real) -> Real:
        """1 over it. Raises ProofRejected unless each factor that then stands below is seen > 0."""
        inverse = divisor.inverse()
        for factor in inverse.below:
            if self._polynomial_sign(dict(factor)) is not Sign.POSITIVE:
                raise ProofRejected(f"the divisor {shown(dict(factor))} is not seen to be > 0")
        return inverse

    def power(self, base: Real, exponent: Real) -> Real:
        """base^exponent, for an exponent that is a whole number, or a sum of those >= 0."""
        total = Real.of(1)
        if exponent.below:
            raise ProofRejected("an exponent must be a whole number")
        for monomial, times in exponent.above.items():
            whole = times.denominator == 1 and all(atom_at(x).sort == "nat" for x, _ in monomial)
            if not whole or (monomial and times < 0):
                raise ProofRejected("an exponent must be a whole number, or a sum of those >= 0")
            factor = base if times > 0 else self.inverse(base)
            if monomial:
                value = self._replaced(Real.atom(Atom("power", (base.key, monomial))))
                if not isinstance(value, Real):
                    raise ProofRejected("a power is a number")
                factor = value
            for _ in range(abs(int(times))):
                total *= factor
        return total

    # Signs

    def sign(self, real: Real) -> Sign:
        """What is seen: of each monomial, or because the whole is a multiple of a fact's gap."""
        if real.zero:
            return Sign.ZERO
        # Its divisors were seen to be > 0 where it was made, which may have been another scope.
        if any(self._polynomial_sign(dict(f)) is not Sign.POSITIVE for f in real.below):
            return Sign.UNKNOWN
        return self._polynomial_sign(real.above)

    def _polynomial_sign(self, p: Polynomial) -> Sign:
        signs = [self._monomial_sign(m) if a > 0 else Sign.UNKNOWN for m, a in p.items()]
        if Sign.UNKNOWN not in signs:
            return max(signs)
        for gap, sign in self._gaps:
            if gap.keys() == p.keys():
                ratios = {p[m] / gap[m] for m in p}
                if len(ratios) == 1 and min(ratios) > 0:
                    return sign
        return Sign.UNKNOWN

    def _monomial_sign(self, monomial: tuple[tuple[int, int], ...]) -> Sign:
        signs = [Sign.POSITIVE]
        for x, k in monomial:
            sign = self._atom_sign(x)
            even = Sign.POSITIVE if sign is Sign.POSITIVE else Sign.NONNEGATIVE
            signs.append(sign if k % 2 else even)
        return min(signs)

    def _atom_sign(self, number: int) -> Sign:
        atom = atom_at(number)
        signs = [Sign.UNKNOWN, self._signs.get(number, Sign.UNKNOWN)]
        square = atom.name == "dot" and atom.arguments[0] == atom.arguments[1]
        if square or atom.name in ("norm", "sqrt", "abs") or atom.sort == "nat":
            signs.append(Sign.NONNEGATIVE)
        if atom.name == "exp":
            signs.append(Sign.POSITIVE)
        if atom.name in ("power", "sqrt", "pinv", "min", "expectation") and atom.arguments:
            keys = atom.arguments if atom.name == "min" else atom.arguments[:1]
            inside = [self.sign(Real(dict(above), dict(below))) for _, above, below in keys]
            signs.append(min(Sign.NONNEGATIVE if s is Sign.ZERO else s for s in inside))
        if atom.name.endswith("()") and all(map(_counts, atom.arguments)):
            of_function = (atom.name[:-2], len(atom.arguments))
            signs.append(self._of_functions.get(of_function, Sign.UNKNOWN))
        return max(signs)

    def _see(self, fact: Fact) -> None:
        """What a fact `0 <= x` or `0 < x` without guards tells of the sign of an atom."""
        claim = fact.claim
        if fact.guards or not isinstance(claim, ast.Compare):
            return
        strict = Sign.POSITIVE if isinstance(claim.ops[0], ast.Lt) else Sign.NONNEGATIVE
        if fact.parameters:
            self._see_function(fact, claim, strict)
            return
        try:
            relation = self.claim(claim, fact.names)
        except ProofRejected:
            # A divisor whose sign a later line shows; the fact can be used from there on.
            return
        if not isinstance(relation, RelationClaim) or relation.kind == "==":
            return
        gap = relation.gap
        if not isinstance(gap, Real) or gap.below:
            return
        self._gaps.append((gap.above, strict))
        for monomial, a in gap.above.items():
            rest = gap.above.keys() - {monomial, ()}
            constant = gap.above.get((), 0)
            # a x + constant >= 0 with a > 0 and constant <= 0: x is at least -constant/a.
            if len(monomial) == 1 and monomial[0][1] == 1 and a > 0 and not rest and constant <= 0:
                sign = Sign.POSITIVE if constant < 0 else strict
                x = monomial[0][0]
                self._signs[x] = max(sign, self._signs.get(x, Sign.UNKNOWN))

    def _see_function(self, fact: Fact, claim: ast.Compare, strict: Sign) -> None:
        """The same of `for k nat: 0 <= f(k)`, in whatever order its parameters stand."""
        name, nodes = called(claim.comparators[0])
        argument_names = [node.id if isinstance(node, ast.Name) else "" for node in nodes]
        of_all = sorted(argument_names) == sorted(name for name, _ in fact.parameters)
        whole = all(sort == "nat" for _, sort in fact.parameters)
        low = claim.left.value if isinstance(claim.left, ast.Constant) else None
        declared = fact.names.get(name)
        plain = isinstance(declared, str) and declared == self.names.get(name)
        if not of_all or not whole or not plain or type(low) is not int or low < 0:
            return
        if len(claim.ops) != 1 or not isinstance(claim.ops[0], ast.LtE | ast.Lt):
            return
        sign = Sign.POSITIVE if low > 0 else strict
        key = (name, len(nodes))
        self._of_functions[key] = max(sign, self._of_functions.get(key, Sign.UNKNOWN))

    # Claims

    def claim(self, node: ast.expr, names: Names | None = None) -> Claim:
        """What an inequality, an equation or a predicate says."""
        if isinstance(node, ast.Compare):
            if len(node.ops) != 1 or type(node.ops[0]) not in RELATIONS:
                raise ProofRejected(f"a claim has one of <=, <, =: {ast.unparse(node)}")
            left, right = self.term(node.left, names), self.term(node.comparators[0], names)
            return RelationClaim(RELATIONS[type(node.ops[0])], left, right)
        name, nodes = called(node)
        if not isinstance(node, ast.Call) or not name:
            raise ProofRejected(f"{ast.unparse(node)} is no claim")
        return PredicateClaim(name, tuple(self.term(each, names) for each in nodes))

    def instance(self, node: ast.expr, names: Names | None = None) -> Claim:
        """The claim of the fact that [label(arguments)] uses. Raises ProofRejected without one."""
        label, nodes = called(node)
        fact = self.facts.get(label.removeprefix(USE))
        if not label.startswith(USE) or fact is None:
            raise ProofRejected(f"there is no fact {label.removeprefix(USE) or ast.unparse(node)}")
        if len(nodes) != len(fact.parameters):
            raise ProofRejected(f"{label.removeprefix(USE)} has {len(fact.parameters)} parameters")
        inner = dict(fact.names)
        of_chance = speaks_of_chance(fact.claim, *fact.guards)
        for (name, sort), argument in zip(fact.parameters, nodes, strict=True):
            value = self.term(argument, names)
            inner[name] = self.argument(value, sort, name, of_chance=of_chance)
        for guard in fact.guards:
            if not self.known(self.claim(guard, inner)):
                raise ProofRejected(f"{ast.unparse(guard)} is not known")
        return self.claim(fact.claim, inner)

    def argument(self, value: Term, sort: str, name: str, *, of_chance: bool) -> Term:
        """The value, which must be of the sort: a whole number must be seen to be >= 0.

        Where what it enters speaks of chance, only a random variable may depend on it. Raises
        ProofRejected.
        """
        if of_chance and sort not in RANDOM and is_random(value.key):
            raise ProofRejected(f"{name} must not depend on chance")
        if not _is_of(value, sort):
            raise ProofRejected(f"{name} is of sort {sort}")
        if sort == "nat" and (not _is_whole(value) or not self.sign(_as_real(value))):
            raise ProofRejected(f"{name} must be a whole number >= 0")
        return value

    def known(self, claim: Claim, others: Iterable[Claim] = ()) -> bool:
        """Whether a claim is seen to be true, or stands among the others and the closed facts."""
        if isinstance(claim, RelationClaim) and self._visible(claim):
            return True
        closed = [f for f in self.facts.values() if not f.parameters and not f.guards]
        return any(_implies(other, claim) for other in others) or any(
            _implies(other, claim) for other in map(self._readable, closed) if other is not None
        )

    def _readable(self, fact: Fact) -> Claim | None:
        try:
            return self.claim(fact.claim, fact.names)
        except ProofRejected:
            return None

    def _visible(self, relation: RelationClaim) -> bool:
        if isinstance(relation.left, Thing):
            return relation.kind == "==" and relation.left == relation.right
        gap = relation.gap
        if isinstance(gap, Vector):
            return relation.kind == "==" and not gap
        sign = self.sign(gap)
        if relation.kind == "<":
            return sign is Sign.POSITIVE
        return sign is Sign.ZERO or (relation.kind == "<=" and sign is not Sign.UNKNOWN)


def _implies(known: Claim, claim: Claim) -> bool:
    """Whether the one says the other, in so many words."""
    if isinstance(known, PredicateClaim) or isinstance(claim, PredicateClaim):
        return (
            isinstance(known, PredicateClaim)
            and isinstance(claim, PredicateClaim)
            and known.name == claim.name
            and len(known.arguments) == len(claim.arguments)
            and all(map(_equal, known.arguments, claim.arguments))
        )
    if not isinstance(known.left, Real) or not isinstance(claim.left, Real):
        return False
    gap, wanted = _as_real(known.gap), _as_real(claim.gap)
    stronger = {"<=": ("<=", "<", "=="), "<": ("<",), "==": ("==",)}[claim.kind]
    if known.kind in stronger and (gap - wanted).zero:
        return True
    return known.kind == "==" and claim.kind != "<" and (gap + wanted).zero


def _equal(one: Term, other: Term) -> bool:
    if isinstance(one, Real) and isinstance(other, Real):
        return (one - other).zero
    return type(one) is type(other) and one.key == other.key


def _is_of(value: Term, sort: str) -> bool:
    if isinstance(value, Thing):
        return value.sort == sort
    if isinstance(value, Vector):
        return sort in ("vec", "random_vec")
    return sort in ("real", "nat", "random")


def _as_real(value: Term) -> Real:
    if not isinstance(value, Real):
        raise ProofRejected("a number is asked for")
    return value


def _is_whole(value: Term) -> bool:
    """Whether it is a sum of products of whole numbers, with whole coefficients."""
    if not isinstance(value, Real) or value.below:
        return False
    return all(
        a.denominator == 1 and all(atom_at(x).sort == "nat" for x, _ in m)
        for m, a in value.above.items()
    )


def _counts(key: tuple[object, ...]) -> bool:
    """Whether the argument of this key is a whole number that is seen to be >= 0."""
    if key[0] != "real" or key[2]:
        return False
    above = dict(key[1])  # type: ignore[call-overload]
    return _is_whole(Real(above)) and all(a > 0 for a in above.values())


def _scaled(value: Term, factor: Real) -> Term:
    if isinstance(value, Thing):
        raise ProofRejected("laws, maps and sets are not scaled")
    return value.times(factor) if isinstance(value, Vector) else value * factor


def _combined(op: ast.operator, left: Term, right: Term) -> Term:
    match op, left, right:
        case ast.Add(), Real(), Real():
            return left + right
        case ast.Sub(), Real(), Real():
            return left - right
        case ast.Add(), Vector(), Vector():
            return left.plus(right)
        case ast.Sub(), Vector(), Vector():
            return left.plus(right, -1)
        case ast.Mult(), Real(), _:
            return _scaled(right, left)
        case ast.Mult(), _, Real():
            return _scaled(left, right)
    raise ProofRejected("sums are of numbers or of vectors, products have a number")


def shown(p: Polynomial) -> str:
    """A polynomial as far as a message has room for it."""
    terms = []
    for monomial, a in list(p.items())[:8]:
        factors = [f"{atom_at(x).name}^{k}" if k > 1 else atom_at(x).name for x, k in monomial]
        terms.append(" ".join([str(a), *factors]))
    return " + ".join(terms)

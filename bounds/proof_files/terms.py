"""The namespace of forms over terms of a proof: what a form is, in the words of the proof.

A sum is the function that the proof defines by the same recursion. What the kernel has no word for
cannot be bound: the namespace then says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from bounds.kernel import ProofRejected
from bounds.kernel.algebra import Atom, Real, number_of
from bounds.kernel.scope import Scope, Sign
from bounds.proof_files.recursions import PRODUCT, SUM, Operation, Recursions


class FormTerm:
    """A real term of the kernel with the operators that formulas use."""

    def __init__(self, real: Real, scope: Scope) -> None:
        self.real = real
        self.scope = scope

    def _real(self, other: Any) -> Real:
        return real_of(other)

    def _of(self, real: Real) -> FormTerm:
        return FormTerm(real, self.scope)

    def __neg__(self) -> FormTerm:
        return self._of(self.real * Real.of(-1))

    def __add__(self, other: Any) -> FormTerm:
        return self._of(self.real + self._real(other))

    def __sub__(self, other: Any) -> FormTerm:
        return self._of(self.real - self._real(other))

    def __rsub__(self, other: Any) -> FormTerm:
        return self._of(self._real(other) - self.real)

    def __mul__(self, other: Any) -> FormTerm:
        return self._of(self.real * self._real(other))

    def __truediv__(self, other: Any) -> FormTerm:
        return self._of(self.real * self.scope.inverse(self._real(other)))

    def __rtruediv__(self, other: Any) -> FormTerm:
        return self._of(self._real(other) * self.scope.inverse(self.real))

    def __pow__(self, exponent: Any) -> FormTerm:
        return self._of(self.scope.power(self.real, self._real(exponent)))

    __radd__ = __add__
    __rmul__ = __mul__

    def __abs__(self) -> FormTerm:
        return self._of(Real.atom(Atom("abs", (self.real.key,))))

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        """Never by accident: a case of a form that asks for equality is not bound."""
        raise ProofRejected("the proof does not say which case of the form it is")

    def __le__(self, other: Any) -> SignCondition | bool:
        return self._decided(self._real(other) - self.real, strict=False)

    def __lt__(self, other: Any) -> SignCondition | bool:
        return self._decided(self._real(other) - self.real, strict=True)

    def __ge__(self, other: Any) -> SignCondition | bool:
        return self._decided(self.real - self._real(other), strict=False)

    def __gt__(self, other: Any) -> SignCondition | bool:
        return self._decided(self.real - self._real(other), strict=True)

    def _decided(self, gap: Real, *, strict: bool) -> SignCondition | bool:
        return SignCondition(gap, strict, self.scope)


class SignCondition:
    """That a gap is >= 0 (> 0): decided where it is asked for, and only there."""

    def __init__(self, gap: Real, strict: bool, scope: Scope) -> None:
        self.gap = gap
        self.strict = strict
        self.scope = scope

    def __bool__(self) -> bool:
        """Whether it is true. Raises ProofRejected where no sign is seen."""
        sign, opposite = self.scope.sign(self.gap), self.scope.sign(self.gap * Real.of(-1))
        if sign is Sign.POSITIVE or (not self.strict and sign is not Sign.UNKNOWN):
            return True
        if opposite is Sign.POSITIVE or (self.strict and opposite is not Sign.UNKNOWN):
            return False
        raise ProofRejected("the proof does not say which case of the form it is")


class OpenCase:
    """A value by cases of which the proof says nothing: rejected where a form uses it."""


class FormScope(Scope):
    """A scope in which a form, where it takes a term to be > 0, may divide by it."""

    def __init__(self, scope: Scope) -> None:
        self._positive: list[Real] = []
        super().__init__(scope.names, scope.facts, scope.equations)

    @contextmanager
    def assuming_positive(self, x: Real) -> Iterator[None]:
        """Inside, 1/x is pinv(x)."""
        self._positive.append(x)
        try:
            yield
        finally:
            self._positive.pop()

    def inverse(self, divisor: Real) -> Real:
        """1 over it, or pinv of it."""
        if any((divisor - x).zero for x in self._positive):
            return Real.atom(Atom("pinv", (divisor.key,)))
        return super().inverse(divisor)


def value(scope: Scope, function: str, i: Any) -> FormTerm:
    """A function of the proof at i, or what an equation says of it there."""
    return FormTerm(real_of(scope.applied(function, (real_of(i).key,), "nat -> real")), scope)


class TermList:
    """A list: a function of the proof, from 0, and how many of its values."""

    def __init__(self, function: str, length: FormTerm) -> None:
        self.function = function
        self.length = length

    def at(self, i: Any) -> FormTerm:
        """The entry of this place, from 0."""
        return value(self.length.scope, self.function, i)

    def __getitem__(self, i: Any) -> FormTerm:
        """The entry of this place, from 1 as formulas count."""
        return self.at(FormTerm(real_of(i), self.length.scope) - 1)


def real_of(value: Any) -> Real:
    """The term of a number of a formula."""
    if isinstance(value, FormTerm):
        return value.real
    if isinstance(value, Real):
        return value
    if isinstance(value, OpenCase):
        raise ProofRejected("the proof does not say which case of the form it is")
    if not isinstance(value, int | float | Fraction) or not math.isfinite(value):
        raise ProofRejected(f"a form over terms has numbers and terms, got {value!r}")
    return Real.of(Fraction(value))


class Terms:
    """The namespace."""

    inf = math.inf
    """Of a case that the proof excludes; no term is infinite."""

    def __init__(self, scope: FormScope, recursions: Recursions) -> None:
        self.scope = scope
        self.recursions = recursions

    def _atom(self, name: str, value: Any) -> FormTerm:
        return FormTerm(Real.atom(Atom(name, (real_of(value).key,))), self.scope)

    def sqrt(self, x: Any) -> FormTerm:
        """The root as an atom."""
        return self._atom("sqrt", x)

    def exp(self, x: Any) -> FormTerm:
        """The exponential as an atom."""
        return self._atom("exp", x)

    def log(self, x: Any) -> FormTerm:
        """The logarithm as an atom."""
        return self._atom("log", x)

    def rational(self, p: int, q: int = 1) -> FormTerm:
        """p/q."""
        return FormTerm(Real.of(Fraction(p, q)), self.scope)

    def where(self, condition: SignCondition | bool, yes: Any, no: Any) -> Any:
        """The one or the other, which may be functions without arguments."""
        try:
            value = yes if condition else no
        except ProofRejected:
            return self._by_cases(condition, yes, no)
        return value() if callable(value) else value

    def _by_cases(self, condition: SignCondition | bool, yes: Any, no: Any) -> FormTerm | OpenCase:
        """yes with pinv(x) for 1/x, which is 0 at x = 0, where the cases are x > 0, and 0."""
        if not isinstance(condition, SignCondition) or not condition.strict or callable(no):
            return OpenCase()
        x = condition.gap
        if isinstance(no, OpenCase) or not real_of(no).zero or not self.scope.sign(x):
            return OpenCase()
        with self.scope.assuming_positive(x):
            real = real_of(yes() if callable(yes) else yes)
        pinv = number_of(Atom("pinv", (x.key,)))
        vanishes = all(dict(monomial).get(pinv) for monomial in real.above)
        return FormTerm(real, self.scope) if vanishes else OpenCase()

    def maximum(self, a: Any, b: Any) -> Any:
        """-min(-a, -b)."""
        return -self.minimum(-FormTerm(real_of(a), self.scope), -FormTerm(real_of(b), self.scope))

    def minimum(self, a: Any, b: Any) -> Any:
        """The smaller one, where the proof says which; else as an atom."""
        try:
            return a if FormTerm(real_of(a), self.scope) <= b else b
        except ProofRejected:
            keys = tuple(sorted((real_of(a).key, real_of(b).key)))
            return FormTerm(Real.atom(Atom("min", keys)), self.scope)

    def decay(self, gap: Any, N: Any, rest: Any = None) -> FormTerm:
        """(1 - gap)^N."""
        base = real_of(rest) if rest is not None else Real.of(1) - real_of(gap)
        power: FormTerm = FormTerm(base, self.scope) ** N
        return power

    def times(self, q: Any, x: Any) -> FormTerm:
        """q x."""
        product: FormTerm = FormTerm(real_of(q), self.scope) * x
        return product

    def geometric(self, gap: Any, N: Any) -> FormTerm:
        """sum_{i < N} (1 - gap)^i."""
        return self._sum(lambda i: (1 - gap) ** i, N)

    def spread(self, gap: Any, N: Any) -> FormTerm:
        """sum_{i < N} (1 - gap)^(2 i)."""
        return self._sum(lambda i: (1 - gap) ** (2 * i), N)

    def harmonic(self, N: Any) -> FormTerm:
        """sum_{i < N} 1/(i + 1)."""
        return self._sum(lambda i: 1 / (i + 1), N)

    def count(self, values: TermList) -> FormTerm:
        """The length of a list."""
        return values.length

    def prefix(self, values: TermList, t: Any) -> FormTerm:
        """The sum of the first t entries."""
        return self._sum(values.at, t)

    def over(self, term: Callable[..., Any], *lists: TermList) -> FormTerm:
        """sum_i term(i, x_i, y_i, ..) over the entries of lists, i from 1."""
        return self._sum(lambda i: term(i + 1, *(x.at(i) for x in lists)), lists[0].length)

    def total(self, term: Callable[[Any], Any], low: Any, high: Any) -> FormTerm:
        """sum_{low <= i <= high} term(i)."""
        return self._joined(SUM, term, low, high)

    def product(self, factor: Callable[[Any], Any], low: Any, high: Any) -> FormTerm:
        """prod_{low <= i <= high} factor(i)."""
        return self._joined(PRODUCT, factor, low, high)

    def _joined(
        self, operation: Operation, term: Callable[[Any], Any], low: Any, high: Any
    ) -> FormTerm:
        at_place = lambda i: real_of(term(FormTerm(i, self.scope)))  # noqa: E731
        real = self.recursions.value(operation, at_place, real_of(low), real_of(high))
        return FormTerm(real, self.scope)

    def _sum(self, term: Callable[[Any], Any], N: Any) -> FormTerm:
        """sum_{i < N} term(i)."""
        return self._joined(SUM, term, 0, real_of(N) - Real.of(1))

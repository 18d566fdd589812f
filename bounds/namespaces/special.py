"""Functions that sympy lacks: the normal distribution, the inverse Gaussian profile, extremes."""

from typing import Any

import sympy as sp  # type: ignore[import-untyped, unused-ignore]
from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

from bounds.namespaces import precise


def Phi(x: Any) -> Any:
    """The standard normal distribution function."""
    return sp.erfc(-x / sp.sqrt(2)) / 2


class mu_star(sp.Function):  # type: ignore[misc]
    """The mu with Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu) = delta, an implicit function.

    Its derivatives are those of the implicit function theorem: with phi the normal density at
    mu/2 - eps/mu, d mu/d eps = e^eps Phi(-mu/2 - eps/mu)/phi and d mu/d delta = 1/phi.
    """

    nargs = 2
    is_positive = True

    def _eval_evalf(self, prec: int) -> Any:
        if not all(a.is_number for a in self.args):
            return None
        with mp.workprec(2 * prec + 20):
            epsilon, delta = (mp.mpmathify(a.evalf(mp.dps)) for a in self.args)
            return sp.Float(precise.mu_star(epsilon, delta), precision=prec)

    def fdiff(self, argindex: int = 1) -> Any:
        """The derivative in epsilon (1) or delta (2)."""
        epsilon, _ = self.args
        density = sp.exp(-((self / 2 - epsilon / self) ** 2) / 2) / sp.sqrt(2 * sp.pi)
        inner = Phi(-self / 2 - epsilon / self) * sp.exp(epsilon) if argindex == 1 else 1
        return inner / density


class Iterated(sp.Expr):  # type: ignore[misc]
    """x_n of x_1 = start, x_{i+1} = step(i, x_i); the step is an expression in i and x_i."""

    is_commutative = True

    def __new__(cls, step: Any, index: Any, state: Any, start: Any, n: Any) -> Any:
        return sp.Expr.__new__(cls, *map(sp.sympify, (step, index, state, start, n)))

    @property
    def free_symbols(self) -> Any:
        """Those of the step, the start and n, without the index and the state."""
        step, index, state, start, n = self.args
        return (step.free_symbols - {index, state}) | start.free_symbols | n.free_symbols

    def doit(self, **hints: Any) -> Any:
        """All steps carried out, where n is a number."""
        step, index, state, start, n = self.args
        if not n.is_Integer:
            return self
        # x_1 is the start, so that x_n takes n - 1 steps.
        for i in range(1, int(n)):
            start = step.xreplace({index: sp.Integer(i), state: start}).doit()
        return start

    def _latex(self, printer: Any) -> str:
        step, index, state, start, n = map(printer._print, self.args)
        argument = f"({index},{state})" if self.args[1] in self.args[0].free_symbols else state
        return f"\\left({argument}\\mapsto {step}\\right)^{{{n}-1}}\\left({start}\\right)"


class pochhammer(sp.Function):  # type: ignore[misc]
    """(a; q)_inf = prod_{t >= 0} (1 - a q^t), for 0 < q < 1."""

    nargs = 2
    is_real = True

    def _eval_evalf(self, prec: int) -> Any:
        if not all(a.is_number for a in self.args):
            return None
        with mp.workprec(prec + 20):
            a, q = (mp.mpmathify(x.evalf(mp.dps)) for x in self.args)
            return sp.Float(precise.pochhammer(a, q), precision=prec)

    def _latex(self, printer: Any) -> str:
        a, q = (printer._print(x) for x in self.args)
        return f"\\left({a};{q}\\right)_\\infty"


class homogeneous(sp.Function):  # type: ignore[misc]
    """The sum of all monomials of degree n in x_1, ..., x_d: homogeneous(n, x_1, ..., x_d)."""

    def _eval_evalf(self, prec: int) -> Any:
        if not all(a.is_number for a in self.args):
            return None
        with mp.workprec(2 * prec + 20):
            n, *x = (mp.mpmathify(a.evalf(mp.dps)) for a in self.args)
            return sp.Float(precise.homogeneous(n, *x), precision=prec)

    def _latex(self, printer: Any) -> str:
        n, *x = (printer._print(a) for a in self.args)
        return f"h_{{{n}}}\\left({', '.join(x)}\\right)"


FUNCTIONS = (mu_star, pochhammer, homogeneous)
"""Functions of our own, each with its value in `precise` under the same name."""


class _Extreme(sp.Expr):  # type: ignore[misc]
    """The extreme of a term over a range of whole numbers, written out once the range is known."""

    is_commutative = True
    join: Any = None

    def __new__(cls, term: Any, limits: Any) -> Any:
        return sp.Expr.__new__(cls, term, sp.Tuple(*limits))

    @property
    def free_symbols(self) -> Any:
        """Those of the term and of the ends, without the index."""
        term, (index, low, high) = self.args
        return (term.free_symbols - {index}) | low.free_symbols | high.free_symbols

    def doit(self, **hints: Any) -> Any:
        """The extreme written out, where both ends are numbers."""
        term, (index, low, high) = self.args
        if not (low.is_Integer and high.is_Integer):
            return self
        rows = range(int(low), int(high) + 1)
        return type(self).join(*(term.xreplace({index: sp.Integer(i)}).doit() for i in rows))

    def _latex(self, printer: Any) -> str:
        term, (index, low, high) = (self.args[0], self.args[1])
        name = "max" if self.join is sp.Max else "min"
        ends = f"{printer._print(low)}\\le {printer._print(index)}\\le {printer._print(high)}"
        return f"\\{name}_{{{ends}}} {printer._print(term)}"


class Greatest(_Extreme):
    """The maximum over a range."""

    join = sp.Max


class Least(_Extreme):
    """The minimum over a range."""

    join = sp.Min

"""Terms of a proof as Coq's, with proofs that what is written in two ways is one term."""

from __future__ import annotations

import ast

from bounds.kernel.algebra import Atom, Real, Term, Vector
from bounds.kernel.scope import Scope
from bounds.kernel.syntax import called
from tools.coq.atoms import Atoms, atom_number, chain, congruence
from tools.coq.context import (
    Context,
    Names,
    NotExported,
    Rendering,
    Statements,
    kernel_names,
    number_text,
    real_text,
)
from tools.coq.lemmas import AtLine
from tools.coq.products import dot, power, sides
from tools.coq.words import FUNCTIONS, SPREAD, function_name

_REALS: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "Rplus"),
    ast.Sub: ("-", "Rminus"),
    ast.Mult: ("*", "Rmult"),
}
_VECTORS: dict[type[ast.operator], str] = {ast.Add: "vadd", ast.Sub: "vsub"}
# Coq's difference of whole numbers is 0 where it would be below 0: what Coq then refuses is not so.
_WHOLES: dict[type[ast.operator], tuple[str, str]] = {
    ast.Add: ("+", "Nat.add"),
    ast.Sub: ("-", "Nat.sub"),
    ast.Mult: ("*", "Nat.mul"),
}


class Terms:
    """Renderings of terms in one line, where each atom has one text."""

    def __init__(self, line: AtLine, context: Context, script: list[str]) -> None:
        self.context = context
        self.atoms = Atoms(line, script, proving=not isinstance(context.scope, Statements))
        # What an induction puts for n stands in names as it was written elsewhere.
        for name, sort in context.names.items():
            if sort == "nat":
                self._whole_applied(name, (), sort)

    @property
    def scope(self) -> Scope:
        """The kernel's."""
        return self.context.scope

    # Terms

    def value(self, node: ast.expr, names: Names) -> Term:
        """The kernel's term."""
        return self.scope.term(node, kernel_names(names))

    def term(self, node: ast.expr, names: Names) -> Rendering:
        """A number, a vector, a law, a map or a set."""
        match node:
            case ast.Constant(value=value) if type(value) is int:
                return Rendering("real", Real.of(value), number_text(value), number_text(value))
            case ast.Name(id=name):
                entry = names[name]
                if isinstance(entry, str):
                    return self._applied(name, (), entry)
                return self.as_real(entry) if entry.sort == "nat" else entry
            case ast.UnaryOp(operand=operand):
                inner = self.term(operand, names)
                if inner.sort == "vec":
                    minus = Rendering("real", Real.of(-1), "(-1)", "(-1)")
                    return self._compound(node, names, "vscale {} {}", "vscale", minus, inner)
                return self._compound(node, names, "- {}", "Ropp", inner)
            case ast.BinOp(left=left, op=ast.Pow(), right=right):
                return self._power(node, self.term(left, names), right, names)
            case ast.BinOp(left=left, op=ast.Div(), right=right):
                return self._divided(node, names, self.term(left, names), self.term(right, names))
            case ast.BinOp(left=left, op=op, right=right):
                return self._sum(
                    node, names, type(op), self.term(left, names), self.term(right, names)
                )
            case ast.Call():
                return self._call(node, names)
        raise NotExported(f"no rule for the term {ast.unparse(node)}")

    def of_sort(self, node: ast.expr, names: Names, sort: str) -> Rendering:
        """A term where one of this sort is asked for."""
        return self.whole(node, names) if sort == "nat" else self.term(node, names)

    def _compound(
        self, node: ast.expr, names: Names, shape: str, head: str, *parts: Rendering
    ) -> Rendering:
        """Arithmetic of terms: not an atom; its middle has the middles of its parts."""
        value = self.value(node, names)
        sort = "vec" if isinstance(value, Vector) else "real"
        text = f"({shape.format(*(p.text for p in parts))})"
        middle = f"({shape.format(*(p.middle for p in parts))})"
        return Rendering(sort, value, text, middle, congruence(head, parts))

    def _sum(
        self,
        node: ast.expr,
        names: Names,
        op: type[ast.operator],
        left: Rendering,
        right: Rendering,
    ) -> Rendering:
        if "vec" in (left.sort, right.sort):
            if op is ast.Mult:
                a, v = (left, right) if right.sort == "vec" else (right, left)
                return self._compound(node, names, "vscale {} {}", "vscale", a, v)
            head = _VECTORS[op]
            return self._compound(node, names, f"{head} {{}} {{}}", head, left, right)
        sign, head = _REALS[op]
        return self._compound(node, names, f"{{}} {sign} {{}}", head, left, right)

    def _divided(
        self, node: ast.expr, names: Names, left: Rendering, right: Rendering
    ) -> Rendering:
        if isinstance(right.value, Real) and self.atoms.proving:
            self.atoms.divisions.append((right.middle, self.scope.inverse(right.value)))
        if left.sort != "vec":
            return self._compound(node, names, "{} / {}", "Rdiv", left, right)
        one = Rendering("real", Real.of(1), "1", "1")
        proof = congruence("Rdiv", (one, right))
        # Only its texts and its proof are asked for.
        inverse = Rendering(
            "real", one.value, f"(1 / {right.text})", f"(1 / {right.middle})", proof
        )
        return self._compound(node, names, "vscale {} {}", "vscale", inverse, left)

    def _call(self, node: ast.Call, names: Names) -> Rendering:
        name, nodes = called(node)
        if name in (*SPREAD, *FUNCTIONS):
            return self._function(node, names, name, [self.term(each, names) for each in nodes])
        sort = names.get(name)
        if not isinstance(sort, str):
            raise NotExported(f"no rule for the function {name}")
        sorts = [part.strip() for part in sort.partition("->")[0].split(",")]
        arguments = [self.of_sort(each, names, s) for each, s in zip(nodes, sorts, strict=True)]
        return self._applied(name, tuple(arguments), sort)

    def _function(
        self, node: ast.expr, names: Names, name: str, arguments: list[Rendering]
    ) -> Rendering:
        if name == "dot":
            return dot(self.atoms, arguments[0], arguments[1])
        if name == "sq" and arguments[0].sort == "vec":
            return dot(self.atoms, arguments[0], arguments[0])
        if name == "sq":
            square = "(fun a : R => a ^ 2)"
            return self._compound(node, names, "{} ^ 2", square, arguments[0])
        keys = tuple(a.value.key for a in arguments)
        atom = Atom(name, tuple(sorted(keys)) if name == "min" else keys)
        head = "Rmin" if name == "min" else FUNCTIONS[name]
        return self.atoms.occurrence(Real.atom(atom), head, tuple(arguments), "real")

    def _applied(self, name: str, arguments: tuple[Rendering, ...], sort: str) -> Rendering:
        """The value of a declared name."""
        if sort.rpartition("->")[2].strip() == "nat":
            return self.as_real(self._whole_applied(name, arguments, sort))
        return self.atoms.occurrence(*self._plain(name, arguments, sort))

    def _plain(
        self, name: str, arguments: tuple[Rendering, ...], sort: str
    ) -> tuple[Term, str, tuple[Rendering, ...], str]:
        """The term before equations, its head, its arguments, the sort of its value."""
        keys = tuple(a.value.key for a in arguments)
        plain = Scope({}).applied(name, keys, sort)
        return plain, function_name(name), arguments, sort.rpartition("->")[2].strip()

    def _power(self, node: ast.expr, base: Rendering, right: ast.expr, names: Names) -> Rendering:
        exponent = self.scope.real(right, kernel_names(names))
        if exponent.below or not isinstance(base.value, Real):
            raise NotExported("an exponent with a divisor")
        if exponent.above.keys() <= {()}:
            k = int(exponent.above.get((), 0))
            if k < 0:
                raise NotExported("a power below 0")
            return self._compound(node, names, f"{{}} ^ {k}", f"(fun a : R => a ^ {k})", base)
        value = self.scope.power(base.value, exponent)
        return power(self.atoms, base, self.whole(right, names), exponent, value)

    # Whole numbers

    def whole(self, node: ast.expr, names: Names) -> Rendering:
        """A whole number, as Coq's nat."""
        match node:
            case ast.Constant(value=value) if type(value) is int and value >= 0:
                text = f"{value}%nat"
                return Rendering("nat", Real.of(value), text, text)
            case ast.Name(id=name):
                entry = names[name]
                return self._whole_applied(name, (), entry) if isinstance(entry, str) else entry
            case ast.BinOp(left=left, op=(ast.Add() | ast.Sub() | ast.Mult()) as op, right=right):
                sign, head = _WHOLES[type(op)]
                a, b = self.whole(left, names), self.whole(right, names)
                text, middle = (
                    f"({x} {sign} {y})%nat" for x, y in ((a.text, b.text), (a.middle, b.middle))
                )
                total = self.value(node, names)
                return Rendering("nat", total, text, middle, congruence(head, (a, b)))
            case ast.Call():
                name, nodes = called(node)
                sort = str(names.get(name))
                sorts = [part.strip() for part in sort.partition("->")[0].split(",")]
                arguments = [self.of_sort(n, names, s) for n, s in zip(nodes, sorts, strict=True)]
                return self._whole_applied(name, tuple(arguments), sort)
        raise NotExported(f"no rule for the whole number {ast.unparse(node)}")

    def _whole_applied(self, name: str, arguments: tuple[Rendering, ...], sort: str) -> Rendering:
        there = self.atoms.occurrence(*self._plain(name, arguments, sort))
        if there.middle.startswith("⟦"):
            return there._replace(middle=self.atoms.texts[atom_number(there.value)].text)
        return there

    def as_real(self, whole: Rendering) -> Rendering:
        """A whole number where a real one is asked for."""
        if not isinstance(whole.value, Real):
            raise NotExported("a whole number that is no number")
        text, middle = f"(INR {whole.text})", real_text(whole.value)
        inside = f"(INR {whole.middle})"
        proofs = [f"(f_equal INR {whole.proof})" if whole.proof else ""]
        if self.atoms.resolved(middle) != inside:
            more, _ = sides(self.atoms, whole.value)
            # A difference is a sum first, where it is one.
            summed = f"replace {whole.middle} with ({more})%nat by lia; " if " - " in inside else ""
            proof = f"{summed}pushed"
            proofs.append(self.atoms.asserted(inside, self.atoms.resolved(middle), proof))
        return Rendering("real", whole.value, text, middle, chain(proofs))

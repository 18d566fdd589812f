"""Where a source text can be made wrong by one edit, and the text after that edit.

Only code that computes is edited: not symbolic expressions (by which the numbers are tested), nor
what raises errors, declares forms, or documents. An edit is one of: a constant, an exponent, a
comparison, an index, an operator, a sign, the order of two arguments, max for min.
"""

import ast
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass

KINDS = ("constant", "exponent", "comparison", "index", "operator", "sign", "order", "extreme")
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}
_OTHER: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
}
_EXTREMES = {
    "max": "min",
    "min": "max",
    "maximum": "minimum",
    "minimum": "maximum",
    "fmax": "fmin",
    "fmin": "fmax",
    "argmax": "argmin",
    "argmin": "argmax",
}
# Calls that check, convert or report: their arguments say nothing of the mathematics.
_PLUMBING = {
    "real",
    "count",
    "scalar",
    "integer",
    "choice",
    "errstate",
    "isinstance",
    "range_",
    "asarray",
    "array",
    "float64",
    "broadcast_shapes",
    "broadcast_arrays",
    "ValueError",
    "RuntimeError",
    "cast",
    "nextafter",
    "spacing",
}
_SHAPES = {"ones_like", "zeros_like"}  # nothing of their arguments but the shape
_EITHER_WAY = {"hypot", "logaddexp", "zip", "outer", "arange", "add", "multiply"}
_EVEN = {"abs", "absolute", "fabs", "norm", "square", "hypot", "cos", "cosh"}  # f(-x) = f(x)
_SETTINGS = {
    "axis",
    "dtype",
    "keepdims",
    "low",
    "high",
    "rtol",
    "atol",
    "xtol",
    "maxiter",
    "where",
    "typical",
}


@dataclass(frozen=True)
class Site:
    """One possible edit.

    Attributes:
        function: qualified name of the function that it stands in.
        kind: one of `KINDS`.
        line: line number in the source.
        before, after: source text of the edited expression.
        ordinal: counts the edits of equal text in the function.
    """

    function: str
    kind: str
    line: int
    before: str
    after: str
    ordinal: int

    @property
    def name(self) -> str:
        """How equivalents are listed: it survives edits elsewhere in the file."""
        return f"{self.function}: {self.before} -> {self.after} [{self.ordinal}]"


Edit = tuple[str, ast.expr, ast.expr]


def sites(source: str) -> list[Site]:
    """All edits of a source text, in its order."""
    sites: list[Site] = []
    counts: dict[tuple[str, tuple[str, str]], int] = {}
    for function, kind, old, new in _edits(ast.parse(source)):
        text = ast.unparse(old), ast.unparse(new)
        # Equal edits in one function are told apart by their number, which survives edits
        # elsewhere.
        counts[function, text] = counts.get((function, text), -1) + 1
        sites.append(Site(function, kind, old.lineno, *text, counts[function, text]))
    return sites


def mutated(source: str, site: Site) -> str:
    """The source text after the edit. Raises ValueError if the text has no such place."""
    tree = ast.parse(source)
    counts: dict[tuple[str, tuple[str, str]], int] = {}
    for function, _, old, new in _edits(tree):
        # Counted in the same order as `sites` counts: the walk is deterministic.
        text = ast.unparse(old), ast.unparse(new)
        counts[function, text] = counts.get((function, text), -1) + 1
        if (function, *text, counts[function, text]) == (
            site.function,
            site.before,
            site.after,
            site.ordinal,
        ):
            return ast.unparse(ast.fix_missing_locations(_Replace(old, new).visit(tree)))
    raise ValueError(f"site must stand in the source, got {site.name!r}")


class _Replace(ast.NodeTransformer):
    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        # By identity: an equal expression elsewhere stays.
        if node is self.old:
            return ast.copy_location(self.new, node)
        return self.generic_visit(node)


def _edits(tree: ast.Module) -> Iterator[tuple[str, str, ast.expr, ast.expr]]:
    for name, function in _functions(tree.body, ""):
        for statement in function.body:
            for edit in _in(statement):
                yield name, *edit


def _functions(body: list[ast.stmt], prefix: str) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in body:
        # Classes nest names; functions inside functions belong to the outer one.
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef) and not (_symbolic(node) or _refuses(node)):
            yield f"{prefix}{node.name}", node


def _symbolic(node: ast.FunctionDef) -> bool:
    """Whether it receives the sympy module: an expression for certification, not a formula."""
    return any(a.arg == "sp" for a in node.args.args)


def _refuses(node: ast.FunctionDef) -> bool:
    """Whether it is what a dataclass does with bad input: judged by tests, not by claims."""
    return node.name == "__post_init__"


def _in(node: ast.AST, even: bool = False) -> Iterator[Edit]:
    """Edits of a node and of what it holds; `even`: its sign is about to be lost."""
    if isinstance(node, ast.Raise | ast.Assert | ast.Import | ast.ImportFrom | ast.FunctionDef):
        if isinstance(node, ast.FunctionDef):  # a closure: its body computes as well
            for statement in node.body:
                yield from _in(statement)
        return
    # A guard that raises: what it refuses is tested elsewhere, its other branch computes.
    if isinstance(node, ast.If) and isinstance(node.body[-1], ast.Raise):
        for statement in node.orelse:
            yield from _in(statement)
        return
    # A docstring.
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, ast.Call) and _called(node) in _SHAPES:
        return
    if isinstance(node, ast.BinOp) and (zero := _leading_zero(node)) is not None:
        yield from _constant(zero)  # 0 * a * b: the others only give the shape
        return
    if isinstance(node, ast.Call) and _called(node) in _PLUMBING:
        for argument in node.args[:1]:
            if not isinstance(argument, ast.Constant):
                yield from _in(argument)
        return
    for rule in _RULES:
        for edit in rule(node):
            # An edit that leaves the text as it was, or changes a sign that is lost anyway, is
            # none.
            if not (even and _negates(edit)) and ast.dump(edit[1]) != ast.dump(edit[2]):
                yield edit
    for field, value in ast.iter_fields(node):
        # Subscripts are edited as a whole by `_index`, not constant by constant.
        if field in ("annotation", "returns", "slice"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.keyword) and child.arg in _SETTINGS:
                continue
            if isinstance(child, ast.AST):
                yield from _in(child, _is_even(node) and field in ("args", "left"))


def _is_even(node: ast.AST) -> bool:
    """Whether the sign of what a call or a power is applied to cannot matter."""
    if isinstance(node, ast.Call):
        return _called(node) in _EVEN
    power = node.right if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) else None
    return isinstance(power, ast.Constant) and power.value in (2, 4)


def _negates(edit: Edit) -> bool:
    kind, old, _ = edit
    turned = kind == "order" and isinstance(old, ast.BinOp) and isinstance(old.op, ast.Sub)
    return turned or kind == "sign"


def _leading_zero(node: ast.expr) -> ast.Constant | None:
    """The 0 that a product begins with."""
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        node = node.left
        if isinstance(node, ast.Constant) and _number(node) and node.value == 0:
            return node
    return None


def _called(node: ast.Call) -> str:
    target = node.func
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def _number(node: ast.AST | None) -> bool:
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, int | float)
        and not isinstance(node.value, bool)
    )


def _constant(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Constant) and _number(node):
        value = node.value
        assert isinstance(value, int | float)
        # 0 doubled is 0, and a whole number stays whole.
        new = value + 1 if isinstance(value, int) or value == 0 else 2 * value
        yield "constant", node, ast.Constant(new)


def _exponent(node: ast.AST) -> Iterator[Edit]:
    # A numeric exponent is a constant, which `_constant` edits.
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _number(node.right):
        more = ast.BinOp(deepcopy(node.right), ast.Add(), ast.Constant(1))
        yield "exponent", node, ast.BinOp(deepcopy(node.left), ast.Pow(), more)


def _comparison(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in _OPPOSITE:
        new = deepcopy(node)
        new.ops = [_OPPOSITE[type(node.ops[0])]()]
        yield "comparison", node, new


def _index(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Subscript):
        inner = node.slice
        if isinstance(inner, ast.UnaryOp) and _number(inner.operand):
            new = deepcopy(node)
            new.slice = ast.Constant(0)
            yield "index", node, new
        elif isinstance(inner, ast.Constant) and isinstance(inner.value, int):
            new = deepcopy(node)
            new.slice = ast.Constant(-1 if inner.value == 0 else inner.value - 1)
            yield "index", node, new
        elif isinstance(inner, ast.Slice) and isinstance(inner.lower, ast.Constant):
            new = deepcopy(node)
            assert isinstance(new.slice, ast.Slice)
            first = inner.lower.value
            assert isinstance(first, int)
            new.slice.lower = ast.Constant(first + 1)
            yield "index", node, new


def _operator(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp) and type(node.op) in _OTHER:
        new = deepcopy(node)
        new.op = _OTHER[type(node.op)]()
        yield "operator", node, new


def _sign(node: ast.AST) -> Iterator[Edit]:
    if (
        isinstance(node, ast.UnaryOp)
        and isinstance(node.op, ast.USub)
        and not _number(node.operand)
    ):
        yield "sign", node, deepcopy(node.operand)


def _order(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub | ast.Div | ast.Pow):
        yield "order", node, ast.BinOp(deepcopy(node.right), node.op, deepcopy(node.left))
    two = isinstance(node, ast.Call) and len(node.args) == 2 and not node.keywords
    if two and isinstance(node, ast.Call) and _called(node) not in {*_EXTREMES, *_EITHER_WAY}:
        new = deepcopy(node)
        new.args = [new.args[1], new.args[0]]
        yield "order", node, new


def _extreme(node: ast.AST) -> Iterator[Edit]:
    if isinstance(node, ast.Call) and _called(node) in _EXTREMES:
        new = deepcopy(node)
        other = _EXTREMES[_called(node)]
        if isinstance(new.func, ast.Attribute):
            new.func.attr = other
        else:
            new.func = ast.Name(other, ast.Load())
        yield "extreme", node, new


_RULES: tuple[Callable[[ast.AST], Iterator[Edit]], ...] = (
    _constant,
    _exponent,
    _comparison,
    _index,
    _operator,
    _sign,
    _order,
    _extreme,
)

"""Numbers and small expressions given as text, read by a whitelist of syntax and never evaluated.

Allowed are numbers, declared names, + - * / **, sqrt, log, exp, min, max, lists, and mappings.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": math.sqrt,
    "log": math.log,
    "exp": math.exp,
    "min": min,
    "max": max,
}
_LENGTH = 200


def parse(text: str, names: Mapping[str, float] | None = None) -> Any:
    """The value of an expression: a number, a list of numbers, or a mapping of numbers.

    Args:
        text: such as "1/11264", "2*sqrt(3)", "inf", "[1, 2, 3]", "{0: 1, 2: 2}".
        names: values of the names that may occur besides `inf` and `pi`.

    Raises:
        ValueError: anything outside the whitelist, or an undefined result.
    """
    if len(text) > _LENGTH:
        raise ValueError(f"an expression may have {_LENGTH} characters, got {len(text)}")
    known = {"inf": math.inf, "pi": math.pi, **(names or {})}
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, known, text)
    except (SyntaxError, ZeroDivisionError, OverflowError, TypeError, RecursionError) as error:
        raise ValueError(f"not a number or expression: {text!r}") from error


def number(text: str, names: Mapping[str, float] | None = None) -> float:
    """`parse` for a single real number."""
    value = parse(text, names)
    if isinstance(value, bool | complex) or not isinstance(value, int | float) or value != value:
        raise ValueError(f"not a number: {text!r}")
    return float(value)


def assignment(text: str) -> tuple[str, Any]:
    """The name and value of NAME=VALUE. Raises ValueError naming what is wrong."""
    name, sign, value = text.partition("=")
    if not sign or not name.isidentifier():
        raise ValueError(f"arguments are written NAME=VALUE, got {text!r}")
    try:
        return name, parse(value)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from error


def assignments(texts: Iterable[str]) -> dict[str, Any]:
    """`assignment` for each; ValueError where one name is given twice."""
    found: dict[str, Any] = {}
    for name, value in map(assignment, texts):
        if name in found:
            raise ValueError(f"{name} must be given once, got {found[name]} and {value}")
        found[name] = value
    return found


def _value(node: ast.expr, names: Mapping[str, float], text: str) -> Any:
    match node:
        case ast.Constant(value=int() | float() as constant) if not isinstance(constant, bool):
            return constant
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, names, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            first, second = _value(left, names, text), _value(right, names, text)
            if isinstance(op, ast.Pow):
                first, second = float(first), float(second)
            return _BINARY[type(op)](first, second)
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*(_value(a, names, text) for a in arguments))
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, names, text) for item in items]
        case ast.Dict(keys=keys, values=values) if all(k is not None for k in keys):
            pairs = zip(keys, values, strict=True)
            return {_value(k, names, text): _value(v, names, text) for k, v in pairs if k}
    raise ValueError(f"not a number or expression: {text!r}")

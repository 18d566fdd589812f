"""Numbers and small expressions given as text, read by a whitelist of syntax and never evaluated.

Allowed are numbers, declared names, + - * / **, sqrt, log, exp, ceil, floor, min, max, lists, and
mappings.
"""

import ast
import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Powers are taken in floats, lest 9**9**9 compute for ever.
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: lambda base, exponent: _real(base) ** _real(exponent),
}
_LONGEST_INTEGER = 64  # bits; longer ones become floats, as no sum of them may grow for ever


@dataclass(frozen=True)
class _Rules:
    """What a constant and the named functions become."""

    constant: Callable[[int | float], int | float]
    functions: Mapping[str, Callable[..., Any]]


def _whole(rounded: Callable[[float], int]) -> Callable[[Any], Any]:
    """The rounding of numbers; infinities stay, as they have no whole part."""
    return lambda value: rounded(value) if math.isfinite(value) else value


_SCALAR = _Rules(
    lambda value: value,
    {
        "sqrt": math.sqrt,
        "log": math.log,
        "exp": math.exp,
        "ceil": _whole(math.ceil),
        "floor": _whole(math.floor),
        "min": min,
        "max": max,
    },
)
_ARRAY = _Rules(
    float,
    {
        "sqrt": np.sqrt,
        "log": np.log,
        "exp": np.exp,
        "ceil": np.ceil,
        "floor": np.floor,
        "min": lambda *values: reduce(np.minimum, values),
        "max": lambda *values: reduce(np.maximum, values),
    },
)
_LENGTH = 200
_MOST = 2**17  # no word of a command line is longer on Linux, and its tree takes some 30 MB
_CONSTANTS = {"inf": math.inf, "pi": math.pi}


def parse(text: str, names: Mapping[str, float] | None = None, *, longest: int = _LENGTH) -> Any:
    """The value of an expression: a number, a list of numbers, or a mapping of numbers.

    Args:
        text: such as "1/11264", "2*sqrt(3)", "inf", "[1, 2, 3]", "{0: 1, 2: 2}".
        names: values of the names that may occur besides `inf` and `pi`.
        longest: how many characters are admitted.

    Raises:
        ValueError: anything outside the whitelist, or an undefined result.
    """
    return _evaluate(_tree(text, longest), {**_CONSTANTS, **(names or {})}, text, _SCALAR)


def function(
    text: str, argument: str, names: Mapping[str, float] | None = None
) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """The expression as a function of an array, such as "1/(mu*t)" of t; parsed once.

    Its values are not checked: undefined ones are NaN or infinite. Raises ValueError as `parse`
    does, at once and not when the function is called.
    """
    tree = _tree(text, _LENGTH)
    constants = {**_CONSTANTS, **(names or {})}

    def values(points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.broadcast_to(_array(tree, {**constants, argument: points}, text), points.shape)

    # Once now, at a point, so that what is wrong is refused before it is used.
    values(np.ones(1))
    return values


def names_in(text: str) -> frozenset[str]:
    """The names that must have values before the expression has one.

    Raises ValueError for what is no expression.
    """
    tree = _tree(text, _LENGTH)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return frozenset(names - _CONSTANTS.keys() - _ARRAY.functions.keys())


def over_arrays(text: str, names: Mapping[str, float | NDArray[np.float64]]) -> NDArray[np.float64]:
    """The expression where names stand for arrays that broadcast, element by element.

    Values are not checked: undefined ones are NaN or infinite. Raises ValueError for anything
    outside the whitelist.
    """
    values = {name: np.asarray(value, dtype=float) for name, value in names.items()}
    return np.asarray(_array(_tree(text, _LENGTH), {**_CONSTANTS, **values}, text), dtype=float)


def _array(tree: ast.expr, names: Mapping[str, Any], text: str) -> Any:
    """The value over arrays: a real number, or an array of them."""
    with np.errstate(all="ignore"):
        evaluation = _evaluate(tree, names, text, _ARRAY)
    # Complex where a base below 0 has a fractional exponent.
    if not isinstance(evaluation, float | np.ndarray) or np.iscomplexobj(evaluation):
        raise ValueError(f"not a number or expression: {_short(text)}")
    return evaluation


def _tree(text: str, longest: int) -> ast.expr:
    most = min(longest, _MOST)
    if len(text) > most:
        raise ValueError(f"an expression may have {most} characters, got {len(text)}")
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ValueError(f"not a number or expression: {_short(text)}") from error


def _evaluate(tree: ast.expr, names: Mapping[str, Any], text: str, rules: _Rules) -> Any:
    try:
        return _value(tree, names, text, rules)
    except (ZeroDivisionError, OverflowError, TypeError, RecursionError) as error:
        raise ValueError(f"not a number or expression: {_short(text)}") from error


def _short(text: str) -> str:
    return repr(text if len(text) <= 200 else text[:197] + "...")


def _operand(value: Any) -> Any:
    """The value if it is a number, or an array of them: [1] * 10**9 is not what it looks like."""
    if isinstance(value, list | dict):
        raise TypeError
    return value


def _short_integer(value: Any) -> Any:
    if isinstance(value, int) and value.bit_length() > _LONGEST_INTEGER:
        return float(value)
    return value


def _real(value: Any) -> Any:
    return float(value) if isinstance(value, int) else value


def number(text: str, names: Mapping[str, float] | None = None) -> float:
    """`parse` for a single real number."""
    value = parse(text, names)
    # NaN is the one number that is not itself.
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
    inputs: dict[str, Any] = {}
    for name, value in map(assignment, texts):
        if name in inputs:
            raise ValueError(f"{name} must be given once, got {inputs[name]} and {value}")
        inputs[name] = value
    return inputs


def _value(node: ast.expr, names: Mapping[str, Any], text: str, rules: _Rules) -> Any:
    match node:
        # True and False are integers of Python, and no numbers here.
        case ast.Constant(value=int() | float() as constant) if not isinstance(constant, bool):
            return _short_integer(rules.constant(constant))
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, names, text, rules)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _value(operand, names, text, rules)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            first, second = _value(left, names, text, rules), _value(right, names, text, rules)
            return _short_integer(_BINARY[type(op)](_operand(first), _operand(second)))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if (
            name in rules.functions
        ):
            return rules.functions[name](*(_value(a, names, text, rules) for a in arguments))
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return [_value(item, names, text, rules) for item in items]
        # A missing key is that of **mapping.
        case ast.Dict(keys=keys, values=values) if all(k is not None for k in keys):
            pairs = zip(keys, values, strict=True)
            return {
                _value(k, names, text, rules): _value(v, names, text, rules) for k, v in pairs if k
            }
    raise ValueError(f"not a number or expression: {_short(text)}")

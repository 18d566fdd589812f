"""Symbols of one batch: gradients and curvatures in one coordinate, kept and forgotten samples."""

from bounds import Hypothesis, Symbol

w = Symbol("w", "parameter before the step", "w", unit="parameter")
Dw = Symbol(
    "Dw", "retrained minus learned parameter before the step", r"\Delta w", unit="parameter"
)
kept = Symbol(
    "kept",
    "gradients of the kept samples",
    r"\nabla F_K",
    kind="list",
    typical=(1, 7),
    unit="loss/parameter",
)
gone = Symbol(
    "gone",
    "gradients of the forgotten samples",
    r"\nabla F_{\bar B}",
    kind="list",
    length="dB",
    typical=(9, 15),
    unit="loss/parameter",
)
kept_there = Symbol(
    "kept_there",
    "gradients of the kept samples at the retrained parameter",
    r"\nabla F_K(w^*)",
    kind="list",
    typical=(1, 5),
    unit="loss/parameter",
)
curvatures = Symbol(
    "curvatures",
    "second derivatives of the kept samples",
    r"\nabla^2F_K",
    kind="list",
    unit="loss/parameter^2",
)
injections = Symbol(
    "injections", "G(s), G(s-1), ..., G(s-k+1)", "G", kind="list", typical=(1, 7), unit="parameter"
)
factors = Symbol(
    "factors", "H(s), H(s-1), ..., H(s-k+1)", "H", kind="list", typical=(1, 6), unit="1"
)

same_kept = Hypothesis(
    "one gradient at w and one at w* for every kept sample",
    lambda kept, kept_there: len(kept) == len(kept_there),
)
one_each = Hypothesis(
    "one injection and one factor for every step followed",
    lambda injections, factors: len(injections) == len(factors),
)


def added(xp, values):
    """The sum of a list."""
    return xp.over(lambda i, value: value, values)

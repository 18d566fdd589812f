"""Functions with many digits where the series of mpmath run on, or end without an answer."""

from typing import Any

from mpmath import mp  # type: ignore[import-untyped, unused-ignore]

SLOW_DECAY = 0.05
"""Below this -log q a q-Pochhammer symbol is an integral with corrections."""
LARGE = 200
"""An upper incomplete gamma function of so large an order is a continued fraction."""
TERMS = 10**6


def pochhammer(a: Any, q: Any) -> Any:
    """(a; q)_inf = prod_{t >= 0} (1 - a q^t), for 0 <= a <= 1 and 0 < q < 1.

    For q near 1 Euler and Maclaurin's sum of log(1 - a e^{-ht}), h = -log q:
    log (a; q)_inf = -Li_2(a)/h + log(1 - a)/2 - sum_k B_{2k}/(2k)! h^{2k-1} Li_{2-2k}(a),
    whose terms fall to e^{-2 pi |log a|/h}; so many factors are taken before it that this is
    beyond the digits.
    """
    h = -mp.log(q)
    if a in (0, 1) or h > SLOW_DECAY:
        return mp.qp(a, q)
    with mp.extraprec(20):
        # 2 pi first = 2.5 digits, above the log 10 digits that are asked for.
        first = max(0, int(mp.ceil(0.4 * mp.dps + mp.log(a) / h)))
        head = mp.fsum(mp.log1p(-a * q**t) for t in range(first))
        x = a * q**first
        value, k = head - mp.polylog(2, x) / h + mp.log1p(-x) / 2, 0
        while True:
            k += 1
            part = mp.bernoulli(2 * k) / mp.factorial(2 * k) * h ** (2 * k - 1)
            part *= mp.polylog(2 - 2 * k, x)
            value -= part
            if abs(part) <= mp.eps * abs(value):
                break
            # An asymptotic series: its terms grow again from some k on, and no more digits come.
            if k > 2 * mp.dps:
                raise ArithmeticError(f"no sum for ({mp.nstr(a, 8)}; {mp.nstr(q, 8)})")
        value = mp.exp(value)
    return +value


def hyp1f1(a: Any, b: Any, z: Any) -> Any:
    """Kummer's function; e^z 1F1(b - a; b; -z) where the series in z has terms of both signs."""
    try:
        return mp.hyp1f1(a, b, z)
    except mp.NoConvergence:
        return mp.exp(z) * mp.hyp1f1(b - a, b, -z, maxterms=TERMS)


def gamma_above(a: Any, x: Any) -> Any:
    """Gamma(a, x)/Gamma(a), for a > 0 and x >= 0."""
    if a < LARGE or x < a + 1:
        return mp.gammainc(a, x, regularized=True)
    # The scale is e to a difference of large terms, which costs digits of its exponent.
    with mp.extraprec(20):
        scale = mp.exp(a * mp.log(x) - x - mp.loggamma(a))
        tail = scale * _fraction(a, x)
    return +tail


def _fraction(a: Any, x: Any) -> Any:
    """Legendre's 1/(x + 1 - a - 1 (1 - a)/(x + 3 - a - 2 (2 - a)/...)), x > a, from the front."""
    # Lentz: c and d are quotients of successive numerators and denominators.
    b = x + 1 - a
    c, d = mp.inf, 1 / b
    fraction = d
    for i in range(1, TERMS):
        part = -i * (i - a)
        b += 2
        d = 1 / (part * d + b)
        c = b + part / c
        fraction *= c * d
        if abs(c * d - 1) <= mp.eps:
            return fraction
    raise ArithmeticError(f"no continued fraction for Gamma({mp.nstr(a, 8)}, {mp.nstr(x, 8)})")


def student(d: Any, x: Any) -> Any:
    """The distribution function of Student's t with d degrees of freedom.

    Both series have terms of one sign: in z = x^2/(x^2 + d) about the middle, and beyond
    x^2 = d in 1 - z for the tail.
    """
    half = mp.mpf(1) / 2
    z, rest = x**2 / (x**2 + d), d / (x**2 + d)
    scale = mp.gammaprod([(d + 1) / 2], [d / 2]) * mp.sqrt(z * mp.power(rest, d) / mp.pi)
    # Each side of x^2 = d takes the series whose argument is at most 1/2.
    if x**2 < d:
        return half + mp.sign(x) * scale * mp.hyp2f1(1, (d + 1) / 2, 3 * half, z, maxterms=TERMS)
    tail = scale / d * mp.hyp2f1(1, (d + 1) / 2, d / 2 + 1, rest, maxterms=TERMS)
    return tail if x < 0 else 1 - tail

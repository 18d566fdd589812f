"""Philox4x32-10 and Box and Muller's transform: formulas that numbers and arrays go through alike.

A counter of four 32-bit words and a key of two give four words: the published function of Salmon,
Moraes, Dror and Shaw (Parallel random numbers: as easy as 1, 2, 3, 2011), which is also CUDA's.
Of them, r sin a and r cos a with r = sqrt(-2 log u) are independent normals: one pair in float64,
with u = (k + 1/2) 2^-53 for k the upper 53 bits of two words and an angle a of 64 bits; two pairs
in float32, with u = (k + 1/2) 2^-32 and an angle of 32 bits.  So the law is Gaussian up to mass
2^-53 (2^-32): numbers beyond 8.66 (6.77) do not occur, true mass 5e-18 (1e-11).

Nothing here but bits, sums, products, quotients and roots, each rounded once and in this order:
numpy's passes over arrays and compiled loops give the same bits, on any machine.  Every
intermediate result states its type, which the two would widen differently.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Words = tuple[Any, Any, Any, Any]

_LOW, _HALF, _0, _1, _2 = (np.uint64(k) for k in (0xFFFFFFFF, 32, 0, 1, 2))
_M0, _M1, _W0, _W1 = (np.uint64(k) for k in (0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85))


def philox(c0: Any, c1: Any, c2: Any, c3: Any, k0: Any, k1: Any) -> Words:
    """The four words of a counter and a key; all of them are below 2^32, in uint64."""
    for _ in range(10):
        p0, p1 = _M0 * c0, _M1 * c2
        c0, c2 = (p1 >> _HALF) ^ c1 ^ k0, (p0 >> _HALF) ^ c3 ^ k1
        c1, c3 = p1 & _LOW, p0 & _LOW
        k0, k1 = (k0 + _W0) & _LOW, (k1 + _W1) & _LOW
    return c0, c1, c2, c3


_11, _61, _62 = (np.uint64(k) for k in (11, 1 << 61, 62))
_52, _ROOT_HALF = np.int64(52), np.int64(0x3FE6A09E667F3BCD)
_LN2, _LN2_REST = 6.93147180369123816490e-01, 1.90821492927058770002e-10
_TURN = 2 * math.pi * 2.0**-64
_L1, _L2, _L3, _L4, _L5, _L6, _L7 = (
    6.666666666666735130e-01,
    3.999999999940941908e-01,
    2.857142874366239149e-01,
    2.222219843214978396e-01,
    1.818357216161805012e-01,
    1.531383769920937332e-01,
    1.479819860511658591e-01,
)
_S1, _S2, _S3, _S4, _S5, _S6 = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
_C1, _C2, _C3, _C4, _C5, _C6 = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)


def joined(high: Any, low: Any) -> Any:
    """Two words as one of 64 bits."""
    return (high << _HALF) | low


def radius64(word: Any) -> Any:
    """sqrt(-2 log u) of 64 bits; the logarithm is fdlibm's, of the mantissa about 1."""
    u = np.float64((np.float64(word >> _11) + 0.5) * 2.0**-53)
    bits = u.view(np.int64)
    exponent = (bits - _ROOT_HALF) >> _52
    mantissa = np.int64(bits - (exponent << _52))
    f = mantissa.view(np.float64) - 1.0
    k = np.float64(exponent)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    rest = w * (_L2 + w * (_L4 + w * _L6)) + z * (_L1 + w * (_L3 + w * (_L5 + w * _L7)))
    h = 0.5 * f * f
    return np.sqrt(-2.0 * (k * _LN2 - ((h - (s * (h + rest) + k * _LN2_REST)) - f)))


def direction64(word: Any) -> tuple[Any, Any]:
    """Sine and cosine of a turn in 64 bits: fdlibm's of the rest in [-pi/4, pi/4], by quadrant."""
    quadrant = (word + _61) >> _62
    r = np.float64(np.int64(word - (quadrant << _62))) * _TURN
    z = r * r
    tail = z * (_S2 + z * (_S3 + z * (_S4 + z * (_S5 + z * _S6))))
    sine = np.float64(r + r * z * (_S1 + tail))
    tail = z * (_C1 + z * (_C2 + z * (_C3 + z * (_C4 + z * (_C5 + z * _C6)))))
    cosine = np.float64(1.0 - 0.5 * z + z * tail)
    a, b = sine.view(np.uint64), cosine.view(np.uint64)
    swap = (a ^ b) & (_0 - (quadrant & _1))
    a = np.uint64(a ^ swap ^ ((quadrant & _2) << _62))
    b = np.uint64(b ^ swap ^ (((quadrant + _1) & _2) << _62))
    return a.view(np.float64), b.view(np.float64)


_U0, _U1, _U2, _U29, _U30 = (np.uint32(k) for k in (0, 1, 2, 1 << 29, 30))
_23, _ROOT_HALF32 = np.int32(23), np.int32(0x3F3504F3)
_HALF32, _ONE32, _TWO32 = np.float32(0.5), np.float32(1.0), np.float32(-2.0)
_UNIT32, _TURN32 = np.float32(2.0**-32), np.float32(2 * math.pi * 2.0**-32)
_LN2_32, _LN2_REST32 = np.float32(0.693359375), np.float32(-2.12194440e-4)
_P0, _P1, _P2, _P3, _P4, _P5, _P6, _P7, _P8 = (
    np.float32(p)
    for p in (
        7.0376836292e-2,
        -1.1514610310e-1,
        1.1676998740e-1,
        -1.2420140846e-1,
        1.4249322787e-1,
        -1.6668057665e-1,
        2.0000714765e-1,
        -2.4999993993e-1,
        3.3333331174e-1,
    )
)
_Q1, _Q2, _Q3 = (np.float32(p) for p in (-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4))
_R1, _R2, _R3 = (
    np.float32(p) for p in (4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5)
)


def radius32(word: Any) -> Any:
    """sqrt(-2 log u) of one word; the logarithm is Cephes', of the mantissa about 1."""
    u = np.float32((np.float32(np.uint32(word)) + _HALF32) * _UNIT32)
    bits = u.view(np.int32)
    exponent = np.int32(np.int32(bits - _ROOT_HALF32) >> _23)
    mantissa = np.int32(bits - np.int32(exponent << _23))
    f = mantissa.view(np.float32) - _ONE32
    k = np.float32(exponent)
    z = f * f
    upper = _P4 + f * (_P3 + f * (_P2 + f * (_P1 + f * _P0)))
    p = _P8 + f * (_P7 + f * (_P6 + f * (_P5 + f * upper)))
    rest = p * f * z + k * _LN2_REST32 - _HALF32 * z
    return np.sqrt(_TWO32 * ((f + rest) + k * _LN2_32))


def direction32(word: Any) -> tuple[Any, Any]:
    """Sine and cosine of a turn in 32 bits, as in `direction64`; the polynomials are Cephes'."""
    w = np.uint32(word)
    quadrant = np.uint32(np.uint32(w + _U29) >> _U30)
    r = np.float32(np.int32(np.uint32(w - np.uint32(quadrant << _U30)))) * _TURN32
    z = r * r
    sine = np.float32((_Q1 + z * (_Q2 + z * _Q3)) * z * r + r)
    cosine = np.float32((_R1 + z * (_R2 + z * _R3)) * z * z - _HALF32 * z + _ONE32)
    a, b = sine.view(np.uint32), cosine.view(np.uint32)
    swap = np.uint32((a ^ b) & np.uint32(_U0 - np.uint32(quadrant & _U1)))
    a = np.uint32(a ^ swap ^ np.uint32(np.uint32(quadrant & _U2) << _U30))
    b = np.uint32(b ^ swap ^ np.uint32(np.uint32(np.uint32(quadrant + _U1) & _U2) << _U30))
    return a.view(np.float32), b.view(np.float32)

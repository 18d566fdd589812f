"""The formulas of `philox` compiled by numba into loops that add normals in place.

Importing this takes .2 s, and the first call of a loop .3 s more (2 s on a machine that has never
run it): `normals` does so only for a process that draws many numbers.  The loops release the
interpreter's lock and hold no state, so that threads can run them at the same time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from simulators.random import philox

STRIP = 512
"""How many words are made before they are used: two short loops, of which each vectorises."""

Loop = Callable[..., None]
_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_jit: Callable[[Loop], Loop] = njit(**_SETTINGS)
_philox, _joined, _radius64, _direction64, _radius32, _direction32 = (
    njit(inline="always", **_SETTINGS)(formula)
    for formula in (
        philox.philox,
        philox.joined,
        philox.radius64,
        philox.direction64,
        philox.radius32,
        philox.direction32,
    )
)


# Few arrays in a loop, each its own: LLVM gives up on vectors where it must tell many apart.
@_jit
def _words64(u: Any, v: Any, trial: int, step: int, group: int, key: Any, turned: bool) -> None:
    which, zero, k0, k1 = np.uint64(group), np.uint64(0), np.uint64(key[0]), np.uint64(key[1])
    along, across = (0, -1) if turned else (-1, 0)
    for i in range(len(u)):
        of, at = np.uint64(trial + (i & along)), np.uint64(step + (i & across))
        w0, w1, w2, w3 = _philox(of, at, which, zero, k0, k1)
        u[i] = _joined(w0, w1)
        v[i] = _joined(w2, w3)


@_jit
def _words32(
    u: Any, v: Any, w: Any, z: Any, trial: int, step: int, group: int, key: Any, turned: bool
) -> None:
    which, zero, k0, k1 = np.uint64(group), np.uint64(0), np.uint64(key[0]), np.uint64(key[1])
    along, across = (0, -1) if turned else (-1, 0)
    for i in range(len(u)):
        of, at = np.uint64(trial + (i & along)), np.uint64(step + (i & across))
        w0, w1, w2, w3 = _philox(of, at, which, zero, k0, k1)
        u[i] = w0
        v[i] = w1
        w[i] = w2
        z[i] = w3


@_jit
def _pair64(x: Any, y: Any, u: Any, v: Any, scale: float) -> None:
    for i in range(len(x)):
        r = _radius64(u[i])
        sine, cosine = _direction64(v[i])
        x[i] += scale * (r * sine)
        y[i] += scale * (r * cosine)


@_jit
def _pair32(x: Any, y: Any, u: Any, v: Any, scale: float) -> None:
    for i in range(len(x)):
        r = _radius32(u[i])
        sine, cosine = _direction32(v[i])
        x[i] += scale * (r * sine)
        y[i] += scale * (r * cosine)


def _compiled(loop: Loop) -> Loop:
    """Kept on disk where a folder can be written to."""
    try:
        kernel: Loop = njit(cache=True, **_SETTINGS)(loop)
    except RuntimeError:  # numba found no such folder
        kernel = _jit(loop)
    return kernel


def _loops(digest: str) -> tuple[Loop, Loop]:
    """The loops for float64 and float32: add `scale` times the numbers of the steps from `step`,
    of trials from `first`, to an array (steps, rows, trials), or turned (trials, rows, steps).

    numba keeps them by the text of this file and by what they enclose: the digest of the formulas.
    """

    def add64(panel: Any, first: int, step: int, key: Any, scale: float, turned: bool) -> None:
        digest  # noqa: B018
        outer, rows, inner = panel.shape
        u, v, spare = np.empty(STRIP, np.uint64), np.empty(STRIP, np.uint64), np.empty(STRIP)
        for k in range(outer):
            for start in range(0, inner, STRIP):
                end = min(start + STRIP, inner)
                n = end - start
                trial, at = (first + k, step + start) if turned else (first + start, step + k)
                for row in range(0, rows, 2):
                    _words64(u[:n], v[:n], trial, at, row // 2, key, turned)
                    y = panel[k, row + 1, start:end] if row + 1 < rows else spare[:n]
                    _pair64(panel[k, row, start:end], y, u[:n], v[:n], scale)

    def add32(panel: Any, first: int, step: int, key: Any, scale: float, turned: bool) -> None:
        digest  # noqa: B018
        outer, rows, inner = panel.shape
        u, v = np.empty(STRIP, np.uint32), np.empty(STRIP, np.uint32)
        w, z = np.empty(STRIP, np.uint32), np.empty(STRIP, np.uint32)
        spare = np.empty(STRIP, np.float32)
        for k in range(outer):
            for start in range(0, inner, STRIP):
                end = min(start + STRIP, inner)
                n = end - start
                trial, at = (first + k, step + start) if turned else (first + start, step + k)
                for row in range(0, rows, 4):
                    _words32(u[:n], v[:n], w[:n], z[:n], trial, at, row // 4, key, turned)
                    y = panel[k, row + 1, start:end] if row + 1 < rows else spare[:n]
                    _pair32(panel[k, row, start:end], y, u[:n], v[:n], scale)
                    if row + 2 < rows:
                        y = panel[k, row + 3, start:end] if row + 3 < rows else spare[:n]
                        _pair32(panel[k, row + 2, start:end], y, w[:n], z[:n], scale)

    return _compiled(add64), _compiled(add32)


add64, add32 = _loops(hashlib.sha256(Path(philox.__file__).read_bytes()).hexdigest())

"""A step's noise and projection in one kernel of a device, by Triton, which torch brings along.

The words are those of `philox`, one counter for two numbers in float64 and for four in float32, and
a program adds the numbers of some trials coordinate by coordinate, with the square of the norm
summed on the way.  Importing this needs Triton; `normals` goes on by tensors where it is missing.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

SPACE, BALL, BOX = 0, 1, 2
TRIALS = 128
"""Trials of a program."""


@triton.jit  # type: ignore[untyped-decorator]
def _pair(first, second, WIDE: tl.constexpr):  # type: ignore[no-untyped-def]
    """r sin a and r cos a of two words."""
    if WIDE:
        u = ((first >> 11).to(tl.float64) + 0.5) * 1.1102230246251565e-16
        angle = second.to(tl.int64, bitcast=True).to(tl.float64) * 3.406121580086554e-19
    else:
        u = (first.to(tl.float32) + 0.5) * 2.3283064365386963e-10
        angle = second.to(tl.int32, bitcast=True).to(tl.float32) * 1.4629180792671596e-09
    radius = tl.sqrt(tl.maximum(-2.0 * tl.log(u), 0.0))  # next to 1 a fast logarithm may pass 0
    return radius * tl.sin(angle), radius * tl.cos(angle)


@triton.jit
def _add(state, row, rows, trials, at, inside, number, squares):  # type: ignore[no-untyped-def]
    """Add the number to a coordinate; the squares with the sum's."""
    place = state + tl.cast(row, tl.int64) * trials + at
    here = inside & (tl.zeros_like(at) + row < rows)
    total = tl.load(place, mask=here, other=0.0) + number
    tl.store(place, total, mask=here)
    return squares + tl.where(here, total * total, 0.0)


@triton.jit  # type: ignore[untyped-decorator]
def _move(  # type: ignore[no-untyped-def]
    state,
    trial,
    step,
    keys,
    numbers,
    rows,
    trials,
    WIDE: tl.constexpr,
    DOMAIN: tl.constexpr,
    TRIALS: tl.constexpr,
):
    at = tl.program_id(0) * TRIALS + tl.arange(0, TRIALS)
    inside = at < trials
    of = tl.load(trial + at, mask=inside, other=0).to(tl.uint32)
    now = tl.zeros_like(of) + tl.load(step).to(tl.uint32)
    k0, k1 = tl.load(keys).to(tl.uint32), tl.load(keys + 1).to(tl.uint32)
    scale, low, high = tl.load(numbers), tl.load(numbers + 1), tl.load(numbers + 2)
    zero = tl.zeros_like(of)
    squares = tl.zeros((TRIALS,), state.dtype.element_ty)
    group = zero
    for row in range(0, rows, 2 if WIDE else 4):
        w0, w1, w2, w3 = tl.philox_impl(of, now, group, zero, k0, k1)
        if WIDE:
            first = (w0.to(tl.uint64) << 32) | w1.to(tl.uint64)
            sine, cosine = _pair(first, (w2.to(tl.uint64) << 32) | w3.to(tl.uint64), WIDE)
        else:
            sine, cosine = _pair(w0, w1, WIDE)
        squares = _add(state, row, rows, trials, at, inside, scale * sine, squares)
        squares = _add(state, row + 1, rows, trials, at, inside, scale * cosine, squares)
        if not WIDE:
            sine, cosine = _pair(w2, w3, WIDE)
            squares = _add(state, row + 2, rows, trials, at, inside, scale * sine, squares)
            squares = _add(state, row + 3, rows, trials, at, inside, scale * cosine, squares)
        group += 1
    if DOMAIN != 0:
        norms = tl.sqrt(squares)
        for row in range(0, rows):
            place = state + tl.cast(row, tl.int64) * trials + at
            value = tl.load(place, mask=inside, other=0.0)
            if DOMAIN == 1:
                # As in `domains.Ball`: inf - inf makes a trial NaN whose square overflows.
                shrink = high / tl.maximum(norms, high) + (norms - norms)
                tl.store(place, value * shrink, mask=inside)
            else:
                tl.store(place, tl.minimum(tl.maximum(value, low), high), mask=inside)


def move_(
    state: torch.Tensor,
    trial: torch.Tensor,
    step: torch.Tensor,
    keys: torch.Tensor,
    numbers: torch.Tensor,
    domain: int,
) -> None:
    """Add the noise of a step to a state (rows, trials), and project it.

    numbers: the noise's scale and the domain's limits, in the state's dtype; of a ball the second
    is its radius.
    """
    rows, trials = state.shape
    _move[(triton.cdiv(trials, TRIALS),)](
        state,
        trial,
        step,
        keys,
        numbers,
        rows,
        trials,
        WIDE=state.dtype == torch.float64,
        DOMAIN=domain,
        TRIALS=TRIALS,
    )

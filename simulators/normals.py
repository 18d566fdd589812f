"""Standard normal numbers for the engine, in the dtype's full resolution.

On the CPU: the Box-Muller transform in numpy, whose vectorised log and tan make it 1.7 times as
fast in float64 as numpy's ziggurat (4.5 against 7.5 ns a number, 17 for torch.normal_) and 1.4
times as fast in float32 as torch's vectorised normal_ (2.4 against 3.4), measured on one core with
AVX-512 (benchmarks/engine.py prints the ratios for the machine at hand).  With u, v uniform,
r = sqrt(-2 log u), t = tan(pi v): cos 2 pi v = (1 - t^2)/(1 + t^2), sin 2 pi v = 2t/(1 + t^2), so
r cos and r sin are two independent exact normals.

Resolution: float64 takes u from the 2^53 multiples of 2^-53 in (0, 1] and v from 53 bits, so the
law is Gaussian up to mass 2^-53 (numbers beyond 8.57 do not occur, true mass 1e-17); float32 takes
32 bits each, mass 2^-32.  On other devices the device's own generator is used.
"""

from __future__ import annotations

import math
from concurrent.futures import Executor, Future
from typing import Any

import numpy as np
import torch

PANEL = 1 << 15
"""About how many numbers are made at a time: large enough to hide call costs, fits the L2 cache."""

WORDS = 1 << 13
"""Raw 64-bit words asked for at a time: larger arrays are mapped and unmapped at every call."""


class Normals:
    """A stream of arrays N(0, I) of one shape; `next` returns a view, valid until the next call.

    The stream depends on the seed sequence, shape and dtype only; with a pool (CPU only) the next
    panel is made on its thread while the present one is used.
    """

    def __init__(
        self,
        seeds: np.random.SeedSequence,
        shape: tuple[int, ...],
        device: torch.device,
        dtype: torch.dtype,
        pool: Executor | None = None,
    ) -> None:
        self.arrays = max(1, round(PANEL / math.prod(shape)))
        self.position = self.arrays
        total = self.arrays * math.prod(shape)
        if device.type == "cpu":
            kind: type[Any] = np.float64 if dtype == torch.float64 else np.float32
            self.half = (total + 1) // 2
            self.pool = pool
            self.pending: Future[None] | None = None
            self.flat, self.spare = (np.empty(2 * self.half, dtype=kind) for _ in range(2))
            self.radius = np.empty(self.half, dtype=kind)
            self.tangent = np.empty(self.half, dtype=kind)
            self.numpy = np.random.Generator(np.random.SFC64(seeds))
            self.panel, self.other = (
                torch.from_numpy(flat)[:total].view(self.arrays, *shape)
                for flat in (self.flat, self.spare)
            )
        else:
            self.torch = torch.Generator(device=device)
            self.torch.manual_seed(int(seeds.generate_state(1, np.uint64)[0] >> np.uint64(1)))
            self.panel = torch.empty((self.arrays, *shape), dtype=dtype, device=device)

    def next(self) -> torch.Tensor:
        """The next array."""
        if self.position == self.arrays:
            if self.panel.device.type == "cpu":
                self._turn()
            else:
                self.panel.normal_(generator=self.torch)
            self.position = 0
        self.position += 1
        return self.panel[self.position - 1]

    def _turn(self) -> None:
        """Make the next panel the present one."""
        if self.pool is None:
            self._box_muller(self.flat)
            return
        if self.pending is None:
            self.pending = self.pool.submit(self._box_muller, self.spare)
        self.pending.result()
        self.flat, self.spare = self.spare, self.flat
        self.panel, self.other = self.other, self.panel
        self.pending = self.pool.submit(self._box_muller, self.spare)

    def _uniforms(self) -> None:
        radius, tangent = self.radius, self.tangent
        if radius.dtype == np.float64:
            self.numpy.random(out=radius)
            np.subtract(1.0, radius, out=radius)
            self.numpy.random(out=tangent)
            np.multiply(tangent, math.pi, out=tangent)
            return
        for start in range(0, self.half, WORDS):
            part = slice(start, min(start + WORDS, self.half))
            count = part.stop - start
            words = self.numpy.bit_generator.random_raw(count).view(np.uint32)
            np.copyto(radius[part], words[:count], casting="unsafe")
            np.copyto(tangent[part], words[count:].view(np.int32), casting="unsafe")
        # (k + 1/2) / 2^32 keeps the full relative resolution of float32 near 0, where the tail is.
        np.add(radius, np.float32(0.5), out=radius)
        np.multiply(radius, np.float32(2.0**-32), out=radius)
        np.multiply(tangent, np.float32(math.pi * 2.0**-32), out=tangent)

    def _box_muller(self, flat: np.ndarray) -> None:
        self._uniforms()
        radius, tangent = self.radius, self.tangent
        cosine, sine = flat[: self.half], flat[self.half :]
        np.log(radius, out=radius)
        np.multiply(radius, -2.0, out=radius)
        np.sqrt(radius, out=radius)
        np.tan(tangent, out=tangent)
        np.multiply(tangent, tangent, out=cosine)
        np.add(cosine, 1.0, out=sine)
        np.divide(radius, sine, out=radius)
        np.subtract(1.0, cosine, out=cosine)
        np.multiply(cosine, radius, out=cosine)
        np.multiply(tangent, radius, out=sine)
        np.add(sine, sine, out=sine)

"""The numbers of `normals` by tensors, where these lie: the same words on any device.

A device has no unsigned numbers of 64 bits in torch, so words are kept in signed ones: products
wrap to the same bits, and what a shift drags in is masked.  Radius and turn are the formulas of
`philox` with the device's own logarithm, sine and cosine: equal words, and numbers equal to a few
roundings.  Nothing here reads a tensor or makes one from the host's numbers: a CUDA graph can
record it, and step and key may be changed under it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache
from types import ModuleType

import torch

from simulators.domains import Ball, Box, Domain

LOW = 0xFFFFFFFF
_M0, _M1, _W0, _W1 = 0xD2511F53, 0xCD9E8D57, 0x9E3779B9, 0xBB67AE85


def round_keys(key: tuple[int, int], device: torch.device) -> torch.Tensor:
    """The keys of the ten rounds (10, 2)."""
    keys = [[(key[0] + i * _W0) & LOW, (key[1] + i * _W1) & LOW] for i in range(10)]
    return torch.tensor(keys, dtype=torch.int64, device=device)


def words(
    trial: torch.Tensor, step: torch.Tensor, group: torch.Tensor, keys: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    """The four words of the counters (trial, step, group, 0), which are broadcast; all in int64.

    `philox.philox` by signed numbers: the high half of a product is masked before its next use.
    """
    c0, c1, c2, c3 = trial, step, group, torch.zeros_like(group)
    for i in range(10):
        p0, p1 = c0 * _M0, c2 * _M1
        c0 = (p1 >> 32) & LOW ^ c1 ^ keys[i, 0]
        c2 = (p0 >> 32) & LOW ^ c3 ^ keys[i, 1]
        c1, c3 = p1 & LOW, p0 & LOW
    return c0, c1, c2, c3


def numbers(
    trial: torch.Tensor, step: torch.Tensor, rows: int, keys: torch.Tensor, dtype: torch.dtype
) -> torch.Tensor:
    """The numbers (steps, rows, trials) of trials (trials,) at steps (steps,)."""
    wide = dtype == torch.float64
    of_a_word = 2 if wide else 4
    group = torch.arange(-(-rows // of_a_word), device=trial.device)[:, None]
    w0, w1, w2, w3 = words(trial, step[:, None, None], group, keys)
    if wide:
        parts = _pair((w0 << 21) | (w1 >> 11), 53, (w2 << 32) | w3, 64, dtype)
    else:
        parts = _pair(w0, 32, w1, 32, dtype) + _pair(w2, 32, w3, 32, dtype)
    return torch.stack(parts, dim=2).reshape(len(step), -1, len(trial))[:, :rows]


def _pair(
    first: torch.Tensor, kept: int, second: torch.Tensor, turn: int, dtype: torch.dtype
) -> list[torch.Tensor]:
    """r sin a and r cos a: r of the first's last `kept` bits, a the second's part of 2^turn."""
    u = (first & ((1 << kept) - 1)).to(dtype).add_(0.5).mul_(2.0**-kept)
    radius = u.log_().mul_(-2.0).sqrt_()
    angle = second if turn == 64 else (second ^ (1 << 31)) - (1 << 31)  # from -half to half a turn
    angle = angle.to(dtype).mul_(2.0 * math.pi * 2.0**-turn)
    return [torch.sin(angle).mul_(radius), torch.cos(angle).mul_(radius)]


@cache
def _kernels() -> ModuleType | None:
    """The module of Triton's kernel, if it works here and gives these numbers: tried once.

    None without Triton, without the compiler it asks for, or on a device it does not know.
    """
    try:
        torch.cuda.get_device_capability()
        from simulators.random import philox_kernels

        for dtype, room in ((torch.float64, 1e-12), (torch.float32, 1e-3)):
            there = DeviceNumbers(
                (0x243F6A88, 0x85A308D3), (5, 300), 9, torch.device("cuda"), dtype
            )
            there.ahead(2)
            draws, limits = there.numbers(0, 1)[0].zero_(), there.trial.new_ones(3).to(dtype)
            philox_kernels.move_(
                draws, there.trial, there.steps[1], there.keys, limits, philox_kernels.SPACE
            )
            if not torch.allclose(draws, there.numbers(1, 1)[0], rtol=0.0, atol=room):
                return None
    except Exception:  # whatever Triton or its compiler raise: the way by tensors is there
        return None
    return philox_kernels


class DeviceNumbers:
    """Numbers of a block of trials at one step after another, kept on the device.

    shape: coordinates and trials; first: the first of these trials.
    """

    def __init__(
        self,
        key: tuple[int, int],
        shape: tuple[int, int],
        first: int,
        device: torch.device,
        dtype: torch.dtype,
    ) -> None:
        self.rows, self.dtype = shape[0], dtype
        self.keys = round_keys(key, device)
        self.trial = torch.arange(first, first + shape[1], device=device)
        self.passed = torch.zeros((), dtype=torch.int64, device=device)
        self.steps = self.passed[None][:0]
        self.limits: dict[tuple[float, Domain], tuple[int, torch.Tensor]] = {}

    def ahead(self, count: int) -> None:
        """Go on to the next `count` steps: a sum there, which a graph does again at each replay."""
        self.steps = torch.arange(count, device=self.passed.device).add_(self.passed)
        self.passed.add_(count)

    def move_(
        self, states: Sequence[torch.Tensor], step: int, scale: float, domain: Domain
    ) -> bool:
        """Add the numbers of a step times `scale`, and project; False where there is no kernel."""
        kernels = _kernels()
        if kernels is None:
            return False
        if (scale, domain) not in self.limits:
            kind, low, high = kernels.SPACE, 0.0, 0.0
            if isinstance(domain, Ball):
                kind, high = kernels.BALL, domain.radius
            elif isinstance(domain, Box):
                kind, low, high = kernels.BOX, domain.low, domain.high
            limits = torch.tensor([scale, low, high], dtype=self.dtype, device=self.trial.device)
            self.limits[scale, domain] = kind, limits
        kind, limits = self.limits[scale, domain]
        for state in states:
            flat = state.view(self.rows, -1)
            kernels.move_(flat, self.trial, self.steps[step], self.keys, limits, kind)
        return True

    def numbers(self, step: int, count: int) -> torch.Tensor:
        """Those of the steps from `step` of them on (at most `count`, rows, trials)."""
        now = self.steps[step : step + count]
        return numbers(self.trial, now, self.rows, self.keys, self.dtype)

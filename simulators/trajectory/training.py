"""SGD on fixed batches, and retraining that leaves the forgotten samples out of their slots.

Learning: w_{t+1} = w_t - (eta_t/b_t) sum_{i in B_t} g_i(w_t) (hf eq 3, mini eq 3).  Retraining
runs through the same batches from the same start without the samples U:
v_{t+1} = v_t - (eta_t/b_t) sum_{i in B_t minus U} g_i(v_t) with the scaling "linear" (hf eq 5), and
with eta_t/(b_t - m_t) in front, the mean of what is kept, with the scaling "mean" (mini eq 2).  A
batch of which nothing is kept leaves v where it is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed
from simulators.device.memory import HOST, Part, insist
from simulators.device.placement import Later, into
from simulators.device.reporting import reporting_steps
from simulators.trajectory.model import Model, Tangent

Scaling = Literal["linear", "mean"]
UNSEEN = 64
"""Steps on a device between two looks whether iterates are finite."""
SCALINGS: tuple[Scaling, ...] = ("linear", "mean")
CLIP_RULES = ("min", "max")


@typed
@dataclass(frozen=True, eq=False)
class Training:
    """One run of SGD: which samples each step sees, and how far it goes.

    Attributes:
        batches: T lists of distinct rows.
        steps: eta_t > 0, shape (T,).
        start: w_0, shape (p,).
        clip: bound C on the norm of each step's mean gradient; None for none.
        clip_rule: "min" scales a longer gradient down to C; "max" is hf Algorithm 1 as printed,
            which scales a shorter one up.

    Raises:
        ValueError: a parameter out of range, or a batch with a repeated row.
    """

    batches: tuple[np.ndarray, ...]
    steps: np.ndarray
    start: np.ndarray
    clip: float | None = None
    clip_rule: str = "min"

    def __post_init__(self) -> None:
        batches = tuple(validation.integer("batches", rows, low=0) for rows in self.batches)
        if not batches:
            raise ValueError("batches must be at least one, got none")
        # An indexed update (as of `Gram`) would add a repeated row once only.
        for rows in batches:
            if rows.ndim != 1 or np.unique(rows).size != rows.size:
                raise ValueError(f"batches must be lists of distinct rows, got {rows.tolist()}")
        object.__setattr__(self, "batches", batches)
        steps = validation.real("steps", self.steps, low=0.0, low_open=True, high_open=True)
        if steps.shape != (len(batches),):
            raise ValueError(f"steps must have shape ({len(batches)},), got {steps.shape}")
        object.__setattr__(self, "steps", steps)
        start = validation.real("start", self.start, low_open=True, high_open=True)
        if start.ndim != 1:
            raise ValueError(f"start must be a vector, got shape {start.shape}")
        object.__setattr__(self, "start", start)
        if self.clip is not None:
            clip = validation.scalar("clip", self.clip, low=0.0, low_open=True, high_open=True)
            object.__setattr__(self, "clip", clip)
        validation.choice("clip_rule", self.clip_rule, CLIP_RULES)

    @property
    def length(self) -> int:
        """T."""
        return len(self.batches)

    def walk(
        self, model: Model, forget: Iterable[int] = (), scaling: str = "linear"
    ) -> Iterator[tuple[int, torch.Tensor, Tangent]]:
        """(t, w_t, the model there on all of B_t) for t < T, then once more (T, w_T, last tangent).

        w_t is never changed afterwards.  Raises ValueError when an iterate stops being finite, on a
        device some steps later.
        """
        gone = self._gone(model, forget, scaling)
        w = model.tensor(self.start)
        finite = torch.zeros((), dtype=torch.int64, device=model.device)
        # To look at an iterate makes a device wait: there it is done every `UNSEEN` steps.
        here = model.device.type == "cpu"
        tangent = None
        for t, rows in enumerate(reporting_steps(self.batches)):
            tangent = model.tangent(w, rows)
            yield t, w, tangent
            move = tangent.gradient(kept_weights(rows, gone, scaling).to(model.device))
            if self.clip is not None:
                move = move * self.shrinking(model, move)
            # A new tensor: whoever was given the last one keeps it as it was.
            w = w - float(self.steps[t]) * move
            # `first`: how many of w_1..w_{t+1} are finite; else the step of the first that is not.
            if here:
                first = t + is_finite(w)
            else:  # an iterate that is not stays so
                finite += torch.isfinite(w).all()
                looked = (t + 1) % UNSEEN == 0 or t + 1 == self.length
                first = int(finite) if looked else t + 1
            if first <= t:
                raise ValueError(
                    f"steps must be small enough for finite iterates; step {first} was not"
                )
        assert tangent is not None
        yield self.length, w, tangent

    def _gone(self, model: Model, forget: Iterable[int], scaling: str) -> np.ndarray:
        """Which samples are left out; ValueError where the run does not fit the model."""
        validation.choice("scaling", scaling, SCALINGS)
        gone = np.zeros(model.size, dtype=bool)
        chosen = list(forget)
        if chosen:
            gone[validation.integer("forget", chosen, low=0, high=model.size - 1)] = True
        if self.start.shape != (model.parameters,):
            raise ValueError(
                f"start must have {model.parameters} entries, got {self.start.shape[0]}"
            )
        largest = max(int(rows.max()) for rows in self.batches)
        if largest >= model.size:
            raise ValueError(f"batches must be rows below {model.size}, got {largest}")
        return gone

    def shrinking(self, model: Model, gradient: torch.Tensor) -> torch.Tensor:
        """The factor by which the clip changes a step's mean gradient; 1 where it does not."""
        length = model.lengths(gradient[None, :])
        if self.clip is None:
            return torch.ones_like(length)
        # A gradient of 0 has the factor inf: "min" caps it; for "max" it becomes 1.
        factor = self.clip / length
        if self.clip_rule == "min":
            return factor.clamp_(max=1.0)
        return factor.clamp_(min=1.0).masked_fill_(length == 0.0, 1.0)

    @typed
    def run(self, model: Model, forget: Iterable[int] = (), scaling: str = "linear") -> Trajectory:
        """All iterates, with what a certificate needs to know about the run."""
        left_out = list(forget)
        gone = self._gone(model, left_out, scaling)
        size = 8 * (self.length + 1) * (model.parameters + 1)
        insist(HOST, kept=[Part("steps", self.length, size)])
        points = np.empty((self.length + 1, model.parameters))
        largest = np.zeros(self.length)
        # A tensor where the model lives: its truth is asked for once, at the end.
        active: torch.Tensor | bool = False
        later = Later(into)
        for t, w, tangent in self.walk(model, left_out, scaling):
            later.put((points, t), w)
            if t < self.length:
                later.put((largest, t), tangent.norms().max())
                if self.clip is not None:
                    weights = kept_weights(self.batches[t], gone, scaling).to(model.device)
                    active = active | (self.shrinking(model, tangent.gradient(weights)) != 1.0)
        later.flush()
        return Trajectory(points, largest, bool(active))

    @typed
    def part(self, begin: int, end: int, start: np.ndarray) -> Training:
        """Steps begin..end-1 of this run, from another start."""
        batches = self.batches[begin:end]
        if not batches:
            raise ValueError(f"end must leave a step after begin = {begin}, got {end}")
        return replace(self, batches=batches, steps=self.steps[begin:end], start=start)


def is_finite(vector: torch.Tensor) -> bool:
    """Whether every entry is: so is their sum, unless it overflows."""
    return math.isfinite(float(vector.sum())) or bool(torch.isfinite(vector).all())


def kept_weights(rows: np.ndarray, gone: np.ndarray, scaling: str) -> torch.Tensor:
    """The weight of every sample of the batch in the step: 1/b, or 1/(b - m); 0 where left out."""
    # The 1 in place of a count of 0 leaves weights 0 where nothing is kept: the step moves nothing.
    kept = torch.from_numpy((~gone[rows]).astype(np.float64))
    return kept / (len(rows) if scaling == "linear" else max(float(kept.sum()), 1.0))


@dataclass(frozen=True, eq=False)
class Trajectory:
    """The iterates of a run.

    Attributes:
        points: w_0..w_T, shape (T + 1, p).
        largest_gradients: max_i |g_i(w_t)| over the batch, shape (T,).
        clip_active: whether the clip changed a step; then no recursion below is exact.
    """

    points: np.ndarray
    largest_gradients: np.ndarray
    clip_active: bool

    @property
    def last(self) -> np.ndarray:
        """w_T."""
        point: np.ndarray = self.points[-1]
        return point


@typed
def batches_of(
    n: int, batch_size: int, epochs: int, *, seed: int = 0, shuffle: bool = True
) -> tuple[np.ndarray, ...]:
    """Every sample once an epoch, in batches of `batch_size`; the last one may be shorter."""
    size = validation.count("n", n, low=1)
    b = validation.count("batch_size", batch_size, low=1, high=size)
    rng = np.random.Generator(np.random.SFC64(validation.count("seed", seed, low=0)))
    batches: list[np.ndarray] = []
    for _ in range(validation.count("epochs", epochs, low=1)):
        order = rng.permutation(size) if shuffle else np.arange(size)
        batches += [order[i : i + b] for i in range(0, size, b)]
    return tuple(batches)


def geometric_steps(eta: float, decay: float, length: int) -> np.ndarray:
    """eta_t = eta q^t for t = 0..T-1 (hf); decay q in (0, 1], with which all steps are > 0."""
    first = validation.scalar("eta", eta, low=0.0, low_open=True, high_open=True)
    q = validation.scalar("decay", decay, low=0.0, low_open=True, high=1.0)
    steps: np.ndarray = first * q ** np.arange(validation.count("length", length, low=1))
    # Steps do not grow: if one underflows, so does the last.
    if not steps[-1] > 0:
        raise ValueError(f"decay must leave every step positive, got {q:g}")
    return steps

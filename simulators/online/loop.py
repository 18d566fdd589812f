"""One loop for all online learners: play, suffer, step; at a request, a map and noise.

Convention C (causal): at round t first the requests with tau_i = t are served, in order:
w <- U_i(w), plus sigma_i N(0, I), projected; then w_t is played and suffers f_t(w_t); then
w_{t+1} = P[w_t - eta_t grad f_t(w_t)].  Convention B is that with f_t used at eta_{t+1};
convention A steps first, then serves, then plays.  Run m never had the losses u_1..u_m: it skips
their steps.  All runs receive the same start and the same noise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import torch

from simulators.device.placement import Later, into
from simulators.device.threads import BlockProgress
from simulators.domains import Ball, WholeSpace
from simulators.engine.initial import initial_state
from simulators.online.in_place import InPlace
from simulators.online.private import EveryStep, StepNoise, TreeSums
from simulators.online.requests import Call
from simulators.online.rows import Rows
from simulators.online.setup import Setup
from simulators.online.steps import Adaptive, LeastAdaptiveNoise
from simulators.online.streams import project_rows_
from simulators.random.normals import Normals
from simulators.random.seeds import Purpose, key

Observer = Callable[[int, int, torch.Tensor, torch.Tensor, "float | torch.Tensor"], None]
"""Told t, the run, its states (size, d) as they are played, gradients, and the step size."""


@dataclass
class BlockArrays:
    """Where a block writes: arrays of all its kept trials."""

    excess: np.ndarray
    total: np.ndarray
    losses: np.ndarray | None
    squares: np.ndarray | None
    published: np.ndarray
    final: np.ndarray


class BlockRun:
    """One block of trials from round 1 to T."""

    def __init__(
        self,
        setup: Setup,
        block: int,
        size: int,
        kept: slice,
        device: torch.device,
        compared: np.ndarray,
        store: BlockArrays,
        observer: Observer | None = None,
    ) -> None:
        self.setup, self.size, self.kept, self.store = setup, size, kept, store
        self.observer = observer
        self.stream, self.compared, self.against = setup.stream, compared, compared.tolist()
        self.rows = kept.stop - kept.start
        d = self.stream.dimension
        law = setup.initial
        start = initial_state(
            law, (d,), size, kept, setup.seed, setup.claim, block, Purpose.INITIAL
        )
        # Starts are drawn as (d, size); states have a row for each trial.
        self.start = torch.tensor(start.T.copy(), device=device)
        self._project(self.start)
        self.states = [self.start.clone() for _ in setup.runs]
        shape = (size, d)
        # Trials count through all blocks: how they are cut does not change what they draw.
        double, trial = torch.float64, block * size
        self.draws, self.step_draws = (
            Normals(key(setup.seed, setup.claim, purpose), (d, size), device, double, trial)
            for purpose in (Purpose.NOISE, Purpose.STEP_NOISE)
        )
        tree = setup.sums != "none"
        self.step_noise: StepNoise | None = None
        if setup.step_noise > 0:
            self.step_noise = (TreeSums if tree else EveryStep)(setup.step_noise)
        zeros = self.start.new_zeros
        self.gradient_sums = [zeros(shape) for _ in setup.runs] if tree else []
        self.iterate_sums = [zeros(shape) for _ in setup.runs] if tree else []
        adaptive = isinstance(setup.steps, Adaptive)
        self.squares = [zeros((size, 1)) for _ in setup.runs] if adaptive else []
        self.common: torch.Tensor | None = None
        self.eta_at: dict[int, torch.Tensor] = {}
        self.since = 0  # rounds before the last restart
        self.spent: dict[str, int] = {}
        self.variance = 0.0
        first: dict[int, int] = {}
        for i, u in enumerate(setup.indices, start=1):
            first.setdefault(u, i)
        self.first_request = first
        self.excess = zeros(size)
        # `InPlace` is descent on rows and no more: whatever looks at a round takes `_round`.
        plain = not (tree or adaptive or self.step_noise or observer or store.squares is not None)
        plain = plain and device.type == "cpu" and isinstance(self.stream.domain, Ball | WholeSpace)
        self.plain = self.stream if plain and isinstance(self.stream, Rows) else None
        self.etas = [] if adaptive else np.asarray(setup.steps).tolist()
        self.movers: list[InPlace] = []
        self.later = Later(into)

    def run(self, told: BlockProgress) -> None:
        """All rounds; writes to the store."""
        T = self.stream.rounds
        due: dict[int, list[int]] = {}
        for i, tau in enumerate(self.setup.times):
            due.setdefault(tau, []).append(i)
        play = self._round_in_place if self.plain else self._round
        for t in range(1, T + 1):
            if self.setup.causal:
                if t in due:
                    self._serve(t, due[t])
                play(t, True)
            else:
                play(t, False)
                self._serve(t, due.get(t, ()))
                # Convention A: f_t is suffered at the iterate that has stepped along it already.
                self._suffer(t, self.stream.evaluate(t, self.states[0])[0])
            if t % 64 == 0 or t == T:
                told.more((t - 1) % 64 + 1)
                if told.stop.is_set():
                    return
        if self.setup.causal:
            # Requests with tau = T + 1 find no round: they come after the last one.
            self._serve(T + 1, due.get(T + 1, ()))
        self.later.flush()
        # Blocks have one size: of the last one only the first rows are trials of the run.
        excess = self.excess[: self.rows].cpu().numpy()
        self.store.excess[self.kept] = excess
        self.store.total[self.kept] = excess + self.compared.sum()
        for w, state in enumerate(self.states):
            self.store.final[w, self.kept] = state[: self.rows].cpu().numpy()

    def _project(self, state: torch.Tensor) -> None:
        project_rows_(self.stream.domain, state)

    def _absent(self, run_index: int, t: int) -> bool:
        # Of several requests for one loss the first counts: is it among this run's first ones?
        return self.first_request.get(t, run_index + 1) <= run_index

    def _serve(self, t: int, requests: Any) -> None:
        """The requests of this moment, in order, in every run."""
        setup = self.setup
        # In the causal order f_t is still to come when the requests of round t are served.
        horizon = t - 1 if setup.causal else t
        for i in requests:
            scale = self._scale(i)
            # One draw for all runs: coupled runs differ by their maps alone.
            draw = self.draws.next().t() if setup.random else torch.zeros_like(self.start)
            removals = setup.indices[: i + 1]
            for w, deletion_count in enumerate(setup.runs):
                absent = frozenset(setup.indices[:deletion_count])
                call = Call(
                    self.stream,
                    self.states[w],
                    horizon,
                    absent,
                    absent | frozenset(removals),
                    self.start,
                    partial(self._replay, horizon),
                )
                cost = setup.unlearner(call)
                state = call.state
                if not setup.noise_last:
                    self._project(state)
                state = state + scale * draw
                if setup.noise_last:
                    self._project(state)
                self.states[w] = state.contiguous()
                released = state[: self.rows].clone()  # the state moves on in place
                self.later.put((self.store.published[w], (self.kept, i)), released)
                if w == 0:
                    for name, count in cost.items():
                        self.spent[name] = self.spent.get(name, 0) + count
            # They carry norms of the states, which the request has replaced.
            self.movers = []
            if setup.unlearner.restarts:
                # The step that follows is number 1 again.
                self.since = horizon
                for sums in (self.gradient_sums, self.iterate_sums, self.squares):
                    for each in sums:
                        each.zero_()

    def _scale(self, i: int) -> float | torch.Tensor:
        """sigma_i: a number, or (size, 1)."""
        sigmas = self.setup.sigmas
        if not isinstance(sigmas, LeastAdaptiveNoise):
            scale = float(sigmas[i])
            # Over the trials that the run keeps, which it divides by at the end.
            self.variance += scale * scale * self.rows
            return scale
        etas = []
        for j, u in enumerate(self.setup.indices[: i + 1]):
            # A loss that is gone already shifts nothing.
            new = self.first_request[u] == j + 1
            etas.append(self.eta_at[u] if new else torch.zeros_like(self.eta_at[u]))
        scales = sigmas(torch.stack(etas)[:, :, 0])[:, None]
        self.variance += float((scales[: self.rows] ** 2).sum())
        return scales

    def _round_in_place(self, t: int, suffer: bool) -> None:
        """The same as `_round`, where it is nothing but descent on rows."""
        assert self.plain is not None
        if not self.movers:
            self.movers = [InPlace(self.plain, state) for state in self.states]
        eta = self.etas[t - self.since - 1]
        for w, deletion_count in enumerate(self.setup.runs):
            absent, value = self._absent(deletion_count, t), None
            if not absent:
                value = self.movers[w].step(t, eta, valued=suffer and w == 0)
                self.spent["learn"] = self.spent.get("learn", 0) + (w == 0)
            elif suffer and w == 0:
                value = self.stream.evaluate(t, self.states[0])[0]
            if value is not None:
                self._suffer(t, value)

    def _round(self, t: int, suffer: bool) -> None:
        """Play (in the causal order), then step, in every run."""
        noise = None
        if self.step_noise is not None:
            noise = self.step_noise.at(t - self.since, self.step_draws.next().t())
        for w, deletion_count in enumerate(self.setup.runs):
            absent = self._absent(deletion_count, t)
            if w == 0 and suffer:
                value, pull = self.stream.evaluate(t, self.states[0])
                self._suffer(t, value)
            elif not absent:
                pull = self.stream.gradients(t, self.states[w])
            # The first run suffers every loss; no run learns from one that it never had.
            if absent:
                pull = torch.zeros_like(self.states[w])
            eta = self._step_size(t, w, pull)
            if self.observer is not None:
                self.observer(t, w, self.states[w], pull, eta)
            # Without its loss a run stands still, unless noise or sums of gradients move it.
            if not absent or noise is not None or self.gradient_sums:
                self._step(t, w, eta, pull, noise)
            if w == 0:
                self.spent["learn"] = self.spent.get("learn", 0) + (not absent)
                if self.store.squares is not None:
                    norms = (pull * pull).sum(dim=1)
                    self.later.put((self.store.squares, (self.kept, t - 1)), norms[: self.rows])

    def _step(
        self,
        t: int,
        w: int,
        eta: float | torch.Tensor,
        pull: torch.Tensor,
        noise: torch.Tensor | None,
    ) -> None:
        """w <- P[w - eta (gradient + noise)], or from sums of gradients: P[base - eta sum]."""
        base = self.states[w]
        if self.gradient_sums:
            pull = self.gradient_sums[w].add_(pull)
            if self.setup.sums == "mean":
                base = self.iterate_sums[w].add_(base) / (t - self.since)
            else:
                base = self.start
        pull = pull if noise is None else pull + noise
        # In place only where the state is the base: `start` is needed again, a mean is new.
        own = base is self.states[w]
        if isinstance(eta, float):
            state = base.sub_(pull, alpha=eta) if own else torch.sub(base, pull, alpha=eta)
        else:
            state = base - eta * pull
        self._project(state)
        self.states[w] = state

    def _step_size(self, t: int, w: int, pull: torch.Tensor) -> float | torch.Tensor:
        steps = self.setup.steps
        if not isinstance(steps, Adaptive):
            return float(steps[t - self.since - 1])
        # The first run of the loop has left its size.
        if w and steps.shared:
            assert self.common is not None
            return self.common
        self.squares[w] += (pull * pull).sum(dim=1, keepdim=True)
        eta = steps.size(self.squares[w])
        if w == 0:
            self.common = eta
            if t in self.first_request:
                self.eta_at[t] = eta
        return eta

    def _replay(self, seen: int, removed: frozenset[int]) -> torch.Tensor:
        """Noiseless descent from w_1 over the rounds 1..seen without those removed."""
        steps, state = self.setup.steps, self.start.clone()
        mover = InPlace(self.plain, state) if self.plain else None
        squares = self.start.new_zeros(self.size, 1)
        for t in range(1, seen + 1):
            # The rounds that stay keep their step sizes: a gap, not a shift.
            if t in removed:
                continue
            if mover is not None:
                mover.step(t, self.etas[t - 1])
                continue
            pull = self.stream.gradients(t, state)
            if isinstance(steps, Adaptive):
                squares = squares + (pull * pull).sum(dim=1, keepdim=True)
                state = state - steps.size(squares) * pull
            else:
                state.sub_(pull, alpha=float(steps[t - 1]))
            self._project(state)
        return state

    def _suffer(self, t: int, value: torch.Tensor) -> None:
        if self.store.losses is not None:
            self.later.put((self.store.losses, (self.kept, t - 1)), value[: self.rows])
        # Loss and comparator round by round: the two sums apart would cancel.
        self.excess.add_(value)
        if best := self.against[t - 1]:
            self.excess.sub_(best)

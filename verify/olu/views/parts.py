"""How proofs split the regret of active learners and of noisy paths: (14), (46), (48), (51)."""

from __future__ import annotations

from functools import cached_property
from itertools import pairwise

import numpy as np

from simulators.runs.experiment import NotMeasured, Observable, View, observable
from simulators.runs.online_run import OnlineRun


class RegretParts(View, of=OnlineRun):
    """Parts of the regret against the minimiser of all losses, path by path."""

    run: OnlineRun

    @observable
    def doubled_part(self) -> Observable:
        """Twice the part A of every path, beside C + D + E of the proof."""
        parts = self._parts
        telescoped = parts["C"] + parts["D"]
        # E as printed has the slopes at tau_i - 1, as it must be every block's last round.
        at = {name: telescoped + parts[name] for name in ("printed", "corrected")}
        return self._loss(2 * parts["A"], **at)

    @observable
    def regret_of_paths(self) -> Observable:
        """Regret of every path against one point, beside part A and L times what requests move."""
        parts = self._parts
        L = self.run.stream.constants.lipschitz
        # (46) with i = 1..k, and with the last round of the last block as well.
        requests = parts["A"] + L * np.sqrt(parts["jumps"]).sum(axis=1)
        rounds = requests + L * np.sqrt(parts["end"])
        return self._loss(self.run.noisy.fixed, requests=requests, rounds=rounds)

    @observable
    def telescoped_blocks(self) -> Observable:
        """Part C of the path on which it is largest."""
        _, tau = self.run.spaced_deletions()
        part = self._parts["C"]
        worst = int(np.argmax(part))
        t = np.array(tau)
        points = self.run.noisy.points[worst]
        star = self.run.noisy.stars[0]

        # z_{tau_i - 1} stands at tau_i - 2, z_{tau_i + 1} at tau_i.
        squares = np.linalg.norm(points - star, axis=1) ** 2
        moves = np.linalg.norm(points[t] - points[t - 2], axis=1)
        at = {"before": squares[t - 2].tolist(), "after": squares[t].tolist()}
        return self._loss(float(part[worst]), **at, moves=moves.tolist())

    @observable
    def regret_with_noise(self) -> Observable:
        """Mean regret of paths against one point, with A and B of the same paths."""
        _, tau = self.run.spaced_deletions()
        noisy = self.run.noisy
        t = np.arange(1, self.run.stream.rounds + 1)
        star = noisy.stars[0]
        mu = self.run.stream.constants.strong_convexity
        squares = np.linalg.norm(noisy.points - star, axis=-1) ** 2

        # B: what the noise of the step into a request adds to the telescoping squares.
        stepped = np.linalg.norm(noisy.stepped(t) - star, axis=-1) ** 2
        added = (squares[:, 1:] - stepped) / (2 * noisy.eta)
        B = added[:, np.array(tau) - 2].sum(axis=1).mean()
        if B < 0:
            raise NotMeasured("the noise of these paths led towards the comparator")

        # A: all else, less what strong convexity takes off.
        norms = (noisy.pulls**2).sum(axis=-1)
        terms = (squares[:, :-1] - squares[:, 1:]) / (2 * noisy.eta) + noisy.eta * norms / 2
        A = (terms - mu / 2 * squares[:, :-1]).sum(axis=1).mean()
        return self._loss(float(noisy.fixed.mean()), A=float(A), B=float(B))

    @cached_property
    def _parts(self) -> dict[str, np.ndarray]:
        """A, C, D, E of every path (trials,), see (46) and (48); E as printed and as it must be.

        jumps (trials, k) and end (trials,): squared distances at the requests and at T.
        """
        _, tau = self.run.spaced_deletions()
        noisy = self.run.noisy
        T = self.run.stream.rounds
        mu = self.run.stream.constants.strong_convexity
        star = noisy.stars[0]
        squares = np.linalg.norm(noisy.points - star, axis=-1) ** 2
        slopes = ((noisy.points[:, :-1] - star) * noisy.pulls).sum(axis=-1)
        norms = (noisy.pulls**2).sum(axis=-1)

        # Blocks end before a request, the last one before T; each has a last round, and inner ones.
        blocks = list(pairwise([0, *tau, T]))
        inner = np.array([t for start, end in blocks for t in range(start + 1, end - 1)])
        last = np.array([end - 1 for start, end in blocks if end - 1 > start])
        before_requests = last[last != T - 1]
        both = np.append(inner, last)

        # (46), and (48) with squares that telescope over the inner rounds of a block.
        A = slopes[:, both - 1] - mu / 2 * squares[:, both - 1]
        before = squares[:, inner - 1]
        C = mu * (inner * (before - squares[:, inner]) - before)
        E = 2 * slopes[:, last - 1] - mu * squares[:, last - 1]
        return {
            "A": A.sum(axis=1),
            "C": C.sum(axis=1),
            "D": (norms[:, inner - 1] / (mu * inner)).sum(axis=1),
            "printed": slopes[:, before_requests - 1].sum(axis=1),
            "corrected": E.sum(axis=1),
            "jumps": squares[:, np.array(tau) - 1],
            "end": squares[:, T - 1],
        }

    def _loss(self, value: object, **at: object) -> Observable:
        return Observable(value, at=at, rounding=self.run.regret_rounding, unit="loss")

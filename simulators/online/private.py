"""Noise on gradients: what makes every iterate of an online learner private, deletions or not."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Protocol

import torch

from accounting.numerics import validation
from accounting.numerics.arguments import typed


class StepNoise(Protocol):
    """Turns the draws of rounds 1, 2, ... into the noise of the gradient (sum)."""

    def at(self, t: int, draw: torch.Tensor) -> torch.Tensor:
        """The noise at round t from a standard normal (trials, d)."""
        ...


def one_pass_noise(lipschitz: float, k: int, rho: float) -> float:
    """s with s^2 = k L^2/(2 rho): noise on every gradient of one pass of online descent.

    The whole output sequence then satisfies D_alpha <= alpha rho for the removal of any k losses
    (each replaced by 0, its noise staying).  Proof: given the outputs before it, a step on a
    removed loss shifts the noisy gradient by at most L, D_alpha <= alpha L^2/(2 s^2); the others
    do not differ; Renyi divergences of adaptive steps add.
    """
    L = validation.scalar("lipschitz", lipschitz, low=0.0, high_open=True)
    number = validation.count("k", k, low=1)
    budget = validation.scalar("rho", rho, low=0.0, low_open=True, high_open=True)
    return L * math.sqrt(number / (2.0 * budget))


def tree_noise(lipschitz: float, k: int, rho: float, rounds: int) -> float:
    """s of every node of the tree: s^2 = L^2 sum_{j=0}^{floor(log2 T)} k min(k, 2^j)/(2 rho).

    The whole output sequence then satisfies D_alpha <= alpha rho for the removal of any k losses
    (each replaced by 0).  Proof: the outputs are functions of the released nodes, one per round t,
    v_t = sum of the gradients of rounds (t - 2^j, t] plus N(0, s^2 I), 2^j the largest power of 2
    that divides t.  Given the nodes before it, all iterates up to w_t are known and the same in
    both runs, so v_t shifts by at most L n_t, n_t the removed losses in its range, and
    D_alpha <= sum_t alpha L^2 n_t^2/(2 s^2) by adaptive composition.  Nodes of one level are
    disjoint and hold 2^j rounds, so that sum_t n_t^2 <= min(k, 2^j) k on each level.
    """
    L = validation.scalar("lipschitz", lipschitz, low=0.0, high_open=True)
    number = validation.count("k", k, low=1)
    budget = validation.scalar("rho", rho, low=0.0, low_open=True, high_open=True)
    T = validation.count("rounds", rounds, low=1)
    # T has floor(log2 T) + 1 bits: one level of the tree for each.
    touched = sum(number * min(number, 2**j) for j in range(T.bit_length()))
    return L * math.sqrt(touched / (2.0 * budget))


@typed
@dataclass
class EveryStep:
    """s N(0, I), independent at every round."""

    scale: float

    def at(self, t: int, draw: torch.Tensor) -> torch.Tensor:
        """s times the draw."""
        return self.scale * draw


@typed
class TreeSums:
    """The noise Z_t of the prefix sums of a binary tree: variance s^2 times the bits set in t.

    Z_t = Z_{t & (t-1)} + s N: t & (t-1) clears the lowest bit of t, that is, it is where the node
    that ends at t begins.
    """

    def __init__(self, scale: float) -> None:
        self.scale = scale
        self.ends: dict[int, torch.Tensor] = {}

    def at(self, t: int, draw: torch.Tensor) -> torch.Tensor:
        """Z_t; rounds must come in order from 1."""
        # The lowest bit of t names its level; no later prefix needs an older one of the same level.
        bit, before = t & -t, t & (t - 1)
        total = self.scale * draw
        # Otherwise t is a power of 2, whose node is the whole prefix.
        if before:
            total = total + self.ends[before & -before]
        self.ends[bit] = total
        return total

"""Counts, means and covariances of each class's features, and how deletions change them.

Sums are of u = z - mu_0, mu_0 the class's mean before any deletion: the same moments, without the
cancellation that large means would bring.  Shapes: trials, classes, q.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

import torch

from accounting.numerics import validation

UPDATES = ("exact", "printed")


@dataclass(frozen=True, eq=False)
class Moments:
    """Count (trials, classes), mean (.., q) and covariance (.., q, q) of every class.

    Where they do not exist (no rows; a covariance that would divide by 0) they are 0: `count`
    says which those are.
    """

    count: torch.Tensor
    mean: torch.Tensor
    covariance: torch.Tensor


@dataclass(frozen=True, eq=False)
class Sums:
    """sum 1, sum u and sum u u^T over some rows of every class."""

    count: torch.Tensor
    total: torch.Tensor
    second: torch.Tensor

    @classmethod
    def over(cls, u: torch.Tensor, weights: torch.Tensor) -> Sums:
        """Over rows u (trials, rows, q) with weights (trials, rows, classes)."""
        # Class by class: the squares of all rows would take rows x q x q numbers.
        parts = [torch.bmm((u * weights[..., c, None]).mT, u) for c in range(weights.shape[2])]
        total = torch.bmm(weights.transpose(1, 2), u)
        return cls(weights.sum(dim=1), total, torch.stack(parts, dim=1))

    def minus(self, other: Sums) -> Sums:
        """The sums over the rows that stay."""
        return Sums(self.count - other.count, self.total - other.total, self.second - other.second)

    def moments(self, ddof: int) -> Moments:
        """Mean and covariance, ddof 0 (maximum likelihood) or 1 (unbiased)."""
        some = self.count.clamp(min=1.0)
        mean = self.total / some[..., None]
        # u = z - mu_0 is about centred, so that little cancels here.
        scatter = self.second - self.total[..., :, None] * mean[..., None, :]
        scatter = 0.5 * (scatter + scatter.mT)
        # Where there is no such moment, 1 divides and 0 multiplies: no NaN comes up.
        divisor = (self.count - ddof).clamp(min=1.0)
        exists = (self.count > ddof).to(mean.dtype)
        covariance = scatter * (exists / divisor)[..., None, None]
        return Moments(self.count, mean * (self.count > 0)[..., None], covariance)


def mean_downdate(before: Moments, removed: Moments) -> torch.Tensor:
    """mu_t = (n mu_{t-1} - m mu~)/n' (safe, eq 22, which holds); 0 where n' = 0."""
    after = before.count - removed.count
    total = before.count[..., None] * before.mean - removed.count[..., None] * removed.mean
    return total / after.clamp(min=1.0)[..., None] * (after > 0)[..., None]


def printed_covariance_downdate(before: Moments, removed: Moments) -> torch.Tensor:
    """Sigma_t of safe, eq 23, as printed (refuted): its mean over random deletions is negative.

    ((n'-1)/(n-1)) Sigma_{t-1} - Sigma~ + [n m/(n'(n-1))] delta delta^T with
    delta = mu_{t-1} - mu~ and unbiased covariances (Sigma~ = 0 for m < 2).  Classes that lose no
    row keep theirs, those with n' = 0 or n < 2 get 0.
    """
    n, m = before.count, removed.count
    after = n - m
    defined = (after > 0) & (n > 1)
    safe_after, safe_n = after.clamp(min=1.0), (n - 1.0).clamp(min=1.0)
    delta = before.mean - removed.mean
    covariance = (
        ((after - 1.0) / safe_n)[..., None, None] * before.covariance
        - removed.covariance
        + (n * m / (safe_after * safe_n))[..., None, None]
        * delta[..., :, None]
        * delta[..., None, :]
    )
    covariance = covariance * defined[..., None, None]
    return torch.where((m > 0)[..., None, None], covariance, before.covariance)


class ClassStatistics(ABC):
    """The classes' moments round after round, in coordinates u = z - mu_0."""

    @abstractmethod
    def remove(self, removed: Sums) -> None:
        """Take the rows with these sums out."""

    @abstractmethod
    def moments(self) -> Moments:
        """The present moments."""


class ExactStatistics(ClassStatistics):
    """Sums minus what has left: the moments of the kept rows (safe, eqs 22 and 23, corrected)."""

    def __init__(self, start: Sums, ddof: int) -> None:
        self.start, self.ddof = start, ddof
        self.removed: Sums | None = None

    def remove(self, removed: Sums) -> None:
        """Add to what has left."""
        if self.removed is None:
            self.removed = removed
            return
        before = self.removed
        self.removed = Sums(
            before.count + removed.count,
            before.total + removed.total,
            before.second + removed.second,
        )

    def moments(self) -> Moments:
        """Of the rows that stay."""
        remainder = self.start if self.removed is None else self.start.minus(self.removed)
        return remainder.moments(self.ddof)


class PrintedStatistics(ClassStatistics):
    """The recursion of safe, eqs 22 and 23 as printed, on unbiased covariances."""

    def __init__(self, start: Sums) -> None:
        self.present = start.moments(1)

    def remove(self, removed: Sums) -> None:
        """One step of the recursion."""
        removed_moments = removed.moments(1)
        self.present = Moments(
            self.present.count - removed_moments.count,
            mean_downdate(self.present, removed_moments),
            printed_covariance_downdate(self.present, removed_moments),
        )

    def moments(self) -> Moments:
        """What the recursion has come to."""
        return self.present


def class_statistics(start: Sums, update: str, ddof: int) -> ClassStatistics:
    """Statistics that begin at `start`, with the "exact" or the "printed" update.

    ddof: 0 or 1; the printed recursion is one of unbiased covariances, ddof 1.
    Raises ValueError for other words or numbers.
    """
    freedom = validation.count("ddof", ddof, low=0, high=1)
    if validation.choice("update", update, UPDATES) == "exact":
        return ExactStatistics(start, freedom)
    if freedom != 1:
        raise ValueError("ddof must be 1 for the printed update, got 0")
    return PrintedStatistics(start)

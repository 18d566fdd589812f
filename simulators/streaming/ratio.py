"""log q^{(c)}(x) of every class: label ratio times Gaussian density ratio (safe, eqs 20 and 24).

A class counts as *degenerate* in a round when a Gaussian cannot be fitted to it: it has no more
rows than z has dimensions, or its covariance (or its first one, of D_0) is not positive definite
beyond rounding.  Its density ratio is then taken as 1, so that only the label ratio speaks.
An *exhausted* class (no rows left) has log q = -inf: its probability in the target is 0.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch

from simulators.streaming.statistics import Moments

SMALLEST_PIVOT = 1e-9
"""Squared Cholesky pivots below this share of the class's first variances count as rounding."""


@dataclass(frozen=True, eq=False)
class Density:
    """Gaussian log-densities of the classes: -|L^{-1}(u - mean)|^2/2 - log det L, no 2 pi.

    inverse (trials, classes, q, q): L^{-1}; log_determinant (trials, classes); fitted: where the
    class is not degenerate (elsewhere the density is 1).
    """

    mean: torch.Tensor
    inverse: torch.Tensor
    log_determinant: torch.Tensor
    fitted: torch.Tensor

    @classmethod
    def fit(cls, moments: Moments, scale: torch.Tensor) -> Density:
        """Of these moments; scale (classes, q): the first variances, the measure of rounding."""
        q = moments.mean.shape[-1]
        identity = torch.eye(q, dtype=moments.mean.dtype, device=moments.mean.device)
        factor, failed = torch.linalg.cholesky_ex(moments.covariance)
        pivots = factor.diagonal(dim1=-2, dim2=-1)
        clear = (pivots * pivots > SMALLEST_PIVOT * scale).all(dim=-1)
        fitted = (failed == 0) & clear & (moments.count > q)
        # A failed factor may hold NaN: the identity keeps it out of what `fitted` hides.
        factor = torch.where(fitted[..., None, None], factor, identity)
        inverse = torch.linalg.solve_triangular(factor, identity.expand_as(factor), upper=False)
        log_determinant = factor.diagonal(dim1=-2, dim2=-1).log().sum(dim=-1)
        return cls(moments.mean, inverse, log_determinant, fitted)

    def exponent(self, z: torch.Tensor, origins: torch.Tensor) -> torch.Tensor:
        """-|L^{-1}(z - origin_c - mean_c)|^2/2 of rows z (trials, rows, q) in every class.

        origins (classes, q): mu_0 of every class.  Returns (trials, rows, classes).
        """
        trials, classes, q, _ = self.inverse.shape
        columns = self.inverse.reshape(trials, classes * q, q).mT
        centre = (self.inverse @ (self.mean + origins)[..., None]).view(trials, 1, classes * q)
        # L^{-1}(z - origin - mean) of all classes by one product.
        white = torch.baddbmm(centre.expand(-1, z.shape[1], -1), z, columns, beta=-1.0)
        return -0.5 * white.square_().view(trials, -1, classes, q).sum(dim=-1)

    def log_density(
        self, z: torch.Tensor, origins: torch.Tensor, jacobian: bool = True
    ) -> torch.Tensor:
        """Log-densities (trials, rows, classes); jacobian False leaves out log det L."""
        exponent = self.exponent(z, origins)
        return exponent - self.log_determinant[:, None] if jacobian else exponent


def log_label_ratio(present: torch.Tensor, first: torch.Tensor) -> torch.Tensor:
    """log[(n_t(c)/n_0(c)) (n_0/n_t)] (safe, eq 20), (trials, classes); -inf where n_t(c) = 0.

    present, first: counts (trials, classes) and (classes,).  A class without rows in D_0 was never
    there and never leaves: its ratio is 1, like that of a class that keeps its share.
    """
    shares = present / present.sum(dim=-1, keepdim=True)
    absent = first == 0
    first_shares = torch.where(absent, torch.ones_like(first), first / first.sum())
    return torch.where(absent, torch.zeros_like(shares), (shares / first_shares).log())


def log_ratio(
    label: torch.Tensor,
    present: Density,
    first: Density,
    now: torch.Tensor,
    before: torch.Tensor,
) -> torch.Tensor:
    """log q^{(c)} of rows (trials, rows, classes): safe, eq 24, for every class.

    label: `log_label_ratio`; now, before: log-densities of the rows under `present` and `first`.
    """
    both = (present.fitted & first.fitted)[:, None]
    return label[:, None] + torch.where(both, now - before, torch.zeros_like(now))

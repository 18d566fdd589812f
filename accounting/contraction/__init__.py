"""Noisy contractions: one accountant for whatever contracts, shifts and adds noise.

Modules
    noisy_contraction  the process as three arrays, and mu of its last iterate
    convex_minorant    the greatest convex minorant, which is the cheapest way to shift
    pooling            the segments of that minorant
    common_steps       what steps in common leave on a bounded domain
"""

from accounting.contraction.noisy_contraction import (
    Allocation,
    NoisyContraction,
    pabi_allocation,
    pabi_mu,
)

__all__ = [
    "Allocation",
    "NoisyContraction",
    "pabi_allocation",
    "pabi_mu",
]

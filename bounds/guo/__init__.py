"""Certified removal (Guo et al. 2020), a baseline of mini: one module for each statement."""

FORMULAS: dict[str, str] = {
    "guo.delta": "bounds.guo.certified_removal:formula",
    "guo.residual": "bounds.guo.removal_residual:residual",
    "guo.data": "bounds.guo.removal_residual:data_residual",
    "guo.shift": "bounds.guo.removal_step:formula",
}

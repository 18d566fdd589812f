"""Mini-Unlearning: the last k steps: one module for each statement."""

FORMULAS: dict[str, str] = {
    "mini.alg1": "bounds.mini.algorithm_1:formula",
    "mini.alg2": "bounds.mini.algorithm_2:formula",
    "mini.alg3": "bounds.mini.algorithm_3:formula",
    "mini.alg4": "bounds.mini.algorithm_4:formula",
    "mini.base.retrain": "bounds.mini.retraining:formula",
    "mini.base.dg": "bounds.mini.deltagrad:formula",
    "mini.base.guo": "bounds.mini.certified_removal:formula",
    "mini.base.guo.residual": "bounds.mini.removal_residual:residual",
    "mini.base.guo.data": "bounds.mini.removal_residual:data_residual",
    "mini.base.guo.shift": "bounds.mini.removal_step:formula",
    "mini.base.amn": "bounds.mini.amnesiac:formula",
    "mini.mia.precision": "bounds.mini.membership:formula",
}

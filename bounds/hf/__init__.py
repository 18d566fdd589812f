"""Hessian-free recollection of individual data statistics: one module for each statement."""

FORMULAS: dict[str, str] = {
    "hf.eq3": "bounds.hf.equation_3:formula",
    "hf.eq4_5": "bounds.hf.equation_4_5:formula",
    "hf.def2.1.noise": "bounds.hf.definition_2_1:noise",
    "hf.def2.1.scale": "bounds.hf.definition_2_1:scale",
    "hf.eq7_8": "bounds.hf.equation_7_8:formula",
    "hf.eq7_8.remainder": "bounds.hf.equation_7_8:remainder",
    "hf.eq9": "bounds.hf.equation_9:formula",
    "hf.eq9.limit": "bounds.hf.equation_9:limit",
    "hf.eq10": "bounds.hf.equation_10:formula",
    "hf.thm3.1": "bounds.hf.theorem_3_1:formula",
    "hf.thm3.1.limit": "bounds.hf.theorem_3_1:limit",
    "hf.hvp": "bounds.hf.hvp:formula",
    "hf.proofa1": "bounds.hf.proof_a1:formula",
    "hf.alg1_stage2": "bounds.hf.algorithm_1_stage_2:formula",
    "hf.alg2": "bounds.hf.algorithm_2:formula",
    "hf.kusers.time": "bounds.hf.k_users:formula",
    "hf.forget_recollections": "bounds.hf.forget_recollections:formula",
    "hf.nonsmooth": "bounds.hf.nonsmooth:formula",
}

"""Stochastic gradient Langevin unlearning: one module for each theorem, lemma, or algorithm."""

FORMULAS = {
    "sglu.def2.1": "bounds.sglu.definition_2_1:formula",
    "sglu.lem3.4": "bounds.sglu.lemma_3_4:formula",
    "sglu.lem3.6": "bounds.sglu.lemma_3_6:formula",
    "sglu.claim.retrain": "bounds.sglu.claim_retrain:formula",
    "sglu.thm3.11": "bounds.sglu.theorem_3_11:formula",
    "sglu.table3": "bounds.sglu.table_3:formula",
    "sglu.alg6": "bounds.sglu.algorithm_6:formula",
    "sglu.alg2": "bounds.sglu.algorithm_2:formula",
    "sglu.alg3": "bounds.sglu.algorithm_3:formula",
    "sglu.thml.1": "bounds.sglu.theorem_l_1:formula",
    "sglu.thml.2": "bounds.sglu.theorem_l_2:formula",
    "sglu.thmm.1": "bounds.sglu.theorem_m_1:formula",
    "sglu.thmm.2": "bounds.sglu.theorem_m_2:formula",
    "sglu.eq79": "bounds.sglu.equation_79:formula",
    "sglu.eq80": "bounds.sglu.equation_80:formula",
    "sglu.eq81": "bounds.sglu.equation_81:formula",
}

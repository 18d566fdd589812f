"""Stochastic gradient Langevin unlearning: one module for each theorem, lemma, or algorithm."""

FORMULAS = {
    "sglu.def2.1": "bounds.sglu.definition_2_1:formula",
    "sglu.thm3.2": "bounds.sglu.theorem_3_2:formula",
    "sglu.lem3.4": "bounds.sglu.lemma_3_4:formula",
    "sglu.lem3.5": "bounds.sglu.lemma_3_5:formula",
    "sglu.lem3.6": "bounds.sglu.lemma_3_6:formula",
    "sglu.cor3.8": "bounds.sglu.corollary_3_8:formula",
    "sglu.claim.smallb": "bounds.sglu.claim_smallb:formula",
    "sglu.claim.retrain": "bounds.sglu.claim_retrain:formula",
    "sglu.cor3.9": "bounds.sglu.corollary_3_9:formula",
    "sglu.claim.swor": "bounds.sglu.claim_swor:formula",
    "sglu.cor3.10": "bounds.sglu.corollary_3_10:formula",
    "sglu.thm3.11": "bounds.sglu.theorem_3_11:formula",
    "sglu.cor3.12": "bounds.sglu.corollary_3_12:formula",
    "sglu.table3": "bounds.sglu.table_3:formula",
    "sglu.alg6": "bounds.sglu.algorithm_6:formula",
    "sglu.thmm.1": "bounds.sglu.theorem_m_1:formula",
    "sglu.thmm.2": "bounds.sglu.theorem_m_2:formula",
    "sglu.eq79": "bounds.sglu.equation_79:formula",
    "sglu.eq80": "bounds.sglu.equation_80:formula",
    "sglu.eq81": "bounds.sglu.equation_81:formula",
}

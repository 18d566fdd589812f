"""Hessian-free recollection of individual data statistics: one module for each statement."""

FORMULAS: dict[str, str] = {
    "hf.lem4.1": "bounds.hf.lemma_4_1:formula",
    "hf.lem4.1.clip": "bounds.hf.lemma_4_1:clip",
    "hf.lem4.1.smooth": "bounds.hf.lemma_4_1_smooth:formula",
    "hf.lem4.1.capped": "bounds.hf.lemma_4_1_smooth:capped",
    "hf.lem4.1.convex": "bounds.hf.lemma_4_1_smooth:convex",
    "hf.lem4.2": "bounds.hf.lemma_4_2:formula",
    "hf.thm4.3": "bounds.hf.theorem_4_3:formula",
    "hf.thm4.3.kept": "bounds.hf.theorem_4_3:kept",
    "hf.thm4.3.stored": "bounds.hf.theorem_4_3_stored:formula",
    "hf.thm4.3.sum": "bounds.hf.theorem_4_3_stored:batch",
    "hf.thm4.3.constant": "bounds.hf.theorem_4_3_constant:kept",
    "hf.thm4.3.constant.batch": "bounds.hf.theorem_4_3_constant:batch",
    "hf.thm4.3.limit": "bounds.hf.theorem_4_3_constant:limit",
    "hf.eq41": "bounds.hf.equation_41:formula",
    "hf.eq42": "bounds.hf.equation_41:factored",
    "hf.zeta": "bounds.hf.zeta:formula",
    "hf.zeta.visits": "bounds.hf.zeta:visits",
    "hf.tightness": "bounds.hf.zeta:size",
}

"""Machine unlearning for streaming forgetting (SAFE): one module for each statement."""

FORMULAS: dict[str, str] = {
    "safe.lem1": "bounds.safe.lemma_1:formula",
    "safe.lem1.d": "bounds.safe.lemma_1:several",
    "safe.thm1": "bounds.safe.theorem_1:formula",
    "safe.thm1.table": "bounds.safe.theorem_1_table:table",
    "safe.thm1.growth": "bounds.safe.theorem_1_table:growth",
    "safe.thm1.gauss": "bounds.safe.theorem_1_gauss:formula",
    "safe.thm1.gauss.point": "bounds.safe.theorem_1_gauss:point",
    "safe.thm1.norm": "bounds.safe.theorem_1_proof:prefactor",
    "safe.thm1.be": "bounds.safe.theorem_1_proof:fit",
    "safe.thm1.log": "bounds.safe.theorem_1_proof:logarithms",
    "safe.thm1.last": "bounds.safe.theorem_1_proof:last",
    "safe.def1": "bounds.safe.definition_1:formula",
    "safe.def1.lower": "bounds.safe.definition_1:lower",
    "safe.phi": "bounds.safe.perturbation:formula",
    "safe.thm2iii": "bounds.safe.theorem_2_iii:formula",
    "safe.thm2iii.noise": "bounds.safe.theorem_2_iii:noise",
    "safe.thm2iii.distance": "bounds.safe.deletion_distance:moved",
    "safe.thm2iii.ridge": "bounds.safe.deletion_distance:ridge",
}

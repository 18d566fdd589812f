"""Online learning and unlearning: one module for each theorem, lemma, or algorithm."""

FORMULAS: dict[str, str] = {
    "olu.thm3": "bounds.olu.theorem_3:formula",
    "olu.thm3.g2": "bounds.olu.theorem_3:growth",
    "olu.eq23": "bounds.olu.equation_23_25:formula",
    "olu.eq25": "bounds.olu.equation_23_25:total",
    "olu.eq26": "bounds.olu.equation_26_28:formula",
    "olu.eq27": "bounds.olu.equation_26_28:constant",
    "olu.eq28": "bounds.olu.equation_26_28:comparator",
    "olu.lem6": "bounds.olu.lemma_6:formula",
    "olu.thm4": "bounds.olu.theorem_4:formula",
    "olu.eq31": "bounds.olu.equation_31:formula",
    "olu.lem7": "bounds.olu.lemma_7:formula",
    "olu.lem8": "bounds.olu.lemma_8:formula",
    "olu.eq33": "bounds.olu.equation_33_36:self_bound",
    "olu.eq34": "bounds.olu.equation_33_36:noise",
    "olu.eq35": "bounds.olu.equation_33_36:implicit",
    "olu.eq36": "bounds.olu.equation_33_36:explicit",
    "olu.lem9": "bounds.olu.lemma_9:formula",
    "olu.thm5": "bounds.olu.theorem_5:formula",
    "olu.eq38": "bounds.olu.equation_38_39:step",
    "olu.eq39": "bounds.olu.equation_38_39:total",
}

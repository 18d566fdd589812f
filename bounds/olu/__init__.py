"""Online learning and unlearning: one module for each theorem, lemma, or algorithm."""

FORMULAS: dict[str, str] = {
    "olu.alg1": "bounds.olu.algorithm_1:formula",
    "olu.c2": "bounds.olu.conditions:contraction",
    "olu.c3": "bounds.olu.conditions:sensitivity",
    "olu.thm1": "bounds.olu.theorem_1:formula",
    "olu.fig1": "bounds.olu.figure_1:formula",
    "olu.cor1a": "bounds.olu.corollary_1:convex",
    "olu.cor1b": "bounds.olu.corollary_1:strongly_convex",
    "olu.tab1": "bounds.olu.table_1:formula",
    "olu.def5": "bounds.olu.shifted:definition",
    "olu.lem3": "bounds.olu.lemma_3_4:amplification",
    "olu.eq7": "bounds.olu.equation_7_8:allocation",
    "olu.eq8": "bounds.olu.equation_7_8:cost",
    "olu.eq8c": "bounds.olu.equation_7_8:series",
    "olu.lema": "bounds.olu.shifted:gaussian",
    "olu.lemc": "bounds.olu.shifted:reduction",
    "olu.lem4": "bounds.olu.lemma_3_4:mapped",
    "olu.lemd.1": "bounds.olu.lemma_d:smooth",
    "olu.lemd.2": "bounds.olu.lemma_d:curved",
}

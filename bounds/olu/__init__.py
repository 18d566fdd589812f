"""Online learning and unlearning: one module for each theorem, lemma, or algorithm."""

FORMULAS: dict[str, str] = {
    "olu.index": "bounds.olu.index_conventions:formula",
    "olu.eq2": "bounds.olu.equation_2:strongly_convex",
    "olu.eq2.convex": "bounds.olu.equation_2:convex",
    "olu.eq2.constant": "bounds.olu.equation_2:constant",
    "olu.def2.forever": "bounds.olu.definition_2:formula",
    "olu.rdp2dp": "bounds.olu.rdp_to_dp:formula",
    "olu.prop1": "bounds.olu.proposition_1:formula",
    "olu.def3": "bounds.olu.definition_3:formula",
    "olu.def4": "bounds.olu.definition_4:formula",
    "olu.opt": "bounds.olu.optimal_allocation:optimum",
    "olu.opt.aligned": "bounds.olu.optimal_allocation:aligned",
    "olu.opt.greedy": "bounds.olu.optimal_allocation:greedy",
    "olu.oracles": "bounds.olu.oracles:noise",
    "olu.oracles.alternating": "bounds.olu.oracles:alternating",
    "olu.oracles.huber": "bounds.olu.oracles:huber",
}

"""Machine unlearning for streaming forgetting (SAFE): one module for each statement."""

FORMULAS: dict[str, str] = {
    "safe.eq17": "bounds.safe.equation_17_19:bayes",
    "safe.eq18": "bounds.safe.equation_17_19:proportional",
    "safe.eq19": "bounds.safe.equation_17_19:adjusted",
    "safe.eq20": "bounds.safe.equation_20:formula",
    "safe.eq21": "bounds.safe.equation_21:feature",
    "safe.eq21.ratio": "bounds.safe.equation_21:ratio",
    "safe.eq22": "bounds.safe.equation_22:formula",
    "safe.eq22.removed": "bounds.safe.equation_22:removed",
    "safe.eq23": "bounds.safe.equation_23:formula",
    "safe.eq23.ml": "bounds.safe.equation_23:maximum_likelihood",
    "safe.eq23.mean": "bounds.safe.equation_23:average",
    "safe.eq24": "bounds.safe.equation_24:formula",
    "safe.eq24.target": "bounds.safe.equation_24:target",
    "safe.eq25": "bounds.safe.equation_25:formula",
    "safe.eq26": "bounds.safe.equation_26:formula",
    "safe.eq27": "bounds.safe.equation_27:formula",
    "safe.alg1": "bounds.safe.algorithm_1:formula",
    "safe.alg1.line8": "bounds.safe.algorithm_1:line_8",
}

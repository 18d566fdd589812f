"""Machine unlearning for streaming forgetting (SAFE): one module for each statement."""

FORMULAS: dict[str, str] = {
    "safe.thm2ii": "bounds.safe.theorem_2_ii:formula",
    "safe.thm2ii.const": "bounds.safe.theorem_2_ii:constants",
    "safe.thm2ii.path": "bounds.safe.theorem_2_ii_distances:path",
    "safe.thm2ii.smooth": "bounds.safe.theorem_2_ii_distances:smooth",
    "safe.thm2ii.below": "bounds.safe.theorem_2_ii_distances:below",
    "safe.thm2ii.track": "bounds.safe.theorem_2_ii_track:formula",
    "safe.thm2ii.track.lipschitz": "bounds.safe.theorem_2_ii_track:lipschitz",
    "safe.thm2ii.ogd": "bounds.safe.theorem_2_ii_ogd:formula",
    "safe.thm2ii.ogd.tuned": "bounds.safe.theorem_2_ii_ogd:tuned",
}

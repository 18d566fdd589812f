"""Claims of olu and their checks: one module for each theorem, lemma, algorithm, or table."""

CHECKS: tuple[str, ...] = (
    "index_conventions",
    "game",
    "equation_2",
    "unlearner",
    "definition_2",
    "equation_5",
    "rdp_to_dp",
    "proposition_1",
    "definition_3",
    "definition_4",
    "optimal_allocation",
    "least_noise",
    "oracles",
)

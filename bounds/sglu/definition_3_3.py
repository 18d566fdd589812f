"""What sglu states without a formula: Definition 3.3."""

from bounds import Statement

statement = Statement(
    "sglu.def3.3",
    "Definition 3.3",
    "definition",
    words="A contractive noisy iteration is X_{k+1} = psi_{k+1}(X_k) + W_{k+1} with (random) "
    "c-Lipschitz psi and independent noise.",
    correction="Random maps must be independent of the noise and shared by both chains.",
)
statement.interpreted_as(
    "literal", "the step of Algorithm 1 before its last projection", {"printed": "<="}
)
statement.interpreted_as(
    "shared", "random psi, drawn once for both chains: Lemma 3.4 still applies", {"printed": "<="}
)
statement.interpreted_as(
    "own",
    "random psi, drawn by each chain for itself",
    {"printed": "<="},
    # Lemma 3.4 has the same {psi_k} in both chains.
    stance="out_of_context",
    fails={
        "printed": "“(Random)” does not say that both chains must draw their maps alike. "
        "Where each draws with odds of its own, {Z} apart at the start, D₂ is "
        "{measured} and Lemma 3.4 gives {bound}."
    },
)

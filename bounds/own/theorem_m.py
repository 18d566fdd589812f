"""Theorem M: random batches averaged at one level, publications; and what X2 attains."""

from bounds import Proof, Statement

mixture = Statement(
    "own.mix",
    "Theorem M",
    "inequality",
    quantity="hockey-stick divergence of the mixture",
    words="If T(Q, P_b) >= G_{mu_b} for every batch pattern b, the mixture of the P_b is no easier "
    "to tell from Q than the mixture of the N(mu_b, 1) from N(0, 1), in both directions.",
    left=r"H_\gamma\big(\textstyle\sum_bp_bP_b\,\|\,Q\big)",
)
mixture.interpreted_as(
    "literal",
    "mu_b >= 0, any chances p_b, any laws; in both directions",
    {"tight": "<="},
    proofs={
        "tight": Proof(
            "one test has one level under the common law; Neyman and Pearson, as the "
            "likelihood ratio of the mixture is monotone",
            level="written",
            file="common_level.md",
        )
    },
)
mixture.interpreted_as(
    "linear",
    "linear maps, and patterns whose minorant is one segment",
    {"tight": "=="},
    proofs={"tight": "both runs end in the Gaussian mixtures themselves"},
)

joint = Statement(
    "own.joint",
    "Theorem M, publications",
    "inequality",
    quantity="hockey-stick divergence of what is published",
    words="Where models are published on the way, and steps may depend on all that was published, "
    "the joint law with the row is no easier to tell from that without it than the mixture of the "
    "N(mu_b, 1) from N(0, 1), mu_b^2 the sum of the squares of the intervals between publications.",
    left=r"H_\gamma\big(\textstyle\sum_bp_bP_b\,\|\,Q\big)",
)
joint.interpreted_as(
    "literal",
    "maps that are functions of what was published, c_k-Lipschitz; in both directions",
    {"tight": "<="},
    proofs={
        "tight": Proof(
            "adaptive composition of Gaussian curves for each pattern; then Theorem M",
            level="written",
            file="joint_publication.md",
        )
    },
)
joint.interpreted_as(
    "linear",
    "linear maps, the row in every batch, and one segment in each interval",
    {"tight": "=="},
    proofs={"tight": "both joint laws are Gaussians, that far apart"},
)

dual = Statement(
    "own.dual",
    "Theorem X2, duality",
    "equality",
    words="For every pattern of shifts w_l in the clock x_k, the least mu is the largest "
    "sum_l w_l lambda_l over slopes 0 <= lambda_1 <= ... <= lambda_T with sum lambda_k^2 dx_k = 1; "
    "the linear chain with contractions c_k lambda_{k-1}/lambda_k attains it.",
    left=r"\mu(X_N, X'_N)",
)
dual.interpreted_as(
    "literal",
    "any contractions, shifts and noises; X2 is exact however many segments there are",
    {"tight": "=="},
    proofs={
        "tight": Proof(
            "Abel summation and Cauchy-Schwarz; equality for the slopes of the minorant",
            level="written",
            file="exact_minorant.md",
        )
    },
)

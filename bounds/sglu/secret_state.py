"""Section 4 of sglu: fewer than ten epochs of Descent-to-Delete need a secret state."""

from bounds import Statement

statement = Statement(
    "sglu.d2d.ten",
    "D2D without a secret state (Section 4)",
    "claim",
    words="Descent-to-Delete cannot achieve a privacy guarantee with fewer than 10 unlearning "
    "epochs without a non-private internal state.",
    left=r"\min_\sigma\delta(\epsilon)",
    quantity="delta that is left, whatever the noise",
    correction="So it is, and not at 10 either: at epsilon = 1 and delta = 1/n the paper's "
    "settings ask for at least 25 epochs (MNIST) and 27 (CIFAR-10), whatever the noise.",
)
statement.interpreted_as(
    "literal",
    "the settings of Section 4, K = 1 .. 9, epsilon up to 5: no sigma reaches delta = 1/n on "
    "quadratics of the least curvature, the noise of the published model kept",
    {"printed": ">="},
    proofs={
        "printed": "After K steps the published noise is left times gamma^K beside the fresh one, "
        "in every coordinate: variance (1 + gamma^(2K)) sigma^2 against sigma^2 of retraining. "
        "sigma cancels where the means agree; where they do not, the squared norm is only larger, "
        "and so is the probability of the region |x|^2 > t that gives this delta."
    },
)
statement.interpreted_as(
    "theorem",
    "Theorem L.2 at these settings asks for at least 10 steps",
    {"printed": ">="},
    stance="component",
)

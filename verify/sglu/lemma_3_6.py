"""Lemma 3.6 of sglu, attained by linear chains started from their shifted stationary law."""

from simulators.exact.gaussian import step
from simulators.exact.gaussian_divergence import winf
from verify.checks import Check, Instances, Limit, case_table


def measure(c: float, T: float, J: float, W0: float) -> float:
    """Exact distance for x -> c x + noise, started from its stationary law moved by W0."""
    one = step(c, 0.0, 0.3)
    stationary = one.stationary()
    learned_law = one.power(int(T * J)).apply(stationary.shifted(W0))
    return winf(learned_law, stationary, rtol=1e-9)


CHECKS = (
    Check(
        "sglu.lem3.6",
        exact_side=measure,
        at=(
            Instances(
                "linear chain from its stationary law, shifted",
                case_table("c T J W0", (0.6, 5, 3, 2.0), (0.0, 1, 1, 1.0), (0.99, 0, 4, 3.0)),
                draws=(40, 400),
                within={"c": (0.05, 0.999), "T": (0, 5), "J": (1, 8)},
                tolerance=1e-7,
            ),
        ),
        limits={"literal": Limit("quantiles are subtracted", size=lambda p: p["W0"])},
    ).measured_by("langevin", "start_distance", where=("short steps",), relation="<="),
)

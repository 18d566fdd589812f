"""Lemma 3.4 of sglu, compared with AR(1) chains from two points (which attain the tight form)."""

from simulators.exact.gaussian import Gaussian, step
from simulators.exact.gaussian_divergence import renyi
from verify.checks import Check, Instances, case_table


def measure(alpha: float, Z: float, s2: float, c: float, K: float) -> float:
    """Exact divergence of x -> c x + noise from two points at distance Z."""
    chain = step(c, 0.0, s2**0.5).power(int(K))
    return renyi(chain.apply(Gaussian.point(0.0)), chain.apply(Gaussian.point(Z)), alpha)


CHECKS = (
    Check(
        "sglu.lem3.4",
        exact_side=measure,
        at=(
            Instances(
                "AR(1) from two points",
                case_table(
                    "alpha Z s2 c K",
                    (3, 1, 1, 0.6, 1),
                    (2, 1, 1, 1.0, 20),
                    (2, 1, 1, 1 - 1e-9, 20),
                    (5, 2, 0.1, 0, 3),
                ),
                draws=(60, 1000),
                relations={"tight": "=="},
            ),
        ),
    ).measured_by("langevin", "same_maps_renyi", where=("short steps",)),
)

"""Figure 1 of olu: its distances lack the step size."""

from verify.checks import Check, Instances, case_table


def measure(gamma: float, eta: float, L: float, l: float) -> float:  # noqa: E741
    """The distance on quadratics of curvature mu = (1 - gamma)/eta, f_u pulling by L."""
    mu = (1 - gamma) / eta
    with_it, without = eta * L, 0.0
    for _ in range(int(l)):
        with_it = with_it - eta * mu * with_it
        without = without - eta * mu * without
    return abs(with_it - without)


CHECKS = (
    Check(
        "olu.fig1",
        exact_side=measure,
        at=(
            Instances(
                "mu = 0.1, beta = 0.3: the step is 5 long",
                case_table("gamma eta L l", (0.5, 5.0, 0.1, 0)),
                relations={"corrected": "=="},
                script="fig1_slow",
            ),
            Instances(
                "quadratics",
                draws=(40, 500),
                within={"l": (0, 11), "gamma": (0.05, 0.99)},
                relations={"corrected": "=="},
                script="fig1_slow",
            ),
        ),
    ).measured_by("online", "adjacent_distance", where=("step 2/(beta + mu)", "strong convexity")),
)

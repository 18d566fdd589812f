"""Certified distances from exact retraining beside |grad F|/lambda, and what they cost.

    python benchmarks/erm.py

After a deletion of one row in a hundred, for models that scikit-learn fitted. A line a data set and
estimator: the certified distance over the Newton step's length in floats (1 is the truth), the
quotient of gradient and ridge over the same, and seconds beside one gradient in balls.
"""

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.preprocessing import StandardScaler

from simulators.data.dataset import Dataset
from simulators.erm.estimators import fitted


def binary(load: Callable[..., Any], classes: tuple[int, int] = (0, 1)) -> tuple[Any, Any]:
    """Standardised features, and labels of two classes."""
    features, labels = load(return_X_y=True)
    chosen = np.isin(labels, classes)
    return StandardScaler().fit_transform(features[chosen]), labels[chosen]


def cases() -> list[tuple[str, Any, tuple[Any, Any]]]:
    """Names, estimators, and the rows that they are fitted to."""
    diabetes = StandardScaler().fit_transform(load_diabetes().data), load_diabetes().target
    return [
        ("ridge, diabetes", Ridge(1.0, fit_intercept=False), diabetes),
        ("ridge with intercept, diabetes", Ridge(1.0), diabetes),
        (
            "logistic, breast cancer",
            LogisticRegression(fit_intercept=False),
            binary(load_breast_cancer),
        ),
        (
            "logistic with intercept, breast cancer",
            LogisticRegression(),
            binary(load_breast_cancer),
        ),
        ("logistic, digits 3 and 8", LogisticRegression(C=0.1), binary(load_digits, (3, 8))),
    ]


def seconds(work: Callable[[], Any]) -> tuple[Any, float]:
    """What the work gives, and the processor time it took."""
    start = time.process_time()
    return work(), time.process_time() - start


def main() -> None:
    print(f"{'':40}{'certified':>12}{'|grad|/lambda':>15}{'seconds':>9}{'gradient':>10}")
    for name, estimator, (features, targets) in cases():
        objective, data, model = fitted(
            estimator.fit(features, targets), Dataset(features, targets)
        )
        rest = np.arange(len(data)) % 100 != 0
        kept = Dataset(data.features[rest], data.targets[rest], name)
        floats = objective.in_floats(kept)
        best = floats.descend(model.reshape(-1))
        # Two more steps in floats, from where the trust region ends: the reference.
        for _ in range(2):
            best = best - floats.step(best, floats.gradient(best))
        moved = float(np.linalg.norm(model.reshape(-1) - best))
        found, cost = seconds(lambda o=objective, k=kept, v=model: o.distance(k, v))
        _, least = seconds(lambda o=objective, k=kept, v=model: one_gradient(o, k, v))
        quotient = found.gradient / found.strong_convexity
        ratios = f"{found.distance / moved:12.9f}{quotient / moved:15.2f}"
        print(f"{name:40}{ratios}{cost:9.3f}{least:10.3f}")


def one_gradient(objective: Any, kept: Dataset, model: np.ndarray) -> Any:
    """The gradient of the objective at the model, in balls."""
    import flint

    rows = objective.design(kept)
    point = flint.arb_mat(model.reshape(len(model), -1).tolist())
    return objective._gradient(flint, rows, point)


if __name__ == "__main__":
    main()

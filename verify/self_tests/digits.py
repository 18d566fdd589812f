"""The data sets of scikit-learn, held to sums over what it loads itself: it is not imported."""

from collections.abc import Iterator

import numpy as np

from simulators.data.dataset import Dataset
from simulators.data.labels import class_pair, class_value, numbered
from simulators.data.sklearn_sets import breast_cancer, diabetes, digits, wine
from verify.self_tests import Equality

# Of `load_digits` and so on: see `_sums`.
DIGITS = (862257340.0, 383727.0)
BREAST_CANCER = (755156289.8122711, 17367.0)
WINE = (78137954.77525, 8967.0)
DIABETES = (-472.86366103759224, 2998767.0)


def equalities() -> Iterator[Equality]:
    """The sets whole, and two classes of them."""
    every = digits(None)
    two = digits(2, 7)
    masses = breast_cancer()
    features, targets = every.features, every.targets
    assert targets is not None
    assert two.targets is not None
    assert masses.targets is not None
    yield Equality("digits", _sums(features, targets), DIGITS)
    yield Equality("wine", _sums(wine().features, wine().targets), WINE)
    yield Equality("diabetes", _sums(diabetes().features, diabetes().targets), DIABETES)
    signs = _sums(masses.features, (masses.targets + 1) / 2)
    yield Equality("breast_cancer", signs, BREAST_CANCER)
    some = np.isin(targets, (2, 7))
    yield Equality("digits of two classes", two.features, features[some])
    yield Equality("digits of two classes, labels", two.targets, (targets[some] - 4.5) / 2.5)
    binary_data = Dataset(
        features[some], np.where(targets[some] == 7, 1.0, 0.0), "d", (), ("no", "yes")
    )
    yield Equality("numbered", numbered(every, [2.0, 7.0]).targets, binary_data.targets)
    yield Equality(
        "class_value", [class_value(binary_data, "yes"), class_value(every, "7")], [1, 7]
    )
    yield Equality("class_pair by name", class_pair(binary_data, 0, 1).targets, two.targets)
    yield Equality("class_pair", class_pair(every, 2, 7).features, two.features)
    usual = np.isin(targets, (3, 8))
    yield Equality("digits, 3 and 8", digits().features, features[usual])


def _sums(features: np.ndarray, targets: np.ndarray | None) -> tuple[float, float]:
    """Features and targets, each row and column times another whole number."""
    assert targets is not None
    # Weights repeat every 97 rows, which keeps the sums small; an exchange of near rows shows.
    rows = np.arange(1, len(features) + 1) % 97
    columns = np.arange(1, features.shape[1] + 1)
    return float(rows @ features @ columns), float(rows @ targets)

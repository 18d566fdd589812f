"""The digits of scikit-learn, as they are loaded there."""

from collections.abc import Iterator

import numpy as np
from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits

from simulators.data.dataset import Dataset
from simulators.data.labels import class_pair, class_value, numbered
from simulators.data.sklearn_sets import breast_cancer, diabetes, digits
from verify.oracles import Equality


def equalities() -> Iterator[Equality]:
    """All ten, and two of them."""
    features, targets = load_digits(return_X_y=True)
    every, two = digits(None), digits(2, 7)
    assert every.targets is not None
    assert two.targets is not None
    yield Equality("digits", every.features, features)
    yield Equality("digits, targets", every.targets, targets)
    some = np.isin(targets, (2, 7))
    yield Equality("digits of two classes", two.features, features[some])
    yield Equality("digits of two classes, labels", two.targets, (targets[some] - 4.5) / 2.5)
    named = Dataset(features[some], np.where(targets[some] == 7, 1.0, 0.0), "d", (), ("no", "yes"))
    yield Equality("numbered", numbered(every, [2.0, 7.0]).targets, named.targets)
    yield Equality("class_value", [class_value(named, "yes"), class_value(every, "7")], [1, 7])
    yield Equality("class_pair by name", class_pair(named, 0, 1).targets, two.targets)
    yield Equality("class_pair", class_pair(every, 2, 7).features, two.features)
    again = load_diabetes()
    rows = diabetes()
    assert rows.targets is not None
    yield Equality("diabetes", rows.features, again.data)
    yield Equality("diabetes, targets", rows.targets, again.target)
    masses, known = load_breast_cancer(), breast_cancer()
    assert known.targets is not None
    yield Equality("breast_cancer", known.features, masses.data)
    yield Equality("breast_cancer, targets", known.targets, 2.0 * masses.target - 1)
    usual = np.isin(targets, (3, 8))
    yield Equality("digits, 3 and 8", digits().features, features[usual])

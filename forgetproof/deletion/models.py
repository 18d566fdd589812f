"""Models in files: the released form, which is data, and pickles, which are code.

Loading a pickle (or joblib file) runs whatever its writer put into it, so none is loaded unless the
user says that it is trusted.  `model.json` holds numbers alone.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.mechanism.strict_json import loads
from accounting.numerics import validation
from forgetproof.deletion.requests import named_file
from forgetproof.deletion.statement import RELEASED

PICKLES = (".pkl", ".pickle", ".joblib")


def estimator_kinds() -> dict[str, type[Any]]:
    """The estimators that can forget, by name."""
    from sklearn.linear_model import (
        LogisticRegression,
        Ridge,
        RidgeClassifier,
        SGDClassifier,
        SGDRegressor,
    )
    from sklearn.svm import LinearSVC

    kinds = (LogisticRegression, LinearSVC, Ridge, RidgeClassifier, SGDClassifier, SGDRegressor)
    return {kind.__name__: kind for kind in kinds}


def read_model(path: str, *, trusted: bool) -> Any:
    """The model in a file; of a pickle only where it is trusted.

    Raises ValueError for any other file, and for one that holds no model.
    """
    file = named_file("model", path)
    if file.suffix == ".json":
        return _of_document(file)
    if file.suffix not in PICKLES:
        raise ValueError(f"model must be a file {', '.join(('.json', *PICKLES))}, got {path!r:.60}")
    if not trusted:
        raise ValueError(
            f"model must be a .json of forgetproof, or come with --trust-pickle: to load "
            f"{file.name:.60} runs the code in it"
        )
    import joblib

    try:
        return joblib.load(file)
    except Exception as error:
        raise ValueError(f"model must be a pickle that loads, got {error!r:.200}") from None


def _numbers(name: str, document: dict[str, Any]) -> NDArray[np.float64]:
    """The finite numbers under a name; ValueError for anything else."""
    numbers: NDArray[np.float64] = validation.real(
        name, document[name], low_open=True, high_open=True
    )
    return np.asarray(numbers)


def _of_document(file: Path) -> Any:
    """The estimator that `model.json` describes."""
    try:
        document = loads(file.read_text("utf-8"))
        schema = document["schema"] if isinstance(document, dict) else None
        if schema != RELEASED:
            raise ValueError(f"schema must be {RELEASED!r}, got {schema!r:.60}")
        model = estimator_kinds()[document["estimator"]](**document["parameters"])
        model.coef_ = _numbers("coef", document)
        model.intercept_ = _numbers("intercept", document)
        model.n_features_in_ = model.coef_.size
        classes = np.asarray(document["classes"])
        if model.coef_.shape not in ((model.coef_.size,), (1, model.coef_.size)):
            raise ValueError(f"coef must be those of one target, got shape {model.coef_.shape}")
        if model.intercept_.size != 1 or classes.shape not in ((0,), (2,)):
            raise ValueError("intercept must be one number, and classes two or none")
        if model.__class__.__name__ == "RidgeClassifier":
            from sklearn.preprocessing import LabelBinarizer

            model._label_binarizer = LabelBinarizer(pos_label=1, neg_label=-1).fit(classes)
        # Of some versions it is a property of the binarizer's.
        if len(classes) and not isinstance(getattr(type(model), "classes_", None), property):
            model.classes_ = classes
        return model
    except (KeyError, TypeError, ValueError, json.JSONDecodeError) as error:
        raise ValueError(
            f"model must be as forgetproof writes one, {file.name:.60}: {error}"
        ) from None

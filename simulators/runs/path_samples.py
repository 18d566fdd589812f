"""Settings of small runs that unlearn on data at hand, which checks of statements share."""

from __future__ import annotations

from typing import Any

from accounting.problems.options import Rule

SAMPLE: dict[str, Any] = {
    "data": "breast_cancer",
    "rows": 300,
    "test_share": 0.0,
    "regularisation": 0.05,
    "ratio": 0.1,
    "statistics": "set",
    "epochs": 6,
}
MEAN = {"data": "digits", "loss": "quadratic", "step_size": 0.7}
REMOVED = {name: SAMPLE[name] for name in ("data", "rows", "test_share", "regularisation", "ratio")}
WHOLE = {**SAMPLE, "epochs": 25}
ONE = {**WHOLE, "forget": "7", "ratio": 0.05}
LAST = {name: x for name, x in SAMPLE.items() if name != "statistics"}
VANISHING = {"regularisation": 0.5, "decay": 0.3, "epochs": 40}
STEP = Rule("1.999/(L+m)", lambda at: 1.999 / (at["L"] + at["m"]))

RECOLLECTIONS: dict[str, dict[str, Any]] = {
    "a tenth of breast cancer, batches": {**SAMPLE, "batch_size": 60, "decay": 0.995},
    "a tenth of breast cancer, whole": {**WHOLE, "step_size": STEP},
    "the most aligned tenth of breast cancer": {**WHOLE, "forget": "aligned", "step_size": STEP},
    "one row of breast cancer": ONE,
    "one row of breast cancer, shrinking steps": {**ONE, "decay": 0.9},
    "softmax on wine": {**WHOLE, "data": "wine", "rows": 150, "loss": "softmax"},
    "one row of breast cancer, steps that vanish": {**ONE, **VANISHING, "step_size": STEP},
    "ridge regression on diabetes": {**WHOLE, "data": "diabetes", "loss": "ridge"},
    "mean of digits": {**WHOLE, **MEAN},
    "mean of digits, steps that vanish": {**WHOLE, **MEAN, **VANISHING},
    "a tenth of breast cancer, clipped": {**SAMPLE, "batch_size": 60, "clip": 0.2},
}

LAST_STEPS: dict[str, dict[str, Any]] = {
    "ten steps on breast cancer": {**LAST, "batch_size": 60, "k": 10},
    "ten steps on digits": {**LAST, "data": "digits", "batch_size": 60, "k": 10},
    "one row of breast cancer, most steps": {
        **LAST,
        "forget": "7",
        "ratio": 0.05,
        "epochs": 40,
        "k": 35,
    },
    "a tenth of breast cancer, all steps but one": {**LAST, "epochs": 40, "k": 39},
    "ten steps of ridge regression": {
        **LAST,
        "data": "diabetes",
        "loss": "ridge",
        "batch_size": 60,
        "k": 10,
    },
}

REMOVALS: dict[str, dict[str, Any]] = {
    "logistic loss on breast cancer": REMOVED,
    "logistic loss on digits, weak regularisation": {
        **REMOVED,
        "data": "digits",
        "regularisation": 0.001,
    },
    "logistic loss on rows of wine as they are": {
        **REMOVED,
        "data": "wine",
        "rows": 100,
        "normalise": False,
    },
    "logistic loss on breast cancer, one in a hundred, strong regularisation": {
        **REMOVED,
        "ratio": 0.01,
        "regularisation": 0.2,
        "noise": 1.0,
    },
    "Huber loss on diabetes": {**REMOVED, "data": "diabetes", "loss": "huber"},
}

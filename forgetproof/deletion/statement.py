"""`unlearning.json`: the certificate of a released minimiser, and the file it is about.

A certificate of `forgetproof.certificates` without a ledger: no noisy step was recorded, a model
was moved near to exact retraining and released with noise once.  Its mechanism is one map between
two first states that are `start` apart: the most that `forget` lets pass, which is public.  The
distance itself depends on the rows, and stands nowhere.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np

from forgetproof.certificates.certificate import (
    PREDICATE,
    STATEMENT,
    UnlearningCertificate,
    package_versions,
)
from forgetproof.deletion.estimators import trained_step
from forgetproof.deletion.facts import DeletionFacts

MODEL = "model.json"
RELEASED = "forgetproof/released-model/1"
TRUSTED = (
    "the model without noise was within the distance of exact retraining: whoever has the rows, "
    "which are private, can compute it again",
    "the noise is fresh, secret and Gaussian, up to the rounding of floating point",
    "which rows were to be deleted depends on no model that was released",
    "no other model was seen, nor the distance or the number of steps",
)
"""What no document shows."""


def deletion_mechanism(result: DeletionFacts) -> dict[str, Any]:
    """What was done, as a mechanism document."""
    noise = {"deviation": result.sigma, "on": "iterate", "drawn": "fresh"}
    return {
        "schema": "forgetproof/mechanism/1",
        "name": "a minimiser released with noise",
        "n": result.rows,
        "dimension": result.dimension,
        "relation": {"adjacency": "delete", "rows": result.removed, "reference": "minimiser"},
        "start": {
            "value": result.largest_distance,
            "origin": "enforced",
            "by": "certified in ball arithmetic before noise is drawn",
        },
        "steps": [
            {
                "count": 1,
                "contraction": 1.0,
                "shift": 0.0,
                "noise": {**noise, "seed": "system" if result.fresh else "chosen"},
            }
        ],
        "outputs": 1,
        "released": "last",
        "requests": "oblivious",
        "claims": [{"epsilon": result.target.epsilon, "delta": result.target.delta}],
    }


def deletion_statement(result: DeletionFacts) -> UnlearningCertificate:
    """The certificate of the released model, whose file lies beside it."""
    mechanism = deletion_mechanism(result)
    claim = mechanism["claims"][0]
    digest = hashlib.sha256(model_text(result).encode("utf-8")).hexdigest()
    return UnlearningCertificate(
        {
            "_type": STATEMENT,
            "subject": [{"name": MODEL, "digest": {"sha256": digest}}],
            "predicateType": PREDICATE,
            "predicate": {
                "mechanism": mechanism,
                "claim": dict(claim),
                "target": dict(claim),
                "sharper": None,
                "together": None,
                "ledger": None,
                "requests": [],
                "retraining": None,
                "conditions": list(result.conditions),
                "trusted": list(TRUSTED),
                "versions": package_versions(),
                "code": None,
            },
        }
    )


def model_text(result: DeletionFacts) -> str:
    """The released parameters, and nothing else of the model, as JSON."""
    step = trained_step(result.model)
    document = {
        "schema": RELEASED,
        "estimator": type(step).__name__,
        "parameters": {name: value for name, value in step.get_params().items() if _plain(value)},
        "classes": np.asarray(getattr(step, "classes_", [])).tolist(),
        "coef": np.asarray(step.coef_).tolist(),
        "intercept": np.asarray(step.intercept_).tolist(),
        "columns": list(result.columns),
    }
    return json.dumps(document, indent=1, allow_nan=False) + "\n"


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, str | bool | int | float)

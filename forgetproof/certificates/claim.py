"""`unlearning.json`: a claim of settings, as a certificate's document without a ledger.

Nothing was executed under a ledger, and no model is named: the document says which settings a
deletion is planned with, or was made with, and which epsilon is claimed of them.  `forgetproof
check` and `forgetproof.testing.assert_claim` compute it anew.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from accounting.mechanism import Maps, Mechanism
from accounting.problems import Problem, Target
from forgetproof.certificates.certificate import (
    PREDICATE,
    STATEMENT,
    TRUSTED,
    UnlearningCertificate,
    package_versions,
    rounded_up,
)

SUBJECT = "predicate.mechanism"
_UNSEEN = "fixed without looking at the rows"
TRUSTED_OF_RELEASES = (
    "the distance holds for the rows as they are: whoever has them can compute it again",
    "the noise is fresh, secret and Gaussian, up to the rounding of floating point",
    "requests depend on no model and no noise",
    "no other model was seen, and sigma was fixed without looking at the rows",
)
"""What no document can show of a model that was moved and then released with noise."""


def claim_document(
    problem: Problem,
    sigma: float,
    *,
    epsilon: float,
    delta: float,
    retraining: int | None = None,
    tuned_on_rows: Sequence[str] = (),
    conditions: Sequence[str] = (),
    trusted: Sequence[str] | None = None,
    versions: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return the document of the claim that `problem` at the noise `sigma` is (epsilon, delta).

    problem: one that a mechanism says (`accounting.mechanism`).  retraining: steps of training
    anew.  tuned_on_rows: settings that were chosen by looking at the rows, each a condition.
    conditions: in words, beside those of the mechanism.  trusted: what no document shows, by
    default what goes for its kind.  versions: of programs, beside forgetproof and Python.
    Raises ValueError where no accountant certifies epsilon, or no mechanism says what the problem
    does.
    """
    target = Target(epsilon, delta)
    mechanism = Mechanism.of(problem, sigma).edited(
        claims=[{"epsilon": target.epsilon, "delta": target.delta}],
        tuned_on_rows=list(tuned_on_rows),
    )
    assert target.delta is not None
    truth = mechanism.truth(target.delta)
    if not truth.upper <= target.epsilon:
        raise ValueError(
            f"epsilon must be at least {rounded_up(truth.upper):g}, which is certified of these "
            f"settings, got {epsilon!r}"
        )
    document = mechanism.document()
    maps = any(isinstance(step, Maps) for step in mechanism.steps)
    claim = {"epsilon": target.epsilon, "delta": target.delta}
    usual: tuple[str, ...] = TRUSTED_OF_RELEASES if maps else TRUSTED
    if tuned_on_rows:
        others = f"settings other than {', '.join(tuned_on_rows)} were {_UNSEEN}"
        usual = tuple(others if each == f"the settings were {_UNSEEN}" else each for each in usual)
    certificate = UnlearningCertificate(
        {
            "_type": STATEMENT,
            "subject": [{"name": SUBJECT, "digest": {"sha256": mechanism_digest(document)}}],
            "predicateType": PREDICATE,
            "predicate": {
                "mechanism": document,
                "claim": claim,
                "target": dict(claim),
                "sharper": {
                    "epsilon": rounded_up(truth.upper),
                    "accountant": truth.route.partition("; ")[0],
                },
                "together": None,
                "ledger": None,
                "requests": [],
                "retraining": retraining,
                "conditions": [*mechanism.conditions, *conditions],
                "trusted": list(usual if trusted is None else trusted),
                "versions": {**package_versions(), **(versions or {})},
                "code": None,
            },
        }
    )
    return certificate.document


def mechanism_digest(document: Mapping[str, Any]) -> str:
    """SHA-256 of a mechanism's document, keys in order and without spaces."""
    text = json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode("ascii")).hexdigest()

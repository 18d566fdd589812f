"""A mechanism as executed: sampling, clip, noise, steps, releases; and what is claimed of it.

Every module but `strict_json` is read in this room alone; what is offered is below.
"""

from accounting.mechanism._claims import PrivacyClaim, Provenance, Relation
from accounting.mechanism._constant import ORIGINS, Constant
from accounting.mechanism._kinds import UNKNOWN
from accounting.mechanism._mechanism import Mechanism
from accounting.mechanism._schema import schema
from accounting.mechanism._steps import Clip, Divisor, GaussianNoise, Gradient, Maps, Sampling
from accounting.mechanism._two_sides import Truth
from accounting.mechanism._value import SCHEMA
from accounting.mechanism._verdicts import ClaimComparison, ClaimVerdict

__all__ = [
    "ORIGINS",
    "SCHEMA",
    "UNKNOWN",
    "ClaimComparison",
    "ClaimVerdict",
    "Clip",
    "Constant",
    "Divisor",
    "GaussianNoise",
    "Gradient",
    "Maps",
    "Mechanism",
    "PrivacyClaim",
    "Provenance",
    "Relation",
    "Sampling",
    "Truth",
    "schema",
]

"""For a user's own test suite: assertions about unlearning, and hypothesis strategies.

Assertions raise AssertionError with the numbers, the inputs, and where they are statistical the
level and the power. Nothing heavy is imported before one of them is called.
"""

from forgetproof.testing import claims
from forgetproof.testing.bound import assert_bound_holds
from forgetproof.testing.draws import deletion_sequences, schedules
from forgetproof.testing.losses import SampleLoss, losses
from forgetproof.testing.mechanism import assert_mechanism
from forgetproof.testing.privacy import Separation, assert_gdp, assert_unlearning
from forgetproof.testing.settings import assert_claim
from forgetproof.testing.steps import assert_contraction, assert_sensitivity

__all__ = [
    "SampleLoss",
    "Separation",
    "assert_bound_holds",
    "assert_claim",
    "assert_contraction",
    "assert_gdp",
    "assert_mechanism",
    "assert_sensitivity",
    "assert_unlearning",
    "claims",
    "deletion_sequences",
    "losses",
    "schedules",
]

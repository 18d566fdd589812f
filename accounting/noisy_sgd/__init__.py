"""Noisy SGD that learns on one data set and unlearns towards another.

Modules
    constants        the constants of the algorithm, as a value
    closed_forms     mu of learning and unlearning
    langevin         learning on D, unlearning towards D'
    many_requests    the same for several replaced points
    random_position  the batch of the replaced point is random and secret
    sequences        epochs for one request after the other
    calibration      from a target to noise and epochs
"""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from accounting.noisy_sgd.calibration import (
        epsilon_unlearning,
        least_epochs,
        least_noise,
        least_sigma,
        least_unlearning_epochs,
        sigma_mixture,
    )
    from accounting.noisy_sgd.closed_forms import (
        distance_learning,
        geometric_sum,
        mu_convex_stationary,
        mu_convex_target_t_plus_k,
        mu_same_updates,
        mu_stationary,
        mu_stationary_bounded,
        mu_target_t,
        mu_target_t_plus_k,
    )
    from accounting.noisy_sgd.constants import NoisySGD
    from accounting.noisy_sgd.langevin import TARGETS, mu_unlearning, schedule
    from accounting.noisy_sgd.many_requests import mu_batch, mu_sequence, sequence_distances
    from accounting.noisy_sgd.random_position import (
        delta_random_position,
        epsilon_mixture,
        epsilon_random_position,
        log_delta_mixture,
        position_mus,
    )
    from accounting.noisy_sgd.sequences import (
        ACCOUNTANTS,
        SequencePrivacy,
        epochs_forever,
        sequence_epochs,
        sequence_verify,
    )

__all__ = [
    "ACCOUNTANTS",
    "TARGETS",
    "NoisySGD",
    "SequencePrivacy",
    "delta_random_position",
    "distance_learning",
    "epochs_forever",
    "epsilon_mixture",
    "epsilon_random_position",
    "epsilon_unlearning",
    "geometric_sum",
    "least_epochs",
    "least_noise",
    "least_sigma",
    "least_unlearning_epochs",
    "log_delta_mixture",
    "mu_batch",
    "mu_convex_stationary",
    "mu_convex_target_t_plus_k",
    "mu_same_updates",
    "mu_sequence",
    "mu_stationary",
    "mu_stationary_bounded",
    "mu_target_t",
    "mu_target_t_plus_k",
    "mu_unlearning",
    "position_mus",
    "schedule",
    "sequence_distances",
    "sequence_epochs",
    "sequence_verify",
    "sigma_mixture",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "accounting.noisy_sgd.calibration": """
            epsilon_unlearning least_epochs least_noise least_sigma
            least_unlearning_epochs sigma_mixture
        """,
        "accounting.noisy_sgd.closed_forms": """
            distance_learning geometric_sum mu_convex_stationary
            mu_convex_target_t_plus_k mu_same_updates mu_stationary
            mu_stationary_bounded mu_target_t mu_target_t_plus_k
        """,
        "accounting.noisy_sgd.constants": "NoisySGD",
        "accounting.noisy_sgd.langevin": "TARGETS mu_unlearning schedule",
        "accounting.noisy_sgd.many_requests": "mu_batch mu_sequence sequence_distances",
        "accounting.noisy_sgd.random_position": """
            delta_random_position epsilon_mixture epsilon_random_position
            log_delta_mixture position_mus
        """,
        "accounting.noisy_sgd.sequences": """
            ACCOUNTANTS SequencePrivacy epochs_forever sequence_epochs sequence_verify
        """,
    },
)

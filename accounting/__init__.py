"""Privacy accounting: processes -> trade-off function -> (epsilon, delta) -> noise.

Nine rooms, one subject each, the problems that they answer, and mechanisms as they are executed; a
room's public names are imported from it, and from here but for compositions.

    numerics      roots, products beyond the floats, ranges and types of arguments
    curves        trade-off functions: Gaussian, mixtures, sums; (epsilon, delta) and back
    renyi         Renyi differential privacy: curves, conversions, groups
    contraction   one accountant for whatever contracts, shifts and adds noise
    noisy_sgd     noisy SGD that learns on one data set and unlearns towards another
    compositions  steps that shift at random, each published, by a contour
    sampled       noisy SGD on sampled batches
    deletions     deletions from an online learner
    publications  a model that follows its minimiser, published on the way
    problems      what is trained, deleted and released, as values with accountants and answers
    mechanism     what is executed, as a document, and whether what is claimed of it is true
    lazy_names    public names that are imported when they are first asked for

Every number is certified: a privacy loss or a noise is rounded up. What a paper prints stands in
`bounds`. Imports numpy and scipy only, and scipy.optimize not before it is needed. A module whose
name begins with an underscore is read in its own room alone.
"""

from typing import TYPE_CHECKING

from accounting.lazy_names import lazy_names

if TYPE_CHECKING:
    from accounting.contraction import Allocation, NoisyContraction, pabi_allocation, pabi_mu
    from accounting.curves import (
        chain_gdp,
        compose_gdp,
        delta_gdp,
        epsilon_gdp,
        log_delta_gdp,
        mu_gdp,
        renyi_gdp,
        tradeoff_gdp,
    )
    from accounting.deletions import (
        DeletionAccountant,
        DeletionSchedule,
        OnlineDescent,
        Transport,
        allocated_noise,
        deletion_mus,
        inverse_root,
        inverse_time,
        least_deletion_noise,
        minimal_noise,
        transport,
    )
    from accounting.noisy_sgd import (
        ACCOUNTANTS,
        TARGETS,
        NoisySGD,
        SequencePrivacy,
        delta_random_position,
        distance_learning,
        epochs_forever,
        epsilon_mixture,
        epsilon_random_position,
        epsilon_unlearning,
        geometric_sum,
        least_epochs,
        least_noise,
        least_sigma,
        least_unlearning_epochs,
        log_delta_mixture,
        mu_batch,
        mu_convex_stationary,
        mu_convex_target_t_plus_k,
        mu_same_updates,
        mu_sequence,
        mu_stationary,
        mu_stationary_bounded,
        mu_target_t,
        mu_target_t_plus_k,
        mu_unlearning,
        position_mus,
        schedule,
        sequence_distances,
        sequence_epochs,
        sequence_verify,
        sigma_mixture,
    )
    from accounting.publications import (
        best_step,
        gradient_contraction,
        joint_mu,
        least_tracking_steps,
        path_bounds,
        publication_epsilon,
        publication_mus,
        publication_noise,
        tracking_errors,
    )
    from accounting.renyi import (
        RenyiCurve,
        compose,
        delta_optimal,
        epsilon_cks,
        epsilon_gaussian,
        epsilon_mironov,
        epsilon_optimal,
        epsilon_weak_triangle,
        group,
        group_factor,
        log_delta_optimal,
        rho_cks,
        rho_gaussian,
        rho_mironov,
        rho_optimal,
        rho_weak_triangle,
        to_epsilon,
        weak_triangle,
    )
    from accounting.sampled import (
        SampledSGD,
        least_unlearning_steps,
        sampled_epsilon,
        sampled_noise,
    )

__all__ = [
    "ACCOUNTANTS",
    "TARGETS",
    "Allocation",
    "DeletionAccountant",
    "DeletionSchedule",
    "NoisyContraction",
    "NoisySGD",
    "OnlineDescent",
    "RenyiCurve",
    "SampledSGD",
    "SequencePrivacy",
    "Transport",
    "allocated_noise",
    "best_step",
    "chain_gdp",
    "compose",
    "compose_gdp",
    "deletion_mus",
    "delta_gdp",
    "delta_optimal",
    "delta_random_position",
    "distance_learning",
    "epochs_forever",
    "epsilon_cks",
    "epsilon_gaussian",
    "epsilon_gdp",
    "epsilon_mironov",
    "epsilon_mixture",
    "epsilon_optimal",
    "epsilon_random_position",
    "epsilon_unlearning",
    "epsilon_weak_triangle",
    "geometric_sum",
    "gradient_contraction",
    "group",
    "group_factor",
    "inverse_root",
    "inverse_time",
    "joint_mu",
    "least_deletion_noise",
    "least_epochs",
    "least_noise",
    "least_sigma",
    "least_tracking_steps",
    "least_unlearning_epochs",
    "least_unlearning_steps",
    "log_delta_gdp",
    "log_delta_mixture",
    "log_delta_optimal",
    "minimal_noise",
    "mu_batch",
    "mu_convex_stationary",
    "mu_convex_target_t_plus_k",
    "mu_gdp",
    "mu_same_updates",
    "mu_sequence",
    "mu_stationary",
    "mu_stationary_bounded",
    "mu_target_t",
    "mu_target_t_plus_k",
    "mu_unlearning",
    "pabi_allocation",
    "pabi_mu",
    "path_bounds",
    "position_mus",
    "publication_epsilon",
    "publication_mus",
    "publication_noise",
    "renyi_gdp",
    "rho_cks",
    "rho_gaussian",
    "rho_mironov",
    "rho_optimal",
    "rho_weak_triangle",
    "sampled_epsilon",
    "sampled_noise",
    "schedule",
    "sequence_distances",
    "sequence_epochs",
    "sequence_verify",
    "sigma_mixture",
    "to_epsilon",
    "tracking_errors",
    "tradeoff_gdp",
    "transport",
    "weak_triangle",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "accounting.contraction": "Allocation NoisyContraction pabi_allocation pabi_mu",
        "accounting.curves": """
            chain_gdp compose_gdp delta_gdp epsilon_gdp log_delta_gdp mu_gdp renyi_gdp
            tradeoff_gdp
        """,
        "accounting.deletions": """
            DeletionAccountant DeletionSchedule OnlineDescent Transport allocated_noise
            deletion_mus inverse_root inverse_time least_deletion_noise minimal_noise
            transport
        """,
        "accounting.noisy_sgd": """
            ACCOUNTANTS NoisySGD SequencePrivacy TARGETS delta_random_position
            distance_learning epochs_forever epsilon_mixture epsilon_random_position
            epsilon_unlearning geometric_sum least_epochs least_noise least_sigma
            least_unlearning_epochs log_delta_mixture mu_batch mu_convex_stationary
            mu_convex_target_t_plus_k mu_same_updates mu_sequence mu_stationary
            mu_stationary_bounded mu_target_t mu_target_t_plus_k mu_unlearning
            position_mus schedule sequence_distances sequence_epochs sequence_verify
            sigma_mixture
        """,
        "accounting.publications": """
            best_step gradient_contraction joint_mu least_tracking_steps path_bounds
            publication_epsilon publication_mus publication_noise tracking_errors
        """,
        "accounting.renyi": """
            RenyiCurve compose delta_optimal epsilon_cks epsilon_gaussian
            epsilon_mironov epsilon_optimal epsilon_weak_triangle group group_factor
            log_delta_optimal rho_cks rho_gaussian rho_mironov rho_optimal
            rho_weak_triangle to_epsilon weak_triangle
        """,
        "accounting.sampled": "SampledSGD least_unlearning_steps sampled_epsilon sampled_noise",
    },
)

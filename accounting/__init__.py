"""Privacy accounting: processes -> trade-off curve -> (epsilon, delta) -> noise.

Curves
    gaussian          the Gaussian trade-off curve: mu to (epsilon, delta) and back
    gaussian_rules    mu as other measures, and how several add up
    renyi             Renyi curves as values: composition, groups, conversion
    linear_renyi      D_alpha <= rho alpha to (epsilon, delta) and back, in closed form
    optimal_renyi     the best (epsilon, delta) that such a curve alone implies
    group_privacy     k replaced points from one Renyi order
Noisy contractions
    contraction       one accountant for whatever contracts, shifts and adds noise
    common_steps      what steps in common leave on a bounded domain
    closed_forms      its values for noisy SGD that learns and then unlearns
    many_requests     the same for several replaced points
Noisy SGD
    noisy_sgd         the constants of the algorithm, as a value
    langevin          learning on D, unlearning towards D'
    random_position   the batch of the replaced point is random and secret
    sequences         epochs for one request after the other
    calibrate         from a target to noise and epochs
Noisy SGD on sampled batches
    sampled_sgd       the algorithm, as a value
    sampled_privacy   epsilon by its accountants, noise and steps for a target
    sampled_accounts  the accountants of one setting, and what none can beat
    sampled_patterns  delta averaged over batch patterns
    divisor           what two divisors of the same sum cost
Deletions from an online learner
    online_descent    the learner: constants and steps
    deletions         the schedule, and the shift of every deletion
    deletion_noise    the least noise, allocated and online
    deletion_privacy  what given noise certifies
    active_deletions  shifts of unlearners that also correct
Streams of publications
    tracking          how far a model is from the minimiser that it follows
    publications      noise for what is published on the way
Problems
    problems          what is trained, deleted and released, as values with accountants and answers
    training_history  noise, sampling and steps, as privacy libraries remember them
    attacks           what a guarantee leaves to an attacker
Arguments
    validation        ranges: a bad argument is refused by name
    arguments         types

Every number is certified: a privacy loss or a noise is rounded up. What a paper prints stands in
`bounds`. Imports numpy and scipy only, and scipy.optimize not before it is needed.
"""

from accounting.calibrate import (
    epsilon_unlearning,
    least_epochs,
    least_noise,
    least_sigma,
    least_unlearning_epochs,
    sigma_mixture,
)
from accounting.closed_forms import (
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
from accounting.contraction import Allocation, NoisyContraction, pabi_allocation, pabi_mu
from accounting.deletion_noise import (
    DeletionAccountant,
    allocated_noise,
    least_deletion_noise,
    minimal_noise,
)
from accounting.deletion_privacy import deletion_mus
from accounting.deletions import DeletionSchedule, Transport, transport
from accounting.gaussian import delta_gdp, epsilon_gdp, log_delta_gdp, mu_gdp
from accounting.gaussian_rules import chain_gdp, compose_gdp, renyi_gdp, tradeoff_gdp
from accounting.group_privacy import group_factor
from accounting.langevin import TARGETS, mu_unlearning, schedule
from accounting.linear_renyi import (
    epsilon_cks,
    epsilon_gaussian,
    epsilon_mironov,
    epsilon_weak_triangle,
    rho_cks,
    rho_gaussian,
    rho_mironov,
    rho_weak_triangle,
)
from accounting.many_requests import mu_batch, mu_sequence, sequence_distances
from accounting.noisy_sgd import NoisySGD
from accounting.online_descent import OnlineDescent, inverse_root, inverse_time
from accounting.optimal_renyi import delta_optimal, epsilon_optimal, log_delta_optimal, rho_optimal
from accounting.publications import (
    joint_mu,
    least_tracking_steps,
    publication_epsilon,
    publication_mus,
    publication_noise,
)
from accounting.random_position import (
    delta_random_position,
    epsilon_mixture,
    epsilon_random_position,
    log_delta_mixture,
    position_mus,
)
from accounting.renyi import RenyiCurve, compose, group, to_epsilon, weak_triangle
from accounting.sampled_privacy import least_unlearning_steps, sampled_epsilon, sampled_noise
from accounting.sampled_sgd import SampledSGD
from accounting.sequences import (
    ACCOUNTANTS,
    SequencePrivacy,
    epochs_forever,
    sequence_epochs,
    sequence_verify,
)
from accounting.tracking import best_step, gradient_contraction, path_bounds, tracking_errors

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

"""Noisy SGD on sampled batches: Poisson, of fixed size, shuffled, cyclic, full.

Modules
    algorithm       the algorithm, as a value
    schedules       what it says of every step
    privacy         epsilon by its accountants, noise and steps for a target
    accountants     the accountants of one setting, and what none can beat
    patterns        delta averaged over batch patterns
    training_alone  the composition of the training steps
    changed_data    what a deleted row changes for the others
    divisor         what two divisors of the same sum cost
"""

from accounting.sampled.algorithm import SampledSGD
from accounting.sampled.divisor import divisor_epsilon
from accounting.sampled.privacy import least_unlearning_steps, sampled_epsilon, sampled_noise

__all__ = [
    "SampledSGD",
    "divisor_epsilon",
    "least_unlearning_steps",
    "sampled_epsilon",
    "sampled_noise",
]

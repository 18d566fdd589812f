"""What a number of noisy SGD on sampled batches rests on, in words."""

from __future__ import annotations

import accounting.problems.assumptions as words
from accounting.problems.retraining import conditions as conditions_of
from accounting.problems.row_gradient import condition
from accounting.problems.sampled_fields import SampledFields

_BATCHES = {
    "poisson": words.Batches.POISSON,
    "fixed": words.Batches.SIZED,
    "shuffled": words.Batches.SHUFFLED,
    "cyclic": words.Batches.CYCLIC,
    "full": words.Batches.ALL,
}
_REFERENCES = {
    "T+K": words.Reference.AS_MANY,
    "T": words.Reference.TRAINED,
    "stationary": words.Reference.STATIONARY,
}
_ADJACENCIES = {word.value: word for word in words.Adjacency}


def assumptions(problem: SampledFields) -> words.Assumptions:
    """Adjacency, batches, what is released, and all else that a number rests on."""
    random_order = problem.sampling in ("poisson", "fixed", "shuffled")
    secret = words.Secret.ORDER if random_order else words.Secret.ITERATES
    everything, single = problem.published == "all", problem.privacy_unit == "one"
    # Whoever chooses by what is published which row leaves next knows of no set of all of them.
    adaptive = everything and (single or problem.requests == 1)
    norm_options = [n for n in ("row_gradient", "row_gradients") if getattr(problem, n) is not None]
    conditions = [
        "the loss of a row is a convex function of one number that is linear in the "
        "weights, and its gradient is clipped to C",
        "the noisy sum is divided by B, whatever the size of the batch; no momentum",
        *conditions_of(problem),
    ]
    if problem.requests > 1:
        conditions.append(
            "the rows in question are those of any one request, whichever leaves last; the "
            "other requests are the same in both runs"
            if single
            else "the rows in question are those of all requests together; those of any one "
            "need less"
        )
    conditions += [condition(name) for name in norm_options]
    return words.Assumptions(
        adjacency=_ADJACENCIES[problem.adjacency],
        reference=_REFERENCES[problem.reference],
        released=words.Released.ALL if everything else words.Released.LAST,
        secret_state=words.Secret.BETWEEN if everything else secret,
        noise_on=words.NoiseOn.SUM,
        batches=_BATCHES[problem.sampling],
        adaptivity=words.Adaptivity.ADAPTIVE if adaptive else words.Adaptivity.OBLIVIOUS,
        from_data=tuple(norm_options),
        conditions=tuple(conditions),
    )

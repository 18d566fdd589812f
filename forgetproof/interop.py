"""In and out: dp-accounting's events and curves, Opacus' histories, where they mean the same.

`pip install 'forgetproof[interop]'`; nothing of either is imported before it is needed.  What the
libraries compute is taken as it is: their rounding is theirs.
"""

from typing import Any

import numpy as np

from accounting.numerics.arguments import typed
from accounting.problems.training_history import Segment, TrainingHistory
from accounting.renyi.curve import RenyiCurve
from forgetproof.opacus_optimizer import step_of
from forgetproof.training_objects import row_count, sampling, step_counts

RELATIONS = {"delete": "ADD_OR_REMOVE_ONE", "zero": "REPLACE_SPECIAL", "replace": "REPLACE_ONE"}
_MECHANISMS = ("prv", "rdp")


def to_relation(history: TrainingHistory) -> Any:
    """The neighbouring relation of dp-accounting for which the event of the history is meant."""
    from dp_accounting.privacy_accountant import NeighboringRelation

    return NeighboringRelation[RELATIONS[history.adjacency]]


@typed
def to_dp_event(history: TrainingHistory) -> Any:
    """Return dp-accounting's event of a training; for accountants of `to_relation(history)`.

    Raises ValueError where the two sides differ: dp-accounting has no Poisson sampling for rows
    that are replaced, and no sampling without replacement for rows that are added or removed.
    """
    import dp_accounting as dp

    _insist_on_event(history.sampling, history.adjacency)
    events = []
    for each in history.segments:
        step: Any = dp.GaussianDpEvent(each.noise_multiplier)
        if history.sampling == "poisson":
            step = dp.PoissonSampledDpEvent(each.sampling_rate, step)
        elif history.sampling == "fixed":
            assert history.n is not None
            # The rate is size/n in floats: rounding gives back the whole number.
            size = round(each.sampling_rate * history.n)
            step = dp.SampledWithoutReplacementDpEvent(history.n, size, step)
        events.append(dp.SelfComposedDpEvent(step, each.steps))
    return events[0] if len(events) == 1 else dp.ComposedDpEvent(events)


def _insist_on_event(sampling: str, adjacency: str) -> None:
    if sampling == "poisson" and adjacency == "replace":
        raise ValueError(
            "adjacency must be 'delete' or 'zero' for Poisson-sampled events: a replaced row is "
            "one removed and one added, which dp-accounting's event does not count"
        )
    if sampling == "fixed" and adjacency != "replace":
        raise ValueError(
            "adjacency must be 'replace' for batches of a fixed size: without a row the batches "
            "are drawn from other data, which dp-accounting's event does not count"
        )


@typed
def from_dp_event(
    event: Any, *, relation: Any = None, n: int | None = None, clip: float | None = None
) -> TrainingHistory:
    """Return the training that an event of dp-accounting stands for.

    relation: dp-accounting's NeighboringRelation of the accountant; ADD_OR_REMOVE_ONE if None.
    Raises ValueError for events that are no training with Gaussian noise, and as `to_dp_event`.
    """
    from dp_accounting.privacy_accountant import NeighboringRelation

    event_relation = NeighboringRelation.ADD_OR_REMOVE_ONE if relation is None else relation
    names = {name: word for word, name in RELATIONS.items()}
    if not isinstance(event_relation, NeighboringRelation) or event_relation.name not in names:
        raise ValueError(f"relation must be one of {', '.join(names)}, got {relation!r}")
    steps = list(_steps(event, 1))
    kinds = {kind for kind, _, _ in steps}
    sizes = {rows for _, rows, _ in steps if rows is not None}
    # With n given, an event that names another number of rows is refused.
    if len(kinds) != 1 or len(sizes | ({n} if n else set())) > 1:
        raise ValueError("event must sample in one way from one number of rows throughout")
    (sampling,) = kinds
    _insist_on_event(sampling, names[event_relation.name])
    rows = sizes.pop() if sizes else n
    segments = tuple(segment for _, _, segment in steps)
    return TrainingHistory(segments, names[event_relation.name], sampling, rows, clip)


def _steps(event: Any, count: int) -> Any:
    """(sampling, rows, segment) of every part of the event, in order."""
    import dp_accounting as dp

    if isinstance(event, dp.ComposedDpEvent):
        # Repeated in order, unless it is one part, whose count is then multiplied.
        for _ in range(count if len(event.events) > 1 else 1):
            for part in event.events:
                yield from _steps(part, 1 if len(event.events) > 1 else count)
    elif isinstance(event, dp.SelfComposedDpEvent):
        yield from _steps(event.event, count * event.count)
    elif isinstance(event, dp.GaussianDpEvent):
        yield "full", None, Segment(event.noise_multiplier, 1.0, count)
    elif isinstance(event, dp.PoissonSampledDpEvent):
        noise = _gaussian(event.event)
        yield "poisson", None, Segment(noise, event.sampling_probability, count)
    elif isinstance(event, dp.SampledWithoutReplacementDpEvent):
        rows, size = event.source_dataset_size, event.sample_size
        yield "fixed", rows, Segment(_gaussian(event.event), size / rows, count)
    else:
        raise ValueError(f"event must be a training with Gaussian noise, got {event!r}")


def _gaussian(event: Any) -> float:
    import dp_accounting as dp

    if not isinstance(event, dp.GaussianDpEvent):
        raise ValueError(f"event must have Gaussian noise in every step, got {event!r}")
    return float(event.noise_multiplier)


@typed
def to_opacus(history: TrainingHistory, mechanism: str = "prv") -> Any:
    """Return an accountant of Opacus with this history, "prv" or "rdp".

    Opacus' "gdp" is the central limit theorem, no bound.  Raises ValueError for it, and where the
    history is not for rows that are added or removed, Poisson-sampled or in full batches.
    """
    from opacus.accountants import create_accountant

    if mechanism not in _MECHANISMS:
        raise ValueError(f"mechanism must be one of {', '.join(_MECHANISMS)}, got {mechanism!r}")
    _insist_on_opacus(history)
    accountant = create_accountant(mechanism)
    accountant.history = [
        (each.noise_multiplier, each.sampling_rate, each.steps) for each in history.segments
    ]
    return accountant


def _insist_on_opacus(history: TrainingHistory) -> None:
    history.insist("delete")
    if history.sampling == "fixed":
        raise ValueError("sampling must be poisson or full for Opacus, which counts no other")


def from_opacus(
    engine: Any,
    *,
    optimizer: Any = None,
    data_loader: Any = None,
    model: Any = None,
    step_sizes: Any = None,
) -> TrainingHistory:
    """Return what a PrivacyEngine (or an accountant) of Opacus remembers, after the training.

    engine: noise multipliers, sampling rates and steps; of an engine also n.
    optimizer: its DPOptimizer, for clip, learning rate, weight decay and what divides the sum.  It
    is read as it is now: what was changed by hand on the way it does not remember.
    data_loader: to see that it samples by Poisson.  model: to see that one Linear layer with one
    output is trained, the kind that noisy steps are proved to forget.
    step_sizes: the learning rate of every step, where a scheduler changed it.
    Raises ValueError for an empty history, batches that are shuffled, which Opacus counts as if
    they were sampled, and naming what is not covered: momentum, Nesterov, dampening, Adam and its
    kin, several groups of parameters, clips of several kinds, learning rates that change and are
    not given, accumulated gradients, layers that mix rows, several trained layers or outputs.
    """
    segments = tuple(Segment(*each) for each in step_counts(engine))
    if data_loader is not None and sampling(data_loader) != "poisson":
        raise ValueError(
            "data_loader must sample by Poisson: Opacus counts other batches as if they were, "
            "and its epsilon does not hold for them"
        )
    step_options: dict[str, Any] = {}
    if optimizer is not None:
        steps = sum(each.steps for each in segments)
        step_options = step_of(optimizer, steps=steps, step_sizes=step_sizes, model=model)
    elif model is not None or step_sizes is not None:
        raise ValueError("optimizer must be given with model or step_sizes, got none")
    return TrainingHistory(segments, "delete", "poisson", row_count(engine), **step_options)


def renyi_curve(accountant: Any) -> RenyiCurve:
    """Return the Rényi curve of an RdpAccountant of dp-accounting, or an RDPAccountant of Opacus.

    Between the orders that they know (alpha - 1) D_alpha is below its chord, being convex, and at
    1 it is 0; above the largest order nothing is known.  Raises ValueError for other accountants.
    """
    # Their attributes tell them apart: neither package is imported to ask.
    if hasattr(accountant, "_orders") and hasattr(accountant, "_rdp"):
        orders, values = np.asarray(accountant._orders), np.asarray(accountant._rdp)
    elif getattr(accountant, "mechanism", lambda: "")() == "rdp" and accountant.history:
        from opacus.accountants.analysis.rdp import compute_rdp

        orders = np.asarray(accountant.DEFAULT_ALPHAS)
        values = sum(
            compute_rdp(q=q, noise_multiplier=s, steps=k, orders=orders)
            for s, q, k in accountant.history
        )
    else:
        raise ValueError(f"accountant must keep a Rényi curve, got {accountant!r}")
    # At the order 1 and below there is no divergence to interpolate.
    usable = np.isfinite(values) & (orders > 1)
    if not usable.any():
        raise ValueError("accountant must know a finite divergence at some order, got none")
    order = np.argsort(orders[usable])
    a, scaled = orders[usable][order], ((orders - 1) * values)[usable][order]
    # (alpha - 1) D_alpha is 0 at 1, where the first chord begins.
    a, scaled = np.append(1.0, a), np.append(0.0, scaled)

    def curve(alpha: np.ndarray) -> np.ndarray:
        # A chord lies above a convex function; the last factor outweighs the rounding.
        divergence: np.ndarray = np.interp(alpha, a, scaled) / (alpha - 1) * (1 + 2.0**-48)
        return divergence

    # The range of a curve is open: one float above, the largest order is inside it.
    return RenyiCurve.of(curve, 1.0, float(np.nextafter(a[-1], np.inf)))

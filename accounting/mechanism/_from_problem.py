"""Problems and histories as mechanism documents: what is executed at a given noise."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from itertools import groupby, pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import accounting.problems.assumptions as words
from accounting.mechanism._value import SCHEMA
from accounting.problems.answer import Array
from accounting.problems.clipped import Clipped
from accounting.problems.dp_sgd import SampledDescent
from accounting.problems.problem import Problem
from accounting.problems.process import Process
from accounting.problems.retraining import rates
from accounting.problems.training_history import TrainingHistory

MOST_SEGMENTS = 10**5
Document = dict[str, Any]
_ADJACENCY = {words.Adjacency.ZERO_OUT: "zero", words.Adjacency.SKIP: "maps"}
_REFERENCE = {
    words.Reference.STATIONARY: "stationary",
    words.Reference.AS_LONG: "N+K",
    words.Reference.RETRAINED: "N",
    words.Reference.MINIMISER: "minimiser",
}
_SAMPLED_REFERENCE = {"T+K": "N+K", "T": "N", "stationary": "stationary"}


def of_problem(
    problem: Problem, sigma: ArrayLike, accountant: str | None, place: int | None
) -> Document:
    """The document of a problem at the noise `sigma`.

    Raises ValueError that names the field of the problem which no mechanism says.
    """
    if isinstance(problem, SampledDescent | Clipped):
        for name, value in (("accountant", accountant), ("place", place)):
            if value is not None:
                raise ValueError(f"{name} must be left out for {problem.algorithm}, got {value!r}")
        noise = float(problem._sigma(sigma))
        if isinstance(problem, SampledDescent):
            return {**_head(problem), **_sampled(problem, noise)}
        return {**_head(problem), **_clipped(problem, noise)}
    process = problem.as_contraction(sigma, accountant, place)
    return {**_head(problem), **_maps(problem, process)}


def _head(problem: Problem) -> Document:
    said = problem.assumptions
    adaptive = said.adaptivity is words.Adaptivity.ADAPTIVE
    return {
        "schema": SCHEMA,
        "name": problem.algorithm,
        "requests": "adaptive" if adaptive else "oblivious",
        "claims": [],
    }


def _maps(problem: Problem, process: Process) -> Document:
    """Neighbours that are equal are one segment."""
    chain, said = process.chain, problem.assumptions
    adjacency = _ADJACENCY.get(said.adjacency, said.adjacency.value)
    columns = (chain.contraction.tolist(), chain.shift.tolist(), chain.noise.tolist())
    segments = [
        {
            "count": len(list(same)),
            "contraction": c,
            "shift": shift,
            "noise": {"deviation": noise, "on": "iterate"},
            **_ball(chain.diameter / 2),
        }
        for (c, shift, noise), same in groupby(zip(*columns, strict=True))
    ]
    if len(segments) > MOST_SEGMENTS:
        raise ValueError(
            f"problem must have at most {MOST_SEGMENTS} different steps in a row, got "
            f"{len(segments)}"
        )
    start: Any = chain.initial_distance
    if process.origin != "public":
        start = {"value": start, "origin": process.origin}
    return {
        "relation": {
            "adjacency": adjacency,
            "reference": _REFERENCE.get(said.reference, "other"),
        },
        "start": start,
        "steps": segments,
        "outputs": process.outputs,
        "released": "last",
    }


def _ball(radius: float) -> Document:
    return {"radius": radius} if math.isfinite(radius) else {}


def _sampled(problem: SampledDescent, sigma: float) -> Document:
    """DP-SGD and the steps after every request; segments end with what is published."""
    each, requests = problem.unlearning_steps, problem.requests
    lengths = [problem.steps] + [each] * requests
    open_requests = np.arange(requests, -1, -1)
    if problem.privacy_unit == "one":
        # The rows of one request: they stay until the last.
        open_requests = np.minimum(open_requests, 1)
    present = (problem.rows * open_requests).tolist()
    here, without = rates(problem, lengths)
    segments: list[Document] = []
    for at, count in enumerate(lengths):
        if count == 0:
            continue
        first = sum(lengths[:at])
        batches = _batches(problem, here, without, first, unlearns=at > 0)
        for length, norm in _row_gradients(problem, first, count, present[at]):
            segment = _gradient(problem, problem.clip, sigma, problem.batch_size, batches)
            decay, radius = problem.ridge, problem.diameter / 2
            segments.append(
                {
                    "count": length,
                    "sees": present[at] if requests > 1 else present[at] > 0,
                    **segment,
                    "decay": decay,
                    **_ball(radius),
                    **norm,
                }
            )
    ends = np.cumsum(lengths)[:-1].tolist() if problem.published == "all" and each else []
    return {
        "relation": {
            "adjacency": problem.adjacency.removesuffix("-out"),
            "rows": present[0],
            "reference": _SAMPLED_REFERENCE[problem.reference],
        },
        "n": problem.n,
        "losses": "scalar",
        "smoothness": problem.smoothness,
        "steps": segments,
        "released": ends or "last",
    }


def _batches(
    problem: SampledDescent, here: Any, without: Any, first: int, *, unlearns: bool
) -> Document:
    drawn = problem.sampling
    if drawn != "poisson":
        return {"drawn": drawn} | ({} if drawn == "full" else {"size": problem.batch_size})
    if unlearns and problem.unlearning_rate is not None and np.ndim(here) == 0:
        return {"drawn": drawn, "rate": problem.unlearning_rate}
    if here is None:
        return {"drawn": drawn, "size": problem.batch_size}
    if np.ndim(here) == 0:
        return {"drawn": drawn, "rate": here}
    rate, other = float(here[first]), float(without[first])
    return {"drawn": drawn, "rate": rate} | ({"rate_without": other} if other != rate else {})


def _row_gradients(
    problem: SampledDescent, first: int, count: int, present: int
) -> Iterator[tuple[int, Document]]:
    """Runs of steps with one bound on the gradients of the rows in question."""
    norms: Array | None = None
    if problem.row_gradients is not None:
        norms = problem.row_gradients[""]
    if not present or (norms is None and problem.row_gradient is None):
        yield count, {}
        return
    if norms is None:
        yield count, {"row_gradient": _measured(problem.row_gradient)}
        return
    for norm, same in groupby(norms[first : first + count].tolist()):
        yield len(list(same)), {"row_gradient": _measured(norm)}


def _measured(norm: float | None) -> Document:
    return {"value": norm, "origin": "rows"}


def _gradient(
    problem: SampledDescent | Clipped, clip: float, sigma: float, divisor: int, batches: Document
) -> Document:
    return {
        "batches": batches,
        "clip": {"norm": {"value": clip, "origin": "enforced"}, "each": "row"},
        "divisor": {"value": divisor, "is": "constant"},
        "noise": {"deviation": sigma * clip, "on": "sum"},
        "step_size": problem.step_size,
    }


def _clipped(problem: Clipped, sigma: float) -> Document:
    """Clipped descent in one order; training of any kind is a start somewhere in the ball."""
    full = problem.batch == problem.n
    batches = {"drawn": "full"} if full else {"drawn": "cyclic", "size": problem.batch}
    norm = {} if problem.row_gradient is None else {"row_gradient": _measured(problem.row_gradient)}
    segments = [
        {
            "count": count,
            "sees": sees,
            **_gradient(problem, problem.clip, sigma, problem.batch, batches),
            "decay": problem.weight_decay,
            **_ball(problem.radius),
            **(norm if sees else {}),
        }
        for count, sees in ((problem.learned, True), (problem.unlearned, False))
        if count
    ]
    if not segments:
        raise ValueError("unlearn_epochs must be at least 1 without learn_epochs, got 0")
    # The place of a row that is deleted is left empty.
    adjacency = "zero" if problem.adjacency == "delete" else "replace"
    known = {} if problem.smoothness is None else {"smoothness": problem.smoothness}
    start = {"start": 2 * problem.radius} if problem.learn_epochs is None else {}
    return {
        "relation": {"adjacency": adjacency, "reference": "other"},
        "n": problem.n,
        "losses": problem.losses,
        **known,
        **start,
        "steps": segments,
        "released": "last",
    }


_NEEDED = ("clip", "step_size", "weight_decay", "divisor")


def of_history(history: TrainingHistory, lacking: Mapping[str, Any]) -> Document:
    """The document of a history, with what it does not know.

    lacking: `released` and `requests`, and of clip, step_size, weight_decay and divisor those that
    the history lacks; other fields of a document as well.  Raises ValueError naming what is
    missing.
    """
    more = dict(lacking)
    about: Document = {}
    for name in _NEEDED:
        known = getattr(history, name)
        if (known is None) == (name not in more):
            what = "given, as the history lacks it" if known is None else "left out: it is known"
            raise ValueError(f"{name} must be {what}")
        about[name] = more.pop(name) if known is None else known
    for name in ("released", "requests"):
        if name not in more:
            raise ValueError(f"{name} must be given, as a history lacks it")
    sizes = np.broadcast_to(np.asarray(about.pop("step_size"), float), history.steps)
    ends = np.cumsum([0, *(each.steps for each in history.segments)])
    steps = []
    for each, (first, end) in zip(history.segments, pairwise(ends), strict=True):
        for size, same in groupby(sizes[first:end].tolist()):
            steps.append(
                {
                    "count": len(list(same)),
                    "sees": True,
                    "batches": _drawn(history, each.sampling_rate),
                    "clip": {"norm": about["clip"], "each": "row"},
                    "divisor": _divisor(history, about["divisor"]),
                    "noise": {"deviation": each.noise_multiplier * about["clip"], "on": "sum"},
                    "step_size": size,
                    "decay": about["weight_decay"],
                }
            )
    numbers = {"n": history.n, "dimension": history.dimension}
    return {
        "schema": SCHEMA,
        "name": "a training as its accountant knows it",
        "relation": {"adjacency": history.adjacency},
        **{name: number for name, number in numbers.items() if number is not None},
        "steps": steps,
        "claims": [],
        **more,
    }


def _drawn(history: TrainingHistory, rate: float) -> Document:
    if history.sampling == "full":
        return {"drawn": "full"}
    if history.sampling == "poisson":
        return {"drawn": "poisson", "rate": rate}
    assert history.n is not None
    return {"drawn": "fixed", "size": round(rate * history.n)}


def _divisor(history: TrainingHistory, value: float) -> Document:
    if len(history.segments) > 1 or not history.divisor_follows or history.n == 1:
        return {"value": value, "is": "constant"}
    assert history.n is not None
    return {"value": value, "is": "from_n", "beside": history.batch_size_on(history.n - 1)}

"""The problem that a mechanism is, and the noise at which it is one.

A candidate is read from a few fields.  It is the answer only if its own document says the same as
the mechanism in every field: the first that differs is refused by its path.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from accounting.mechanism._constant import Constant
from accounting.mechanism._from_problem import of_problem
from accounting.mechanism._maps import chain
from accounting.mechanism._node import Node
from accounting.mechanism._setting import FieldNotCovered, multiplier, norm, refuse
from accounting.mechanism._steps import Gradient, Maps
from accounting.mechanism._value import MechanismFields
from accounting.problems.clipped import Clipped
from accounting.problems.contraction import Contraction
from accounting.problems.dp_sgd import SampledDescent
from accounting.problems.problem import Problem

_ROOM = 1e-12
_ASIDE = ("name", "source", "claims", "places", "dimension", "tuned_on_rows", "requests", "schema")
_REFERENCE = {"N+K": "T+K", "N": "T", "stationary": "stationary"}


def problem_of(mechanism: MechanismFields) -> tuple[Problem, float]:
    """Return the problem, and its sigma.

    Raises FieldNotCovered, with the path of the field, where no problem says what the mechanism
    does.
    """
    if mechanism.draft:
        refuse(mechanism.unknowns[0], "it is not known")
    if isinstance(mechanism.steps[0], Maps):
        return _contraction(mechanism), 1.0
    segments = [each for each in mechanism.steps if isinstance(each, Gradient)]
    if len(segments) < len(mechanism.steps):
        refuse("steps", "maps stand among gradient steps")
    for at, each in enumerate(segments):
        if each.clip.norm is None:
            refuse(f"steps[{at}].clip.each", "nothing is clipped")
        if each.divisor.value.value != int(each.divisor.value.value):
            refuse(f"steps[{at}].divisor.value", "problems divide by a whole number")
    if mechanism.n is None:
        refuse("n", "it is not known")
    plain = mechanism.losses == "any" or mechanism.relation.reference == "other"
    sigma = multiplier(segments[0])
    build = _clipped if plain else _sampled
    try:
        problem: Problem = build(mechanism, segments)
    except FieldNotCovered:
        raise
    except ValueError as error:
        refuse("steps", f"{build.__name__.strip('_')} steps are asked: {error}")
    _insist_same(mechanism, MechanismFields.of_document(of_problem(problem, sigma, None, None)))
    return problem, sigma


def _contraction(mechanism: MechanismFields) -> Contraction:
    """Vectors with noise of their own are one vector that is moved further."""
    for at, each in enumerate(mechanism.steps):
        if each.noise.drawn == "repeated":
            refuse(f"steps[{at}].noise.drawn", "a contraction has fresh noise at every step")
    if mechanism.released != "last":
        refuse("released", "a contraction is seen once, at its end")
    process, root = chain(mechanism), math.sqrt(mechanism.outputs)
    table = {
        "contraction": process.contraction,
        "displacement": process.shift * root,
        "noise": process.noise,
    }
    start, diameter = process.initial_distance * root, process.diameter * root
    return Contraction(process=table, initial_distance=start, diameter=diameter)


def _clipped(mechanism: MechanismFields, segments: list[Gradient]) -> Clipped:
    first = segments[0]
    assert mechanism.n is not None
    size = mechanism.n if first.batches.drawn == "full" else first.batches.size
    if size is None or mechanism.n % size:
        refuse("steps.batches.size", "clipped descent goes through whole epochs of equal batches")
    each = mechanism.n // size
    counts = {True: 0, False: 0}
    for segment in segments:
        counts[bool(segment.sees)] += segment.count
    for seen, count in counts.items():
        if count % each:
            refuse("steps.count", f"an epoch has {each} steps, and {count} {_sight(seen)}")
    started = mechanism.start.value > 0
    # The place of a row that is deleted is left empty there.
    adjacency = _word("relation.adjacency", mechanism.relation.adjacency, ("zero", "replace"))
    return Clipped(
        n=mechanism.n,
        batch_size=size,
        clip=norm(first),
        step_size=first.step_size.value,
        weight_decay=first.decay.value,
        radius=math.inf if first.radius is None else first.radius.value,
        smoothness=None if mechanism.smoothness is None else mechanism.smoothness.value or None,
        losses="scalar" if mechanism.losses == "scalar" else "any",
        adjacency="delete" if adjacency == "zero" else adjacency,
        row_gradient=None if first.row_gradient is None else first.row_gradient.value,
        learn_epochs=None if started else counts[True] // each,
        unlearn_epochs=counts[False] // each,
    )


def _sight(seen: bool) -> str:
    return "see the rows" if seen else "do not"


def _word(field: str, word: str, allowed: tuple[str, ...]) -> str:
    if word not in allowed:
        refuse(field, f"it is none of {', '.join(allowed)}")
    return word


def _sampled(mechanism: MechanismFields, segments: list[Gradient]) -> SampledDescent:
    first, groups = segments[0], _groups(segments)
    lengths = [sum(each.count for each in group) for group in groups]
    present = [_rows(mechanism, group[0]) for group in groups]
    requests = max(len(groups) - 1, 1)
    several = isinstance(mechanism.released, tuple) and len(mechanism.released) > 0
    together = requests > 1 and present[0] == requests * present[-2]
    late = segments[-1].batches.rate if not segments[-1].sees else None
    own = first.batches.size is not None and late is not None
    follows = first.batches.rate_without is not None
    listed = [(each.row_gradient, each.count) for each in segments if each.sees]
    norms = {each and each.value for each, _ in listed}
    gradients: dict[str, Any] = {}
    if len(norms) == 1:
        gradients["row_gradient"] = norms.pop()
    else:
        rows = [each.value if each else norm(first) for each, count in listed for _ in range(count)]
        gradients["row_gradients"] = rows
    adjacency = {"zero": "zero-out"}.get(mechanism.relation.adjacency)
    assert mechanism.n is not None
    if mechanism.smoothness is None:
        refuse("smoothness", "it is not known")
    reference = _word("relation.reference", mechanism.relation.reference, tuple(_REFERENCE))
    return SampledDescent(
        n=mechanism.n,
        batch_size=int(first.divisor.value.value),
        steps=lengths[0],
        unlearning_steps=lengths[1] if len(lengths) > 1 else 0,
        rate=first.batches.rate.value if first.batches.rate and not follows else None,
        unlearning_rate=late.value if own and late is not None else None,
        step_size=first.step_size.value,
        smoothness=mechanism.smoothness.value,
        ridge=first.decay.value,
        clip=norm(first),
        sampling=first.batches.drawn,
        adjacency=adjacency or mechanism.relation.adjacency,
        reference=_REFERENCE[reference],
        diameter=math.inf if first.radius is None else 2 * first.radius.value,
        rows=present[0] // requests if together else present[0],
        requests=requests,
        published="all" if several else "last",
        privacy_unit="one" if requests > 1 and not together else "all",
        **gradients,
    )


def _groups(segments: list[Gradient]) -> list[list[Gradient]]:
    """Training, and the steps after each request: they differ in more than a row's gradient."""
    groups = [[segments[0]]]
    for before, each in pairwise(segments):
        same = before.sees == each.sees and before.row_gradient != each.row_gradient
        if same:
            groups[-1].append(each)
        else:
            groups.append([each])
    return groups


def _rows(mechanism: MechanismFields, segment: Gradient) -> int:
    if isinstance(segment.sees, bool):
        return mechanism.relation.rows if segment.sees else 0
    return segment.sees


def _insist_same(mechanism: MechanismFields, made: MechanismFields) -> None:
    """Raises FieldNotCovered for the first field in which the two differ, numbers to 1e-12."""
    mine, other = (_leaves(each) for each in (mechanism, made))
    for path in [*mine, *(each for each in other if each not in mine)]:
        if not _equal(mine.get(path), other.get(path)):
            refuse(path, "no problem says this")


def _leaves(mechanism: MechanismFields) -> dict[str, Any]:
    """Path -> value of what a problem says; segments that are equal but for their count are one."""
    leaves_by_path: dict[str, Any] = {"released": mechanism.released}
    for path, value in mechanism.walk():
        if path.split(".")[0].split("[")[0] not in (*_ASIDE, "steps", "released"):
            _keep(leaves_by_path, path, value)
    if mechanism.relation.reference == "N+K":
        leaves_by_path["relation.reference"] = "other"
    at, before = -1, None
    for segment in mechanism.steps:
        leaves: dict[str, Any] = {}
        for path, value in segment.walk():
            _keep(leaves, path, value)
        count = leaves.pop("count")
        leaves["sees"] = _rows(mechanism, segment) if isinstance(segment, Gradient) else 0
        at += leaves != before
        before = leaves
        leaves_by_path |= {f"steps[{at}].{path}": value for path, value in leaves.items()}
        leaves_by_path[f"steps[{at}].count"] = leaves_by_path.get(f"steps[{at}].count", 0) + count
    return leaves_by_path


def _keep(leaves: dict[str, Any], path: str, value: Any) -> None:
    """A value that is no node; where a constant comes from is no part of a problem."""
    if isinstance(value, Constant):
        leaves[path] = value.value
    elif not path.endswith(".seed") and not isinstance(value, Node | tuple):
        leaves[path] = value


def _equal(one: Any, two: Any) -> bool:
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=_ROOM)
    return bool(one == two)

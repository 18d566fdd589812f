"""Unlearners of means: a step 2/(beta + mu) on quadratics ends at the mean of their points."""

from collections.abc import Iterator

import numpy as np

from simulators.runs.online import OnlineLearning
from verify.olu.self_tests.descents import MEANS, MU, MeanDescent, norm, observable_equality
from verify.olu.views.maps import MapDistances
from verify.olu.views.parts import RegretParts
from verify.olu.views.requests import RequestMaps
from verify.self_tests import Equality


def equalities() -> Iterator[Equality]:
    """One step of phase 1 and none of phase 2; no unlearner; parts of a regret without noise."""
    yield from _maps()
    yield from _first_gap()
    yield from _parts()


def _maps() -> Iterator[Equality]:
    run = OnlineLearning(**MEANS, learner="active", epsilon=2.0, inner_steps=0, first_steps=1).run()
    run.view(RequestMaps)
    run.view(MapDistances)
    x = run.stream.points
    # 9 and 19 losses are seen at the requests; 5, and 5 and 12, are deleted.
    learned = np.array([x[:n].mean(axis=0) for n in (9, 19)])
    retained = ((9, [4]), (19, [4, 11]))
    retrained = np.array([np.delete(x[:n], rows, axis=0).mean(axis=0) for n, rows in retained])
    apart = norm(learned - retrained)
    yield Equality("phases apart", run["phases_apart"].values, apart, 1e-8)
    yield Equality("ends of phase 1", run["unlearned_distance"].values, apart, 1e-8)
    move = [norm(retrained[1] - retrained[0])]
    yield Equality("kept means", run["minimisers_apart"].values, move, 1e-8)
    # The map forgets where it starts.
    for name in ("maps_apart", "starts_apart"):
        yield Equality(name, run[name].values, apart, 1e-8)
    yield Equality("skipped step, of 1", 1 + run["skipped_step"].values, np.ones(2), 1e-8)
    yield Equality("first gap", run["first_request_gap"].values, apart[0], 1e-8)
    # Newton's step from the mean m to the retained mean r ends at 2m - r with the other sign.
    yield Equality("Newton, minus", run["newton_minus_distance"].values, 2 * apart, 1e-8)


def _first_gap() -> Iterator[Equality]:
    """Where requests only add noise, the distance of the descents with and without u_1."""
    run = OnlineLearning(**MEANS, epsilon=2.0).run()
    run.view(MapDistances)
    gap = MeanDescent(run, lambda t: 1 / (MU * t)).gap[9]
    sigma = run.rule["sigmas"][0]
    at = {"u_1": 5, "tau_1": 10, "sigma_1": sigma}
    yield from observable_equality(run, "1/(mu t)", "first_request_gap", gap, **at)
    added = run["added_square"]
    yield Equality("variance of a request", added.at["variance"][0], sigma**2)


def _parts() -> Iterator[Equality]:
    """Without noise the regret of a path is the sum of the steps' parts."""
    run = OnlineLearning(**MEANS, sigma=0.0).run()
    run.view(RegretParts)
    hand = MeanDescent(run, lambda t: 1 / (MU * t))
    w, g, _ = hand.learned
    star = hand.stars[0]
    squares = norm(w - star) ** 2
    slopes = (g * (w[:-1] - star)).sum(axis=1)
    terms = slopes - MU / 2 * squares[:-1]
    regret = hand.regret(star)
    yield from observable_equality(run, "1/(mu t)", "regret_with_noise", regret, A=terms.sum())
    B = run["regret_with_noise"].at["B"]
    yield Equality("part B without noise, of 1", 1 + B, 1)
    # Part A is over the rounds strictly between 0, 10, 20 and 40.
    between = [t for t in range(1, 40) if t not in (10, 20)]
    A = terms[np.array(between) - 1].sum()
    L = MU * (50 + norm(hand.x).max())
    jumps = A + L * np.sqrt(squares[[9, 19]]).sum()
    rounds = jumps + L * np.sqrt(squares[39])
    at = {"requests": [jumps], "rounds": [rounds]}
    yield from observable_equality(run, "1/(mu t)", "regret_of_paths", [regret], **at)
    # On quadratics 2A = C + D + E, and E as printed is another.
    at = {"corrected": [2 * A]}
    yield from observable_equality(run, "1/(mu t)", "doubled_part", [2 * A], **at)
    inner = np.array([t for t in between if t not in (9, 19, 39)])
    C = MU * (inner * (squares[inner - 1] - squares[inner]) - squares[inner - 1])
    at = {
        "before": squares[[8, 18]],
        "after": squares[[10, 20]],
        "moves": norm(w[[10, 20]] - w[[8, 18]]),
    }
    yield from observable_equality(run, "1/(mu t)", "telescoped_blocks", C.sum(), **at)

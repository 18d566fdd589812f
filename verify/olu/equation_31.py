"""(31)-(32) of olu: sums of squared distances to a comparator that moves."""

import numpy as np

from verify.checks import Check, Context, Findings, case_table


def total(z: np.ndarray, served: np.ndarray, eta: np.ndarray) -> np.ndarray:
    """The sum; z (T + 1, ...), served and eta (T, ...)."""
    squares = (z[:-1] - served) ** 2 - (z[1:] - served) ** 2
    return np.asarray(np.sum(squares / (2 * eta), axis=0))


def check(ctx: Context) -> Findings:
    """Sums of squared distances of iterates that follow, of random ones, of one comparator."""
    z = np.array([0.0, 0.0, 0.0, 1.0, 1.0, 0.0])
    active_stars = np.array([0.0, 0.0, 1.0, 1.0, 0.0])
    (inputs,) = case_table("D eta path eta_tau", (1.0, 1.0, [1.0, 1.0], [1.0, 1.0]))
    block_sum = total(z, active_stars, np.ones(5))
    words = "the iterate follows two moves of the comparator"
    yield ctx.compare("literal", "printed", block_sum, inputs, words, script="eq31")
    for rng in ctx.draws(150, 4000):
        T = int(rng.integers(2, 40))
        k = int(rng.integers(1, 6))
        D = float(np.exp(rng.normal()))
        eta = np.sort(np.exp(rng.normal(0, rng.uniform(0, 2), size=T)))[::-1]
        tau = np.sort(rng.integers(1, T + 1, size=k))
        stars = D * np.where(rng.random() < 0.5, rng.random(k + 1), rng.integers(0, 2, k + 1))
        active_stars = stars[np.searchsorted(tau, np.arange(1, T + 1), side="left")]
        # positions near the last comparator make every move of it dear
        follows = np.append(stars[0], active_stars)
        z = D * rng.random(T + 1) if rng.random() < 0.5 else follows
        path = np.minimum(np.abs(np.diff(stars)), D)
        one = {"D": D, "eta": eta[-1]}
        inputs = {**one, "eta_tau": eta[tau - 1], "path": path}
        block_sum = total(z, active_stars, eta)
        yield ctx.compare("literal", "corrected", block_sum, inputs, "random positions")
        block_sum = total(z, np.full(T, stars[0]), eta)
        words = "random positions, one comparator"
        yield ctx.compare("fixed", "printed", block_sum, one, words, tight=np.nan)
    steps = 1 / np.arange(1.0, 6.0)
    words = "far away until the last round"
    block_sum = total(np.array([1.0] * 5 + [0.0]), np.zeros(5), steps)
    one = {"D": 1.0, "eta": steps[-1]}
    more = {"relation": "==", "tight": np.nan}
    yield ctx.compare("fixed", "printed", block_sum, one, words, **more)


CHECKS = (
    Check("olu.eq31", evidence=check)
    .measured_by("online", "blockwise_part", where=("bounded",), interpretations=("literal",))
    .beside("worst signs, two requests together"),
)

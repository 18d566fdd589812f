"""Random settings of noisy SGD on sampled batches, compared with exact laws on a line.

    python tools/sampled_laws.py [--settings 10000] [--results FILE]

Setting i is drawn from the seed i; its last digit is its kind, one of five:

    curves      densities of both runs by transfer operators, non-linear maps and gradients
    tails       half lines as tests, backwards in the logarithm, monotone maps, delta to 1e-12
    patterns    linear losses, every pattern of Poisson batches, delta to 1e-12
    draws       linear losses, every way to draw batches of four rows, fixed size or shuffled
    rates       linear losses, every way to draw a few rows, at rates that follow how many there are

A ratio is the exact delta at the certified epsilon over the delta that was asked for, the larger of
both directions; above 1 it is a violation, but for what the discretisation of a kind may cost.
Results are appended line by line to the file; a run that was interrupted goes on where it stopped.
"""

import argparse
import itertools
import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.special import log_ndtr, ndtr

from accounting import SampledSGD, sampled_epsilon

Array = NDArray[np.float64]
Curve = Callable[[Array], Array]
TOLERANCE = {"curves": 3e-3, "tails": 1e-5, "patterns": 1e-9, "draws": 1e-9, "rates": 1e-9}
HALF = ("patterns", "curves", "patterns", "tails", "patterns")
KINDS = (*HALF, *HALF[:3], "draws", "rates")
SMALL = {"n": 10, "batch_size": 1, "smoothness": 0.0}
_ROOT = math.sqrt(2 * math.pi)


def short(rng: np.random.Generator, training: int, unlearning: int, adjacency: str) -> SampledSGD:
    """A few steps; half of the settings have schedules."""
    total = training + unlearning

    def schedule(low: float, high: float) -> Array:
        return rng.uniform(low, high, total if rng.random() < 0.5 else 1) * np.ones(total)

    return SampledSGD(
        steps=int(training),
        unlearning_steps=int(unlearning),
        step_size=schedule(0.4, 1.6),
        ridge=float(rng.choice([0.0, rng.uniform(0, 1)])),
        noise_profile=schedule(0.7, 1.4),
        rate=np.minimum(schedule(0.02, 0.98) ** rng.uniform(1, 3), 0.98),
        adjacency=adjacency,
        **SMALL,
    )


def maps(rng: np.random.Generator, *, monotone: bool) -> Curve:
    """A 1-Lipschitz map of the line."""
    t = float(rng.normal(0, 1.5))
    found: list[Curve] = [
        lambda x: x,
        lambda x: np.maximum(x, t),
        lambda x: np.minimum(x, t),
        lambda x: np.clip(x, t, t + 2),
        lambda x: np.sign(x - t) * np.maximum(np.abs(x - t) - 0.5, 0),
    ]
    if not monotone:
        found += [lambda x: np.abs(x - t), lambda x: np.sin(x + t)]
    return found[rng.integers(len(found))]


def gradients(rng: np.random.Generator) -> Curve:
    """The clipped gradient of the row, by the state."""
    t = float(rng.normal(0, 1))
    found: list[Curve] = [
        np.ones_like,
        lambda x: np.sign(x - t),
        lambda x: np.cos(3 * x + t),
        lambda x: np.where(x > t, 1.0, 0.0),
    ]
    return found[rng.integers(len(found))]


def curves(rng: np.random.Generator, accountant: str = "mixture") -> float:
    """Densities on a grid, all maps and gradients allowed."""
    adjacency = str(rng.choice(["delete", "add", "replace"]))
    setting = short(rng, rng.integers(1, 7), rng.integers(0, 4), adjacency)
    sigma, delta = rng.uniform(1, 2), 10 ** rng.uniform(-3, -0.7)
    row = gradients(rng)
    opposite = gradients(rng) if rng.random() < 0.5 else lambda x: -row(x)
    first, second = {
        "delete": (row, np.zeros_like),
        "add": (np.zeros_like, row),
        "replace": (row, opposite),
    }[adjacency]
    grid = np.linspace(-14, 14, 401)
    width = float(grid[1] - grid[0])
    laws = np.zeros((2, grid.size))
    laws[:, grid.size // 2] = 1.0

    def moved(law: Array, place: Array, s: float) -> Array:
        found: Array = law @ np.exp(-(((grid - place[:, None]) / s) ** 2) / 2)
        return found * width / s / _ROOT

    for k in range(setting.length):
        eta, q = float(setting.eta[k]), float(setting.rates[k])
        s = eta * sigma * float(setting.profile[k])
        place = (1 - eta * setting.ridge) * maps(rng, monotone=False)(grid)
        # Unlearning with the row is a contraction too: its gradient is constant.
        rows = (first(grid), second(grid)) if k < setting.steps else [np.sign(second(0 * grid))] * 2
        laws = np.array(
            [
                (1 - q) * moved(law, place, s) + q * moved(law, place + eta * r, s)
                for law, r in zip(laws, rows, strict=True)
            ]
        )
    epsilon = sampled_epsilon(setting, sigma, delta, accountant)
    gamma = math.exp(min(epsilon, 500.0))
    p, q = laws / width
    worst = max(_positive_part(p - gamma * q, width), _positive_part(q - gamma * p, width))
    return (worst - 1e-6) / delta


def _positive_part(d: Array, width: float) -> float:
    """Integral of the positive part of the line through the values."""
    left, right = d[:-1], d[1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.maximum(left, right) ** 2 / np.abs(left - right)
    crossing = np.where(left * right < 0, share, 0)
    both = np.where((left >= 0) & (right >= 0), left + right, 0)
    return float((crossing + both).sum() * width / 2)


def tails(rng: np.random.Generator, accountant: str = "mixture") -> float:
    """The chances of x > cut in both runs, as functions of where they are."""
    adjacency = str(rng.choice(["delete", "replace"]))
    setting = short(rng, rng.integers(2, 6), rng.integers(0, 4), adjacency)
    sigma, delta = 10 ** rng.uniform(-0.3, 0.5), 10 ** rng.uniform(-12, -0.7)
    steps = [(maps(rng, monotone=True), float(rng.normal(0, 1.5))) for _ in range(setting.length)]
    stepped = rng.random() < 0.3  # the row pushes only beyond a threshold
    reach = float((setting.eta * (1 + 12 * sigma * setting.profile)).sum())
    x = np.linspace(-reach, reach, 401)
    w = np.linspace(-12, 12, 49)
    weight = np.exp(-(w**2) / 2) / _ROOT * (w[1] - w[0])

    def chances(cut: float) -> tuple[float, float]:
        value: list[Curve] = []
        for k in range(setting.length - 1, -1, -1):
            eta, q = float(setting.eta[k]), float(setting.rates[k])
            s = eta * sigma * float(setting.profile[k])
            curve, t = steps[k]
            place = (1 - eta * setting.ridge) * curve(x if k else np.zeros(1))
            push = eta * (np.where(place > t, 1.0, 0.0) if stepped else np.ones_like(place))
            new = []
            for run in range(2):
                moves = [(1.0, 0 * push)]
                if k < setting.steps and (run == 0 or adjacency == "replace"):
                    moves = [(1 - q, 0 * push), (q, push if run == 0 else -push)]
                total = np.zeros(place.shape)
                for chance, move in moves:
                    if value:
                        at = value[run]((place + move)[:, None] + s * w)
                        total += chance * (np.exp(np.minimum(at, 0.0)) @ weight)
                    else:
                        total += chance * ndtr((place + move - cut) / s)
                log = np.log(np.maximum(total, 1e-300))
                if value or k == 0:
                    new.append(log)
                else:
                    # The logarithm itself, where the chance is no float.
                    parts = [math.log(c) + log_ndtr((place + m - cut) / s) for c, m in moves]
                    new.append(np.logaddexp.reduce(parts))
            if k == 0:
                return float(new[0][0]), float(new[1][0])
            value = [CubicSpline(x, each) for each in new]
        raise AssertionError

    epsilon = sampled_epsilon(setting, sigma, delta, accountant)
    if epsilon > 300:
        return 0.0

    def excess(cut: float) -> float:
        a, b = chances(cut)
        return max(
            math.exp(a) - math.exp(epsilon + b),
            -math.expm1(b) + math.exp(epsilon) * math.expm1(a),
        )

    deviation = math.sqrt(float(((setting.eta * setting.profile) ** 2).sum())) * sigma
    cuts = np.linspace(-1, 8, 8) * deviation
    found = [excess(cut) for cut in cuts.tolist()]
    best, step = float(cuts[int(np.argmax(found))]), float(cuts[1] - cuts[0]) / 2
    worst = max(found)
    for _ in range(3):
        for cut in (best - step, best + step):
            if (value := excess(cut)) > worst:
                worst, best = value, cut
        step /= 2
    return worst / delta


def patterns(rng: np.random.Generator, accountant: str = "mixture") -> float:
    """Linear losses: mixtures over all patterns, one variance."""
    adjacency = str(rng.choice(["delete", "replace"]))
    setting = short(rng, rng.integers(1, 10), rng.integers(0, 30), adjacency)
    sigma, delta = 10 ** rng.uniform(-0.5, 0.7), 10 ** rng.uniform(-12, -0.3)
    after = np.append(np.cumprod((1 - setting.eta * setting.ridge)[::-1])[::-1], 1.0)[1:]
    scale = math.sqrt(float(((setting.eta * setting.profile * after) ** 2).sum())) * sigma
    mu, chance = np.zeros(1), np.ones(1)
    for k in range(setting.steps):
        q, w = float(setting.rates[k]), float(setting.eta[k] * after[k]) / scale
        mu = np.concatenate((mu, mu + w))
        chance = np.concatenate((chance * (1 - q), chance * q))
    epsilon = sampled_epsilon(setting, sigma, delta, accountant)
    gamma = math.exp(min(epsilon, 500.0))

    def of(z: Array, shift: Array) -> Array:
        found: Array = ndtr(z[:, None] + shift) @ chance
        return found

    z = np.linspace(-12, 12, 193)
    second = -mu if adjacency == "replace" else 0 * mu
    worst = 0.0
    for a, b in ((mu, second), (second, mu)):
        at = z
        for _ in range(5):
            # Where the second is more likely above -z, a test says yes below it.
            up = of(at, a) - gamma * of(at, b)
            down = of(-at, -a) - gamma * of(-at, -b)
            best = np.maximum(up, down)
            middle, step = float(at[int(best.argmax())]), float(at[1] - at[0])
            at = middle + step * np.linspace(-1, 1, 11)
        worst = max(worst, float(best.max()))
    return worst / delta


def draws(rng: np.random.Generator, accountant: str = "exact") -> float:
    """Linear losses, four rows, batches of two."""
    sampling = str(rng.choice(["fixed", "shuffled"]))
    adjacency = str(rng.choice(["zero-out", "delete", "replace"]))
    steps, ridge = int(rng.integers(1, 5)), float(rng.uniform(0, 0.9))
    sigma, delta = 10 ** rng.uniform(-0.2, 0.5), 10 ** rng.uniform(-6, -0.5)
    setting = SampledSGD(
        n=4,
        batch_size=2,
        steps=steps,
        unlearning_steps=0,
        step_size=0.5,
        smoothness=0.0,
        ridge=2 * ridge,
        sampling=sampling,
        adjacency=adjacency,
    )
    others = tuple(rng.choice([-1.0, 0.0, 1.0], 3).tolist())
    masked = {"delete": (), "zero-out": (0.0,), "replace": (-1.0,)}
    after = (*masked[adjacency], *others)
    factor = 1 - ridge
    deviation = sigma * math.sqrt(sum(factor ** (2 * k) for k in range(steps)))
    laws = [np.array(means(sampling, rows, steps, factor)).T for rows in ((1.0, *others), after)]
    return apart(laws, deviation, sampled_epsilon(setting, sigma, delta, accountant)) / delta


def apart(laws: list[Array], deviation: float, epsilon: float) -> float:
    """delta at this epsilon of two mixtures, each means and chances, the larger of both ways."""
    gamma = math.exp(min(epsilon, 500.0))
    far = float(max(np.abs(law[0]).max() for law in laws))
    z = np.linspace(-12 * deviation - far, 12 * deviation + far, 2001)

    def between(ends: Array, law: Array) -> Array:
        """The chance of every interval, precise in both tails."""
        u = (ends[:, None] - law[0]) / deviation
        low, high = u[:-1], u[1:]
        found: Array = np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)) @ law[1]
        return found

    def density(law: Array) -> Array:
        found: Array = np.exp(-(((z[:, None] - law[0]) / deviation) ** 2) / 2) @ law[1]
        return found

    worst = 0.0
    for p, q in (laws, laws[::-1]):
        d = density(p) - gamma * density(q)
        turns = np.flatnonzero(np.sign(d[:-1]) * np.sign(d[1:]) < 0)
        ends = z[turns] + (z[turns + 1] - z[turns]) * d[turns] / (d[turns] - d[turns + 1])
        ends = np.concatenate(([-np.inf], ends, [np.inf]))
        mass = between(ends, p) - gamma * between(ends, q)
        worst = max(worst, float(mass.clip(0).sum()))
    return worst


def rates(rng: np.random.Generator, accountant: str = "mixture") -> float:
    """Linear losses, Poisson batches of at most four rows, one of which leaves or joins."""
    n, training, unlearning = int(rng.integers(2, 5)), rng.integers(1, 4), rng.integers(0, 3)
    adjacency = str(rng.choice(["delete", "add"]))
    late = float(rng.uniform(0.05, 0.95)) if adjacency == "delete" and rng.random() < 0.3 else None
    ridge, size = float(rng.uniform(0, 0.9)), int(rng.integers(1, n))
    sigma, delta = 10 ** rng.uniform(-0.2, 0.5), 10 ** rng.uniform(-6, -0.5)
    setting = SampledSGD(
        n=n,
        batch_size=size,
        steps=int(training),
        unlearning_steps=int(unlearning),
        unlearning_rate=late,
        step_size=0.5 * size,
        smoothness=0.0,
        ridge=2 * ridge / size,
        adjacency=adjacency,
    )
    others = rng.choice([-1.0, 0.0, 1.0], n - 1).tolist()
    joined = [1.0] if adjacency == "add" else []
    q, fewer = size / n, size / (n - 1)
    last = fewer if adjacency == "delete" else q
    first = [([1.0, *others], q)] * training
    second = [(others, fewer)] * training
    rest = [([*joined, *others], last)] * unlearning
    unlearned = rest if late is None else [(others, late)] * unlearning
    runs = [first + unlearned, second + rest]
    factor = 1 - ridge
    deviation = sigma * math.sqrt(sum(factor ** (2 * k) for k in range(setting.length)))
    laws = [np.array(drawn_laws(run, factor)).T for run in runs]
    return apart(laws, deviation, sampled_epsilon(setting, sigma, delta, accountant)) / delta


def drawn_laws(run: list[tuple[list[float], float]], factor: float) -> list[tuple[float, float]]:
    """Mean of the last iterate of linear losses, rows drawn at every step, and chances."""
    found = {0.0: 1.0}
    for rows, rate in run:
        found = {round(factor * at, 9): p for at, p in found.items()}
        for row in rows:
            new: dict[float, float] = {}
            for at, p in found.items():
                for moved, chance in ((at, 1 - rate), (round(at - row, 9), rate)):
                    new[moved] = new.get(moved, 0.0) + p * chance
            found = new
    return list(found.items())


def means(
    sampling: str, rows: tuple[float, ...], steps: int, factor: float, size: int = 2
) -> list[tuple[float, float]]:
    """Mean of the last iterate of linear losses for every way to draw the batches, and chances."""
    found = [(0.0, 1.0)]
    done = 0
    while done < steps:
        if sampling == "fixed":
            ways = [[sum(batch)] for batch in itertools.combinations(rows, size)]
        else:
            ways = [[sum(o[:size]), sum(o[size:])] for o in itertools.permutations(rows)]
        new: dict[float, float] = {}
        for (at, p), way in itertools.product(found, ways):
            for total in way[: steps - done]:
                at = factor * at - total
            new[round(at, 9)] = new.get(round(at, 9), 0.0) + p / len(ways)
        found, done = list(new.items()), done + len(ways[0])
    return found


def ratio(number: int) -> tuple[str, float]:
    """The kind of a setting, and exact over certified."""
    kind = KINDS[number % len(KINDS)]
    return kind, float(globals()[kind](np.random.default_rng(number)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--settings", type=int, default=10_000)
    parser.add_argument("--results", type=Path, default=Path("sampled_laws.txt"))
    given = parser.parse_args()
    done = given.results.read_text("utf-8").splitlines() if given.results.exists() else []
    with given.results.open("a", encoding="utf-8") as file:
        for number in range(len(done), given.settings):
            kind, found = ratio(number)
            print(number, kind, repr(found), file=file, flush=True)
    largest, violations = dict.fromkeys(TOLERANCE, 0.0), 0
    for line in given.results.read_text("utf-8").splitlines():
        _, kind, text = line.split()
        largest[kind] = max(largest[kind], float(text))
        violations += float(text) > 1 + TOLERANCE[kind]
    for kind, found in largest.items():
        print(f"{kind:<10} largest ratio {found:.9g}")
    print(f"{violations} violations")


if __name__ == "__main__":
    main()

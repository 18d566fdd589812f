"""Table 2 of olu: each baseline with its constants, played; and what the table makes of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from verify.claim import Claim, Natural, Reading
from verify.context import Context
from verify.evidence import Evidence
from verify.olu import streams
from verify.olu.baselines import LineLosses, chaser, inverse_root, inverse_time, play
from verify.olu.equation_11_15 import follower

ORDER = "an order in T and k, 'omitting constants'"


def _order(text: str = ORDER) -> Reading:
    return Reading("order", text, ("printed",))


def _explicit(text: str, proof: str) -> Reading:
    return Reading("explicit", text, ("corrected",), proofs={"corrected": proof})


CLAIMS = (
    Claim(
        id="olu.tab2",
        label="Table 2, discard-and-restart (strongly convex)",
        kind="table",
        statement="Restarting after every deletion has regret O(k log T) and unlearns exactly; "
        "passive unlearning, O(log T + k^2 + noise), outperforms it by a factor k.",
        readings=(
            _order(),
            _explicit(
                "(L^2/2mu) sum of H over the blocks between deletions, against each block's best",
                "descent with steps 1/(mu t) in every block; attained in every block",
            ),
            Reading(
                "factor",
                "passive unlearning is better by a factor k: its printed bound, without noise, "
                "against restarting, T <= 10^6",
                ("printed",),
            ),
        ),
        natural=Natural("T", (30, 100, 300, 1000), {"L": 1.0, "mu": 1.0, "tau": [10, 20]},
                        log_x=True),
        quantity="regret of restarting, in blocks that follow the learner",
        correction="(L^2/2mu) sum_i H_{n_i} <= ((k+1)/2)(1 + log(T/(k+1))) L^2/mu.",
    ),
    Claim(
        id="olu.tab2.restart_convex",
        label="Table 2, discard-and-restart (convex)",
        kind="table",
        statement="Restarting after every deletion has regret O(k sqrt T).",
        readings=(
            _order(),
            _explicit("(3/2) D L sum of sqrt(n_i)", "(3/2) D L sqrt(n) in every block"),
        ),
        quantity="regret of restarting",
        correction="(3/2) D L sqrt((k + 1) T): smaller by sqrt k.",
    ),
    Claim(
        id="olu.tab2.retrain",
        label="Table 2, retraining (strongly convex)",
        kind="table",
        statement="Retraining at every deletion has regret O(log T).",
        readings=(
            _order(),
            _explicit(
                "replay without the deleted losses, steps as they were",
                "a jump delta costs (2 D |delta| + |delta|^2)/(2 eta); Lemma 5",
            ),
        ),
        quantity="regret of retraining",
        correction="O(log T + k): the jumps and the comparators are not free.",
    ),
    Claim(
        id="olu.tab2.retrain_convex",
        label="Table 2, retraining (convex)",
        kind="table",
        statement="Retraining at every deletion has regret O(sqrt T).",
        readings=(
            _order(),
            _explicit(
                "replay without the deleted losses, steps as they were",
                "jumps of at most eta_u L, and the path of the comparators",
            ),
        ),
        quantity="regret of retraining",
        correction="Up to k D L sqrt(tau/u) for the jumps, and L sqrt T times the path.",
    ),
    Claim(
        id="olu.tab2.active",
        label="Table 2, computation of the active unlearner",
        kind="table",
        statement="An active deletion costs log_{1/gamma}(k mu D tau/L), retraining costs tau.",
        readings=(
            Reading(
                "literal",
                "both in gradient evaluations",
                ("printed", "corrected"),
                proofs={"corrected": "each descent step goes over all losses that remain"},
            ),
            Reading(
                "useful",
                "cheaper than exact retraining by replay, which needs no noise",
                ("printed",),
            ),
        ),
        natural=Natural(
            "age", (10, 30, 100, 300), {"k": 1, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0},
            log_x=True,
        ),
        quantity="gradient evaluations, counted",
        correction="(tau - 1) times the number of steps: more than a replay.",
    ),
)  # fmt: skip

FACTOR = '''"""Table 2 of olu: passive unlearning (printed, no noise) against discard-and-restart.

Restart in equal blocks: (L^2/2mu) sum of H_n <= (k+1)/2 (1 + log(T/(k+1))) L^2/mu, no noise.
"""
import math
T = 10**6
for k in (1, 2, 3, 5, 10):
    passive = math.log(T) + 2 * k**2
    restart = (k + 1) / 2 * (1 + math.log(T / (k + 1)))
    print(f"k = {k}: passive {passive:.4f}, restart {restart:.4f}, ratio {restart / passive:.4f}")
    assert restart < passive
'''

COUNT = '''"""Table 2 of olu: gradient evaluations of one active deletion, counted, on the line.

mu = 1, beta = 3, D = L = k = 1: the steps that the table counts each need all retained losses.
"""
import math
tau, mu, beta = 100, 1.0, 3.0
printed = math.log(mu * tau) / math.log((beta + mu) / (beta - mu))
steps = math.ceil(printed)
evaluations, z = 0, 0.0
for _ in range(steps):
    total = 0.0
    for x in range(1, tau - 1):
        total += mu * (z - x / tau)
        evaluations += 1
    z -= 2 / (beta + mu) * total / (tau - 2)
print(f"active: {evaluations} evaluations, table: {printed:.3f}, a replay: {tau - 2}")
assert evaluations > printed and evaluations > tau - 2
'''


def measure_restart(T: float, L: float, mu: float, tau: Sequence[float]) -> float:
    """Regret against each block's best point, blocks of quadratics that follow the learner."""
    ends = [0, *(int(t) for t in tau), int(T)]
    lengths = np.diff(ends)
    return sum(follower(int(n), L, mu).expected_regret() for n in lengths if n)


def measure_active(k: float, mu: float, beta: float, L: float, D: float, age: float) -> float:
    """Evaluations of single-loss gradients in the descent of one active deletion, counted."""
    gamma = (beta - mu) / (beta + mu)
    steps = math.ceil(math.log(k * mu * D * age / L) / math.log(1 / gamma)) if gamma else 0
    retained = max(int(age) - 1 - int(k), 0)
    z, count = 0.0, 0
    for _ in range(max(steps, 0)):
        slopes = [mu * (z - D * j / age) for j in range(retained)]
        count += len(slopes)
        z -= 2 / (beta + mu) * sum(slopes) / max(len(slopes), 1)
    return float(count)


MEASURES = {"olu.tab2": measure_restart, "olu.tab2.active": measure_active}


def _schedule(rng: np.random.Generator, first: int, T: int) -> tuple[list[int], list[int]]:
    k = int(rng.integers(1, 4))
    u = rng.choice(np.arange(first, first + k + 2), size=k, replace=False)
    low = np.maximum.accumulate(u + 1)
    return u.tolist(), np.sort(np.minimum(low + rng.integers(0, T, size=k) // 2, T)).tolist()


def _strong(rng: np.random.Generator, n: int, T: int) -> tuple[LineLosses, float, float]:
    """Random strongly convex losses with minima anywhere in twice the interval; mu, beta/mu."""
    mu, ratio, radius = float(rng.uniform(0.3, 2)), float(rng.uniform(1, 4)), 1.0
    x = rng.uniform(-2, 2, size=(n, T))
    x = np.where(rng.uniform(size=(n, 1)) < 0.5, np.sign(x), x)
    return (
        LineLosses(mu * rng.uniform(1, ratio, size=(n, T)), x, np.zeros((n, T)), radius),
        mu,
        ratio,
    )


def _convex(rng: np.random.Generator, n: int, T: int) -> LineLosses:
    """Random convex losses: linear and weakly curved, signs in runs, on [-1, 1]."""
    runs = np.sign(np.cumsum(rng.normal(size=(n, T)), axis=1))
    g = runs * rng.uniform(0.5, 1, size=(n, T))
    h = rng.uniform(0, 0.3, size=(n, T)) * (rng.uniform(size=(n, 1)) < 0.5)
    return LineLosses(h, rng.uniform(-1, 1, size=(n, T)), g, 1.0)


def _rows(
    ctx: Context, regrets: np.ndarray, L: np.ndarray, inputs: dict[str, object], instance: str
) -> Evidence:
    rows = [(float(r), {**inputs, "L": float(one)}) for r, one in zip(regrets, L, strict=True)]
    return streams.compare_many(ctx, "explicit", "corrected", rows, instance, best="corrected")


def _unspecified(ctx: Context) -> Evidence:
    return ctx.declare("order", "printed", "unspecified", "orders without constants")


def check_restart(ctx: Context) -> Iterator[Evidence]:
    yield _unspecified(ctx)
    rng = ctx.rng()
    for T, tau in ((1000, [500]), (400, [10, 100, 300]), (200, list(range(20, 200, 20)))):
        inputs = {"T": T, "L": 1.5, "mu": 0.7, "tau": tau}
        yield ctx.compare(
            "explicit", "corrected", measure_restart(**inputs), inputs,
            "losses that follow the learner, in each block", relation="==",
        )  # fmt: skip
    for _ in range(ctx.pick(10, 150)):
        T = int(rng.integers(12, 60))
        losses, mu, ratio = _strong(rng, 20, T)
        u, tau = _schedule(rng, math.ceil(0.5 + ratio), T)
        found = play(losses, inverse_time(mu), u, tau, "restart")
        inputs = {"T": T, "mu": mu, "tau": tau, "u": u}
        yield _rows(ctx, found, losses.lipschitz, inputs, "random quadratics on [-1, 1], restarted")
    for k in (1, 2, 3, 5, 10):
        for T in (10**3, 10**4, 10**6):
            tau = [round(T * (i + 1) / (k + 1)) for i in range(k)]
            restart = ctx.formula("corrected", T=T, L=1.0, mu=1.0, tau=tau)
            yield ctx.compare(
                "factor", "printed", math.log(T) + 2 * k**2, {"T": T, "k": k, "L": 1.0, "mu": 1.0},
                "restarting beats the printed bound of passive unlearning without its noise",
                bound=restart, role="class", script=FACTOR,
            )  # fmt: skip


def check_restart_convex(ctx: Context) -> Iterator[Evidence]:
    yield _unspecified(ctx)
    rng = ctx.rng()
    for T, tau in ((1000, [500]), (3000, [500, 1000, 2000])):
        losses = chaser(T, tau, 1.0)
        found = play(losses, inverse_root(2.0, 1.0), list(range(2, 2 + len(tau))), tau, "restart")
        inputs = {"T": T, "D": 2.0, "tau": tau}
        yield _rows(ctx, found, np.ones(1), inputs, "linear losses that chase the learner")
    half = {"T": T, "L": 0.5, "D": 2.0, "tau": tau}
    yield ctx.compare(
        "explicit", "corrected", found, {**inputs, "L": 1.0}, "half the bound is too little",
        bound=ctx.formula("corrected", **half), role="control",
    )  # fmt: skip
    for _ in range(ctx.pick(15, 150)):
        T = int(rng.integers(12, 60))
        losses = _convex(rng, 20, T)
        L = losses.lipschitz
        u, tau = _schedule(rng, 2, T)
        found = play(losses, inverse_root(2.0, L), u, tau, "restart")
        inputs = {"T": T, "D": 2.0, "tau": tau, "u": u}
        yield _rows(ctx, found, L, inputs, "random convex losses on [-1, 1], restarted")


def check_retrain(ctx: Context) -> Iterator[Evidence]:
    yield _unspecified(ctx)
    rng = ctx.rng()
    for _ in range(ctx.pick(15, 150)):
        T = int(rng.integers(12, 60))
        losses, mu, ratio = _strong(rng, 20, T)
        u, tau = _schedule(rng, math.ceil(0.5 + ratio), T)
        found = play(losses, inverse_time(mu), u, tau, "retrain")
        inputs = {"T": T, "D": 2.0, "mu": mu, "tau": tau, "u": u}
        yield _rows(ctx, found, losses.lipschitz, inputs, "random quadratics on [-1, 1], replayed")


def check_retrain_convex(ctx: Context) -> Iterator[Evidence]:
    yield _unspecified(ctx)
    rng = ctx.rng()
    for _ in range(ctx.pick(15, 150)):
        T = int(rng.integers(12, 60))
        losses = _convex(rng, 20, T)
        L = losses.lipschitz
        u, tau = _schedule(rng, 2, T)
        stars = losses.comparators(u)
        path = np.abs(np.diff(stars, axis=0)).sum(axis=0)
        found = play(losses, inverse_root(2.0, L), u, tau, "retrain")
        rows = [
            (float(r), {"T": T, "D": 2.0, "u": u, "tau": tau, "L": float(one), "path": float(p)})
            for r, one, p in zip(found, L, path, strict=True)
        ]
        yield streams.compare_many(
            ctx, "explicit", "corrected", rows, "random convex losses on [-1, 1], replayed",
            best="corrected",
        )  # fmt: skip


def check_active(ctx: Context) -> Iterator[Evidence]:
    for age in (20, 100, 400):
        for k in (1, 3):
            inputs = {"k": k, "mu": 1.0, "beta": 3.0, "L": 1.0, "D": 1.0, "age": age}
            count = measure_active(**inputs)
            for form in ("printed", "corrected"):
                yield ctx.compare(
                    "literal", form, count, inputs, "gradient evaluations, counted",
                    script=COUNT if form == "printed" else None,
                )  # fmt: skip
            yield ctx.compare(
                "useful", "printed", count, inputs, "a replay evaluates each loss once",
                bound=age - 1 - k, role="class", script=COUNT,
            )  # fmt: skip


CHECKERS = {
    "olu.tab2": check_restart,
    "olu.tab2.restart_convex": check_restart_convex,
    "olu.tab2.retrain": check_retrain,
    "olu.tab2.retrain_convex": check_retrain_convex,
    "olu.tab2.active": check_active,
}

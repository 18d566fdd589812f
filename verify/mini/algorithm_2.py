"""Algorithm 2 of mini: what it stores suffices for (10), if it knew the request in training."""

import numpy as np

from verify.checks import Check, Context, Findings
from verify.mini.small_runs import SmallRun, random_run


def measure(k: float, m: float) -> int:
    """How many iterates (10) reads: w_{l-1} for G(l), and those of the pairs of H(l), and w_T."""
    # Counted from T - k.  The first step starts from v = 0, so that its Hessian is not needed.
    steps = range(1, int(k) + 1)
    injections = {step - 1 for step in steps}
    pairs = {i for step in steps if step > 1 for i in range(step - 1 - int(m), step)}
    return len(injections | pairs | {int(k)})


def from_store(
    run: SmallRun, gone: set[int], k: int, *, known: bool, rng: np.random.Generator
) -> np.ndarray:
    """Equation (10) from what Algorithm 2 stored, with G(T-k) overwritten by noise.

    known: whether D_U was there while training; otherwise the stored G belong to no request.
    """
    T, request = len(run.batches), gone if known else set()
    W = run.path()[T - k :]
    G = [rng.normal(size=len(run.start)), *run.pieces(request, k)[1][1:]]
    v = np.zeros(len(run.start))
    for step in range(1, k + 1):
        kept_rows = run.kept(T - k + step - 1, gone)
        rate = run.steps[T - k + step - 1]
        v = G[step] + v - (rate * (run.hessian(kept_rows) @ v) if len(kept_rows) else 0.0)
    endpoint: np.ndarray = W[-1] + v
    return endpoint


def check(ctx: Context) -> Findings:
    """Iterates that (10) reads, counted; then replays that know the request early or late."""
    from simulators.trajectory.mini import mini

    rng = ctx.rng()
    equal = {"relation": "=="}
    for k in (2, 10, 50):
        read_count = measure(k, 0)
        at = {"k": k, "m": 0}
        yield ctx.compare("literal", "printed", read_count, at, "iterates that (10) reads", **equal)
        for m in range(6):
            read_count = measure(k, m)
            at = {"k": k, "m": m}
            label = "iterates that (10) reads with m pairs"
            yield ctx.compare("algorithm4", "printed", read_count, at, label, script="alg2")
            yield ctx.compare("algorithm4", "corrected", read_count, at, label, **equal)
    for _ in range(ctx.pick(12, 200)):
        run, deletions = random_run(rng)
        k = int(rng.integers(1, 11))
        exact = run.rewound(deletions, k)
        label = "quadratics: the last k steps again"
        stored = {
            informed: from_store(run, deletions, k, known=informed, rng=rng)
            for informed in (True, False)
        }
        later = mini(*run.subject(), deletions, k)  # knows the request only after training
        for interpretation, replay, script in (
            ("literal", stored[True], None),
            ("causal", stored[False], "alg2"),
        ):
            options = {"tight": exact, "tolerance": 1e-8, "script": script, **equal}
            for form, bound in (("printed", replay), ("corrected", later)):
                options["bound"] = bound
                yield ctx.compare(interpretation, form, exact, {"k": k}, label, **options)


CHECKS = (
    Check("mini.alg2", evidence=check, exact_side=measure).measured_by(
        "mini", "points_read", interpretations=("literal",), where=("no clip",), relation="=="
    ),
)

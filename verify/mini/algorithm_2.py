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
    T, told = len(run.batches), gone if known else set()
    W = run.path()[T - k :]
    G = [rng.normal(size=len(run.start)), *run.pieces(told, k)[1][1:]]
    v = np.zeros(len(run.start))
    for step in range(1, k + 1):
        kept, rate = run.kept(T - k + step - 1, gone), run.steps[T - k + step - 1]
        v = G[step] + v - (rate * (run.hessian(kept) @ v) if len(kept) else 0.0)
    found: np.ndarray = W[-1] + v
    return found


def check(ctx: Context) -> Findings:
    from simulators.trajectory.mini import mini

    rng, equal = ctx.rng(), {"relation": "=="}
    for k in (2, 10, 50):
        read, at = measure(k, 0), {"k": k, "m": 0}
        yield ctx.compare("literal", "printed", read, at, "iterates that (10) reads", **equal)
        for m in range(6):
            read = measure(k, m)
            at = {"k": k, "m": m}
            said = "iterates that (10) reads with m pairs"
            yield ctx.compare("algorithm4", "printed", read, at, said, script="alg2")
            yield ctx.compare("algorithm4", "corrected", read, at, said, **equal)
    for _ in range(ctx.pick(12, 200)):
        run, gone = random_run(rng)
        k = int(rng.integers(1, 11))
        exact, said = run.rewound(gone, k), "quadratics: the last k steps again"
        stored = {known: from_store(run, gone, k, known=known, rng=rng) for known in (True, False)}
        later = mini(*run.subject(), gone, k)  # knows the request only after training
        for reading, found, script in (
            ("literal", stored[True], None),
            ("causal", stored[False], "alg2"),
        ):
            options = {"tight": exact, "tolerance": 1e-8, "script": script, **equal}
            for form, bound in (("printed", found), ("corrected", later)):
                options["bound"] = bound
                yield ctx.compare(reading, form, exact, {"k": k}, said, **options)


CHECKS = (
    Check("mini.alg2", evidence=check, oracle=measure).observe(
        "mini", "points_read", readings=("literal",), where=("no clip",), relation="=="
    ),
)

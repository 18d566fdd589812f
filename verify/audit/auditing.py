"""`audit`: a user's algorithm against the user's claim, from samples, in one call."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

import verify.audit.distances as distances
import verify.audit.wasserstein as wasserstein
from accounting.numerics import validation
from accounting.numerics.arguments import typed
from verify.audit.claims import NAMES, claim_of
from verify.audit.curves import ApproximateDP, Claim, GaussianDP
from verify.audit.events import FEWEST, compare
from verify.audit.outputs import called, fingerprint, globals_kept
from verify.audit.power import detectable_leak, detectable_mu
from verify.audit.problem import LAWS, AuditedProblem
from verify.audit.report import AuditReport
from verify.audit.sequential import SequentialResult, sequential_test

Array = NDArray[np.float64]
Progress = Callable[[int, int], None]
MOST = 10**7
MOST_VALUES = 2 * 10**8  # numbers of one law's samples that are held: 1.6 GB


@typed
def audit(
    learn: Callable[..., Any],
    unlearn: Callable[..., Any],
    retrain: Callable[..., Any],
    data: Any,
    request: Any,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    mu: float | None = None,
    renyi: Any = None,
    trials: int = 10_000,
    confidence: float = 1 - 1e-6,
    seed: int = 0,
    batched: bool = False,
    sequential: bool = False,
    block: int = 1000,
    step: Callable[..., Any] | None = None,
    forget: Callable[..., Any] | None = None,
    progress: Progress | None = None,
) -> AuditReport:
    """Return whether samples refute that unlearning is as private as claimed, with confidence.

    Args:
        learn, unlearn, retrain, data, request, batched, step, forget: see `problem`.
        epsilon, delta; mu; renyi: the claim between the laws of unlearned and retrained outputs,
            in both directions; exactly one kind (see `claims.claim_of`).
        trials: samples of each law (sequential: at most), at least 24 and at most 10^7.
        confidence: probability that no limit is wrong and no true claim refuted, in all.
        seed: of everything random.
        sequential: bet against the claim block by block and stop as soon as it is refuted.
        block: samples a block; a batched function is called once per block.

    Raises:
        ValueError: bad arguments; as UserFunctionError where a user's function fails.
    """
    problem = AuditedProblem(learn, unlearn, retrain, data, request, batched, {}, step, forget)
    claim = claim_of(epsilon, delta, mu, renyi)
    return audit_problem(
        problem,
        claim,
        trials=trials,
        confidence=confidence,
        seed=seed,
        sequential=sequential,
        block=block,
        progress=progress,
    )


@typed
def stated(problem: AuditedProblem) -> Claim:
    """The claim that the problem itself states; ValueError where it states none."""
    unknown = sorted(set(problem.claim) - set(NAMES))
    if unknown:
        raise ValueError(f"claim must be of {', '.join(NAMES)}, got {unknown[0]!r}")
    return claim_of(**problem.claim)


@typed
def audit_problem(
    problem: AuditedProblem,
    claim: Claim,
    *,
    trials: int = 10_000,
    confidence: float = 1 - 1e-6,
    seed: int = 0,
    sequential: bool = False,
    block: int = 1000,
    progress: Progress | None = None,
) -> AuditReport:
    """As `audit`, for a problem and a claim that are at hand."""
    number = validation.count("trials", trials, low=FEWEST, high=MOST)
    sure = validation.scalar("confidence", confidence, low=0, high=1, low_open=True, high_open=True)
    # One half of the error for the events, one for W_infinity; both must be above 0 in floats.
    share = 1 - (1 - sure) / 2
    if not share < 1:
        raise ValueError(f"confidence must be at most 1 - 2^-52, got {confidence!r}")
    root = validation.count("seed", seed, low=0)
    size = validation.count("block", block, low=1)
    if not isinstance(sequential, bool):
        raise ValueError(f"sequential must be True or False, got {sequential!r}")
    # Taken before any of the user's functions runs, so that a change in place shows afterwards.
    input_hash = fingerprint((problem.data, problem.request))
    measurements = _measured(problem, root)
    common: dict[str, Any] = {
        "claim": claim,
        "confidence": sure,
        "seed": root,
        "delta": claim.reference_delta,
        "contraction": measurements[0],
        "sensitivity": measurements[1],
    }
    if sequential:
        ended = _sequential(problem, claim, number, 1 - sure, root, size, progress)
        conclusive = ended.refuted  # a refuted parameter is a lower limit of the true one
        return AuditReport(
            refuted=ended.refuted,
            trials=ended.pairs,
            sequential=ended,
            limits=None,
            epsilon_lower=claim.level if conclusive and isinstance(claim, ApproximateDP) else 0.0,
            mu_lower=claim.mu if conclusive and isinstance(claim, GaussianDP) else 0.0,
            w_infinity_lower=None,
            detectable_mu=None,
            detectable_leak=None,
            notes=_changed(problem, input_hash),
            **common,
        )
    unlearned, retrained = _samples(problem, number, root, size, progress)
    limits = compare(unlearned, retrained, confidence=share, claim=claim)
    apart = wasserstein.w_infinity(unlearned, retrained, confidence=share, seed=root)
    judges: dict[str, Any] = {"confidence": share, "events": len(limits.names) or 1}
    # The rarer law decides what can be seen, so the smaller number of judges goes in.
    threshold = detectable_mu(claim, min(limits.judged), dimension=limits.dimension, **judges)
    leak = detectable_leak(claim, min(limits.judged), **judges)
    return AuditReport(
        refuted=limits.refutes(claim),
        trials=number,
        sequential=None,
        limits=limits,
        epsilon_lower=limits.epsilon(claim.reference_delta),
        mu_lower=limits.mu(),
        w_infinity_lower=apart.value,
        detectable_mu=threshold,
        detectable_leak=leak,
        notes=(*_changed(problem, input_hash), *_notes(unlearned, retrained)),
        **common,
    )


def _samples(
    problem: AuditedProblem, trials: int, seed: int, block: int, progress: Progress | None
) -> tuple[Array, Array]:
    parts: dict[str, list[Array]] = {law: [] for law in LAWS}
    count = 0
    # The block's index seeds its streams: sizes other than `block` change the samples, not their
    # laws.
    for index, start in enumerate(range(0, trials, block)):
        size = min(block, trials - start)
        for law in LAWS:
            parts[law].append(problem.sample(law, size, seed, index))
            # Checked after every block, so that outputs of two shapes end the run before all are
            # drawn.
            _one_shape(parts)
            if trials * parts[law][0].shape[1] > MOST_VALUES:
                most = MOST_VALUES // parts[law][0].shape[1]
                raise ValueError(f"trials must be at most {most} for outputs so long, got {trials}")
            count += size
            if progress is not None:
                progress(count, 2 * trials)
    return np.vstack(parts["unlearn"]), np.vstack(parts["retrain"])


def _one_shape(parts: dict[str, list[Array]]) -> None:
    widths = {law: part[-1].shape[1] for law, part in parts.items() if part}
    if len({*widths.values(), *(p[0].shape[1] for p in parts.values() if p)}) > 1:
        raise ValueError(f"unlearn and retrain must return one shape, got widths {widths}")


def _sequential(
    problem: AuditedProblem,
    claim: Claim,
    trials: int,
    alpha: float,
    seed: int,
    block: int,
    progress: Progress | None,
) -> SequentialResult:
    indices = iter(range(trials))

    def blocks(size: int) -> tuple[Array, Array]:
        index = next(indices)
        first = problem.sample("unlearn", size, seed, index)
        return first, problem.sample("retrain", size, seed, index)

    # The error is not split here: a sequential audit states nothing but the verdict.
    return sequential_test(blocks, claim, alpha=alpha, most=trials, block=block, progress=progress)


def _measured(problem: AuditedProblem, seed: int) -> tuple[float | None, float | None]:
    """Contraction and sensitivity of the problem's step at some of its own outputs."""
    step, forget = problem.step, problem.forget
    if step is None:
        return None, None
    with globals_kept():
        points = problem.sample("retrain", 8, seed, 2**31)
        factor = distances.contraction(
            lambda x, rng: step(x, problem.data, rng), points, pairs=64, seed=seed
        )
        if forget is None:
            return factor.value, None
        less = called("forget", forget, problem.data, problem.request)
        sensitivity = distances.sensitivity(step, problem.data, [less], points=points, seed=seed)
    return factor.value, sensitivity.value


def _changed(problem: AuditedProblem, given: bytes | None) -> tuple[str, ...]:
    if fingerprint((problem.data, problem.request)) == given:
        return ()
    return (
        "data or request changed while the functions ran: they must not change them in place, "
        "or trials differ from each other",
    )


def _notes(unlearned: Array, retrained: Array) -> tuple[str, ...]:
    notes = []
    for law, samples in (("unlearn", unlearned), ("retrain", retrained)):
        distinct = len(np.unique(samples, axis=0))
        if distinct == 1:
            notes.append(f"every output of {law} is the same: no noise, or a fixed seed inside")
        elif 10 * distinct < len(samples):
            notes.append(
                f"few distinct outputs of {law}: discrete, or trials that are not independent, "
                "which would void the confidence"
            )
    return tuple(notes)

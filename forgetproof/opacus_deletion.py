"""After a training with Opacus: the noisy steps that forget rows, or why to retrain.

The steps are proved to forget for one `torch.nn.Linear` with one output, of a convex loss, trained
by plain SGD with weight decay (`accounting.sampled`).  Everything else is refused in a line, before
a number is computed.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from accounting.numerics import validation
from accounting.problems import SampledDescent
from accounting.problems.answer import shown
from accounting.problems.step_length import longest_rows, longest_step
from accounting.problems.training_history import TrainingHistory
from accounting.sampled.privacy import against_retraining, fewest_steps
from forgetproof.interop import from_opacus
from forgetproof.opacus_code import FLOAT32, unlearning_loop
from forgetproof.trained_layer import insist_on_score, largest_row

LOGISTIC = 0.25
"""The largest second derivative of log(1 + exp(-y s)) in the score s."""
_CLOSE = 1 + 2.0**-19  # rows that were scaled in float32 are this close to their length


@dataclass(frozen=True)
class OpacusPlan:
    """The fewest further steps after which rows are forgotten, and what retraining takes.

    Attributes:
        problem: what is executed, as `accounting.problems` has it.
        sigma: the noise multiplier of the training, which the steps keep.
        epsilon, delta: the target.
        row_norm: the bound on the norms of rows, the 1 that a bias adds to a row included.
        measured: whether it was computed from the rows.
        places: of the rows that leave, in the data of the loader; empty where only their number is
            known.
        mean: whether the loss of a batch is the mean of its rows, else their sum.
        curvature: of the loss, as it was given.
    """

    problem: SampledDescent
    sigma: float
    epsilon: float
    delta: float
    row_norm: float
    measured: bool
    places: tuple[int, ...]
    mean: bool
    curvature: float

    @property
    def steps(self) -> int:
        """K, on the rows that stay."""
        return int(self.problem.unlearning_steps)

    @property
    def retraining(self) -> int:
        """N, the steps of a training from the start."""
        return int(self.problem.steps)

    @property
    def ratio(self) -> float:
        """K/N."""
        return self.steps / self.retraining

    @property
    def worth_it(self) -> bool:
        """Whether the plan is shorter than retraining."""
        return self.steps < self.retraining

    @property
    def certified(self) -> float:
        """epsilon after these steps."""
        answer = self.problem.certified("exact", self.sigma, self.delta)
        assert answer.epsilon is not None
        return float(answer.epsilon)

    @property
    def conditions(self) -> tuple[str, ...]:
        """What the number of steps rests on, beside the assumptions of the problem."""
        whose = "computed from the rows, so that the number of steps shows it"
        return (
            f"the second derivative of a row's loss in its score is at most {self.curvature:g}"
            + " (logistic loss)" * (self.curvature == LOGISTIC),
            f"rows are of norm {self.row_norm:.6g} at most, {whose if self.measured else 'public'}",
            "arithmetic is exact",
        )

    @property
    def snippet(self) -> str:
        """Python to paste after the training, where its objects still have their names."""
        rate = self.problem.rate
        assert rate is not None
        lines = unlearning_loop(
            self.steps,
            rate,
            self.places,
            self.problem.rows,
            divisor=self.problem.batch_size if self.mean else None,
            collated=True,
            logistic=self.curvature == LOGISTIC,
        )
        return "\n".join(lines) + "\n"

    def document(self) -> dict[str, Any]:
        """The claim of training and steps, which `forgetproof check` computes anew.

        Raises ValueError where no accountant certifies the target after these steps.
        """
        from forgetproof.certificates import claim_document

        return claim_document(
            self.problem,
            self.sigma,
            epsilon=self.epsilon,
            delta=self.delta,
            retraining=self.retraining,
            conditions=self.conditions,
        )

    def __str__(self) -> str:
        first = against_retraining(self.steps, self.retraining)
        if not self.worth_it:
            return f"{first}\nretraining is no longer, and leaves epsilon = 0"
        return "\n".join(
            [
                first,
                f"({shown(self.certified)}, {self.delta:g})-indistinguishable from retraining "
                f"without {self.problem.rows} of {self.problem.n} rows",
                *(f"condition: {each}" for each in self.conditions),
            ]
        )


def opacus_plan(
    engine: Any,
    model: Any,
    optimizer: Any,
    loader: Any,
    *,
    removed: int | Collection[int],
    epsilon: float,
    delta: float,
    row_norm: float | None = None,
    curvature: float = LOGISTIC,
) -> OpacusPlan:
    """Return the fewest noisy steps after which rows are forgotten, read from Opacus' objects.

    Args:
        engine, model, optimizer, loader: of `make_private`, after the training.
        removed: how many rows leave at once, or their places in the loader's data.
        epsilon, delta: the target, against retraining with the same batches and divisor.
        row_norm: public bound on the norms of what the linear layer is given; None: the largest
            one is measured, and the number of steps then shows something of that row.
        curvature: the largest second derivative of a row's loss in its score: 1/4 of logistic
            loss (`binary_cross_entropy_with_logits`), 2 of `mse_loss`.

    Raises ValueError, in one line, for what no accountant covers: an optimizer other than SGD
    without momentum, several groups of parameters, clipping by layer, more than one trained layer
    or output, several scores of a row, no weight decay, a step that is too long for the rows,
    shuffled batches, a loader that is not that of the training; and where arguments are out of
    range.
    """
    history = from_opacus(engine, optimizer=optimizer, data_loader=loader, model=model)
    if len(history.segments) > 1:
        raise ValueError(
            "engine has changed the noise multiplier or the sampling rate on the way: one of each "
            "is covered; retrain"
        )
    if not history.weight_decay:
        raise ValueError(
            "weight_decay is 0: without it steps do not forget by themselves; train with "
            "weight_decay > 0, or retrain"
        )
    n = len(loader.dataset)
    _insist_on_loader(loader, history)
    places = _places(removed, n)
    scale = validation.scalar("curvature", curvature, low=0.0, low_open=True, high_open=True)
    layer = insist_on_score(model, optimizer)
    norm = _bound(row_norm, largest_row(model, layer, loader))
    # A bias is the weight of a column of ones.
    norm = norm if layer.bias is None else math.hypot(norm, 1.0)
    problem = SampledDescent(
        n=n,
        batch_size=_whole(history.divisor),
        steps=history.steps,
        unlearning_steps=history.steps,
        rate=loader.sample_rate,
        step_size=history.step_size,  # type: ignore[arg-type]  # a schedule has been refused
        smoothness=scale * norm**2 * (1 + 2.0**-50),
        ridge=history.weight_decay,
        clip=1.0 if history.clip is None else history.clip,
        rows=len(places) or validation.count("removed", removed, low=1, high=n - 1),
    )
    _insist_on_length(problem, norm, delta)
    sigma = history.only.noise_multiplier
    share = problem.share_of_length(sigma)
    if share < FLOAT32:
        least = shown(sigma * FLOAT32 / share, 3)
        raise ValueError(
            f"noise_multiplier must be at least {least}: float32 rounds less away, got {sigma:g}"
        )
    steps = fewest_steps(problem.setting, sigma, epsilon, delta)
    return OpacusPlan(
        problem=replace(problem, unlearning_steps=steps),
        sigma=sigma,
        epsilon=float(epsilon),
        delta=float(delta),
        row_norm=norm,
        measured=row_norm is None,
        places=places,
        mean=optimizer.loss_reduction == "mean",
        curvature=scale,
    )


def _insist_on_loader(loader: Any, history: TrainingHistory) -> None:
    """The loader is that of the training: it has all rows, and draws as the engine has counted."""
    if history.n is not None and len(loader.dataset) != history.n:
        raise ValueError(
            f"loader must be that of the training, got {len(loader.dataset)} rows where the engine "
            f"has {history.n}"
        )
    # Opacus counts the whole part of 1/rate, which rounding may make one less.
    if history.only.sampling_rate not in (loader.sample_rate, 1 / len(loader)):
        raise ValueError(
            f"loader must be that of the training, got a sampling rate of {loader.sample_rate:g} "
            f"where the engine has counted {history.only.sampling_rate:g}"
        )


def _places(removed: Any, n: int) -> tuple[int, ...]:
    """The places of the rows that leave, ascending; none where their number was given."""
    if not isinstance(removed, Collection):
        return ()
    if not 0 < len(removed) < n:
        raise ValueError(f"removed must be from 1 to {n - 1} rows, got {len(removed)}")
    places = validation.integer("removed", list(removed), low=0, high=n - 1)
    if places.ndim != 1:
        raise ValueError(f"removed must be a number or places in a row, got {removed!r:.60}")
    return tuple(sorted(set(places.tolist())))


def _bound(row_norm: float | None, longest: float) -> float:
    """The bound on norms, at least that of the longest row."""
    if row_norm is None:
        return longest
    bound = validation.scalar("row_norm", row_norm, low=0.0, low_open=True, high_open=True)
    if longest > bound * _CLOSE:
        raise ValueError(
            f"row_norm must be at least the norm of every row of the loader's data, got "
            f"{bound:.6g} and a row of norm {longest:.6g}"
        )
    return bound


def _whole(divisor: float | None) -> int:
    """What divides the noisy sum, which accountants take as a whole number."""
    if divisor is None or divisor != int(divisor):
        raise ValueError(f"expected_batch_size must be a whole number, got {divisor}")
    return int(divisor)


def _insist_on_length(problem: SampledDescent, norm: float, delta: float) -> None:
    """A step on the largest batch that is counted on contracts as one on none does."""
    longest = longest_step(problem, delta)
    if longest is None:
        return
    text = (
        f"lr {problem.step_size:g} is too long for rows of norm {norm:.3g}: at most "
        f"{shown(longest, 3, up=False)}"
    )
    shorter = norm * longest_rows(problem, delta)
    if shorter > 0:
        text += f", or rows scaled to norm {shown(shorter, 3, up=False)}"
    raise ValueError(text)

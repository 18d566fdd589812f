"""Programs that train by DP-SGD, and delete rows by further steps: in numpy, and with Opacus."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from accounting.problems import Answer, Problem
from accounting.problems.answer import shown
from forgetproof.opacus_code import FLOAT32, fraction, rate_to_prepare, unlearning_loop
from forgetproof.snippets.losses import slope

if TYPE_CHECKING:
    from simulators.runs.bounded import Bounded


def in_numpy(task: Bounded, problem: Problem, answer: Answer) -> list[str] | None:
    """Training, the steps after a request, and what the model is worth on the rows held out."""
    setting: Any = problem
    formula = slope(task)
    if formula is None or not _executed_here(setting):
        return None
    imports, text = formula
    # Rounded up in the twelfth digit: noise is never less than what was computed.
    deviation = shown(float(answer.deviation), 12)
    eta, ridge = setting.step_size, setting.ridge
    return [
        *imports,
        f"removed = np.arange({setting.rows})  # the places of the rows that leave X: put yours",
        "",
        "def noisy_steps(w, X, y, steps):",
        "    lengths = np.maximum(np.linalg.norm(X, axis=1), 1e-300)",
        "    for _ in range(steps):",
        f"        rows = rng.random(len(X)) < {fraction(setting.rate)}",
        "        z = X[rows] @ w",
        f"        slope = {text}",
        f"        cap = {setting.clip!r} / lengths[rows]",
        "        total = X[rows].T @ slope.clip(-cap, cap)",
        f"        total = total + {deviation} * rng.standard_normal(w.shape)",
        f"        w = w - {eta!r} / {setting.batch_size} * total - {eta * ridge!r} * w",
        *_projection(setting),
        "    return w",
        "",
        f"w = noisy_steps(np.zeros(X.shape[1]), X, y, {setting.steps})  # stays secret",
        "kept = np.delete(np.arange(len(X)), removed)",
        f"released = noisy_steps(w, X[kept], y[kept], {setting.unlearning_steps})",
        *_worth(task, "test.features @ released"),
    ]


def with_opacus(task: Bounded, problem: Problem, answer: Answer) -> list[str] | None:
    """The same by Opacus, of logistic loss.

    None for others, where steps project, and for noise that float32 rounds away.
    """
    setting: Any = problem
    name = type(task.made).__name__
    if name != "Logistic" or not _executed_here(setting) or math.isfinite(setting.diameter):
        return None
    if setting.share_of_length(float(answer.noise)) < FLOAT32:
        return None
    sigma = shown(float(answer.noise), 12)
    loop = unlearning_loop(
        setting.unlearning_steps,
        setting.rate,
        range(setting.rows),
        setting.rows,
        divisor=setting.batch_size,
    )
    return [
        "from opacus import PrivacyEngine",
        "from torch.utils.data import TensorDataset",
        "data = TensorDataset(torch.tensor(X).float(), torch.tensor(y > 0).float()[:, None])",
        "model = torch.nn.Linear(X.shape[1], 1, bias=False)",
        "torch.nn.init.zeros_(model.weight)",
        "optimizer = torch.optim.SGD(",
        f"    model.parameters(), lr={setting.step_size!r}, weight_decay={setting.ridge!r}",
        ")",
        "engine = PrivacyEngine()  # secure_mode=True for noise that nobody can draw again",
        "model, optimizer, loader = engine.make_private(",
        "    module=model,",
        "    optimizer=optimizer,",
        f"    data_loader=DPDataLoader(data, sample_rate={rate_to_prepare(setting.rate)}),",
        f"    noise_multiplier={sigma},",
        f"    max_grad_norm={setting.clip!r},",
        ")",
        f"optimizer.expected_batch_size = {setting.batch_size}",
        f"for x, y_of_x in islice(chain.from_iterable(repeat(loader)), {setting.steps}):",
        "    optimizer.zero_grad()",
        "    torch.nn.functional.binary_cross_entropy_with_logits(model(x), y_of_x).backward()",
        "    optimizer.step()",
        "# The model stays secret.  A request: put the places of the rows that leave below.",
        *loop,
        *_worth(task, "model(torch.tensor(test.features).float()).detach().numpy()[:, 0]"),
    ]


def _executed_here(setting: Any) -> bool:
    """Whether the steps are Poisson batches of one request that deletes."""
    from simulators.runs.sampled_steps import covers

    return covers(setting)


def _projection(setting: Any) -> list[str]:
    if math.isinf(setting.diameter):
        return []
    radius = setting.diameter / 2
    return [f"        w = w * min(1, {radius!r} / max(np.linalg.norm(w), 1e-300))"]


def _worth(task: Bounded, scores: str) -> list[str]:
    """What the model is worth on the rows held out."""
    if task.parts[1] is None:
        return []
    lines = [f"scores = {scores}"]
    if task.wants == "pair":
        return [*lines, 'print("accuracy", np.mean((scores >= 0) == (test.targets > 0)))']
    return [*lines, 'print("mean squared error", np.mean((scores - test.targets) ** 2))']

"""How long a step of DP-SGD may be, so that all batches contract as far as the ridge allows."""

from accounting.problems.dp_sgd import SampledDescent


def longest_step(problem: SampledDescent, delta: float) -> float | None:
    """The longest step that contracts on every batch that is counted on; None: this one does.

    A step on m rows contracts by 1 - eta lambda where eta (2 lambda + m L_0/B) <= 2
    (`accounting.sampled.algorithm`).  Longer ones are accounted too, at more noise and in minutes.
    """
    setting = problem.setting
    rows, _ = setting.most_rows(delta)
    if rows <= setting.free_rows:
        return None
    return float(2 / (2 * problem.ridge + rows * problem.smoothness / problem.batch_size))


def longest_rows(problem: SampledDescent, delta: float) -> float:
    """By what the norms of rows have to shrink for this step to contract; 0: no norm is enough."""
    rows, _ = problem.setting.most_rows(delta)
    room = 2 / problem.step_size - 2 * problem.ridge
    steep = rows * problem.smoothness / problem.batch_size
    return float((max(room, 0.0) / steep) ** 0.5)

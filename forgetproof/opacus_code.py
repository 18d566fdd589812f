"""Python to paste: noisy steps of Opacus on the rows that stay after a deletion."""

from collections.abc import Sequence

LOGISTIC = "torch.nn.functional.binary_cross_entropy_with_logits(model(x), y{})"

FLOAT32 = 2.0**-20
"""Noise is no less than this share of a model's length, 8 units of rounding: less hides nothing."""


def fraction(rate: float) -> str:
    """A sampling rate as code: one over a number of batches where it is one."""
    batches = round(1 / rate)
    return f"1 / {batches}" if rate == 1 / batches else repr(rate)


def rate_to_prepare(rate: float) -> str:
    """The same for a loader that `make_private` makes anew, from the whole part of 1/rate.

    Where rounding makes that one batch less, half a batch more gives the rate that is meant.
    """
    batches = round(1 / rate)
    whole = rate != 1 / batches or int(1 / rate) == batches
    return fraction(rate) if whole else f"1 / {batches + 0.5}"


def unlearning_loop(
    steps: int,
    rate: float,
    places: Sequence[int],
    rows: int,
    *,
    divisor: int | None = None,
    collated: bool = False,
    logistic: bool = True,
) -> list[str]:
    """Lines that make so many steps with `model`, `optimizer` and `loader` of a training.

    places: of the `rows` rows that leave, in the data of the loader; empty: to be filled in.
    divisor: of the sum of a batch's gradients; None: the loss of a batch is a sum already.
    collated: whether rows are to be collated as `loader` does it, else in the usual way.
    logistic: whether the loss is; else the lines call `criterion`.
    """
    loss = LOGISTIC.format(', reduction="sum"' if divisor is None else "")
    if not logistic:
        loss = "criterion(model(x), y)"
    drawn = f"sample_rate={fraction(rate)}" + ", collate_fn=loader.collate_fn" * collated
    lines = [
        "from itertools import chain, islice, repeat",
        "",
        "import torch",
        "from opacus.data_loader import DPDataLoader",
        "from torch.utils.data import Subset",
        "",
        f"removed = {list(places)}  # the places of {rows} rows in loader.dataset",
        f"assert len(set(removed)) == {rows}, 'the steps are planned for {rows} rows'",
        "stay = sorted({*range(len(loader.dataset))} - {*removed})",
        f"kept = DPDataLoader(Subset(loader.dataset, stay), {drawn})",
    ]
    if divisor is not None:
        lines.append(f"optimizer.expected_batch_size = {divisor}  # as in the training")
    return [
        *lines,
        f"for x, y in islice(chain.from_iterable(repeat(kept)), {steps}):",
        "    optimizer.zero_grad()",
        f"    {loss}.backward()",
        "    optimizer.step()",
        "# release the model as it is now, and nothing of what came before",
    ]

"""The sum of the clipped gradients of a batch, for the weights as they are.

`HeadRule`: a linear layer with one scalar loss an output.  The gradient of output j of a row x is
l'(p_j, y_j) x, so that clipping it to C clamps the slope to [-C/|x|, C/|x|], and the sum over a
batch is one product of matrices.

`ModelRule`: any model.  Gradients of every row come from `torch.func.vmap(grad)`, or from a rule of
the caller's that has them in closed form, and are clipped as a whole.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import torch
from torch.func import functional_call, grad, vmap

from forgetproof.engine.losses import LOSSES
from forgetproof.engine.refusals import EngineRefusal, insist_on_model, insist_on_precision
from forgetproof.engine.rows import RowTable
from forgetproof.engine.settings import EngineSettings

Gradients = Callable[[Any, Any, Any], Sequence[Any]]


class StepRule(Protocol):
    """What a step needs to know of a model: its weights, and the clipped sum of a batch."""

    weights: list[Any]
    device: Any

    def clipped_sum(self, batch: Any) -> list[Any]:
        """One tensor for each of the weights; `batch`: indices of rows."""


def rule_for(
    settings: EngineSettings,
    model: Any,
    table: RowTable,
    *,
    criterion: Callable[[Any, Any], Any] | None = None,
    gradients: Gradients | None = None,
) -> StepRule:
    """The rule of the settings' loss. Raises EngineRefusal for a model that does not fit it."""
    insist_on_model(model)
    if settings.contracts:
        if criterion is not None or gradients is not None:
            raise EngineRefusal(
                f"criterion and rule must be left out with loss {settings.loss}, whose gradient is "
                "known; with a loss of your own the settings must say loss any"
            )
        return HeadRule(settings, model, table)
    return ModelRule(settings, model, table, criterion, gradients)


class HeadRule:
    """A `torch.nn.Linear` whose outputs have a scalar loss each, clipped one by one."""

    def __init__(self, settings: EngineSettings, model: Any, table: RowTable) -> None:
        layer = only_layer(model)
        if layer.out_features != settings.outputs:
            raise EngineRefusal(
                f"outputs must be those of the layer, {layer.out_features}, got {settings.outputs}"
            )
        self.weights = [layer.weight] + ([] if layer.bias is None else [layer.bias])
        self.device = layer.weight.device
        self._loss = LOSSES[settings.loss]
        bound = settings.row_bound
        if layer.bias is not None:
            # The intercept is a weight of a column of ones, which counts for the length of a row.
            if bound <= 1:
                raise EngineRefusal(
                    f"row_bound must be above 1 for a layer with a bias, whose column of ones has "
                    f"length 1, got {bound:g}"
                )
            bound = np.sqrt(bound**2 - 1)
        if table.rows.shape[1:] != (layer.in_features,):
            raise EngineRefusal(
                f"rows must have {layer.in_features} numbers each, as the layer takes, got shape "
                f"{tuple(table.rows.shape)}"
            )
        rows = table.rows.to(self.device, layer.weight.dtype)
        self._rows = within(rows, bound)
        self._targets = targets_of(self._loss.signs, settings.outputs, table.targets).to(rows)
        lengths = torch.linalg.vector_norm(self._rows, dim=1, keepdim=True)
        if layer.bias is not None:
            lengths = torch.hypot(lengths, torch.ones_like(lengths))
        # A row of zeros has no gradient: the clamp at infinity changes nothing.
        self._limits = settings.clip / lengths

    def clipped_sum(self, batch: Any) -> list[Any]:
        """Sums of l'(p_j, y_j) x with the slope clamped, for each output j."""
        rows, limits = self._rows[batch], self._limits[batch]
        predictions = rows @ self.weights[0].T
        if len(self.weights) == 2:
            predictions = predictions + self.weights[1]
        slopes = self._loss.slope(predictions, self._targets[batch])
        clamped = slopes.clamp(min=-limits, max=limits)
        sums = [clamped.T @ rows]
        return sums if len(self.weights) == 1 else [*sums, clamped.sum(dim=0)]


class ModelRule:
    """Any model: gradients of every row, clipped as a whole."""

    def __init__(
        self,
        settings: EngineSettings,
        model: Any,
        table: RowTable,
        criterion: Callable[[Any, Any], Any] | None,
        gradients: Gradients | None,
    ) -> None:
        named = {name: p for name, p in model.named_parameters() if p.requires_grad}
        if not named:
            raise EngineRefusal("model must have a parameter that is trained, got none")
        if (criterion is None) == (gradients is None):
            raise EngineRefusal(
                "criterion or rule must be given with loss any, one of them, got neither or both"
            )
        self.weights = list(named.values())
        self.device = self.weights[0].device
        self._clip = settings.row_clip
        self._rows = table.rows.to(self.device)
        self._targets = table.targets.to(self.device)
        if gradients is not None:
            self._gradients = gradients
        else:
            assert criterion is not None
            self._gradients = _by_autograd(model, list(named), criterion)

    def clipped_sum(self, batch: Any) -> list[Any]:
        """Sums of clip(g_i), for each of the weights."""
        if not len(batch):
            return [torch.zeros_like(each) for each in self.weights]
        rows, targets = self._rows[batch], self._targets[batch]
        each = [g.detach() for g in self._gradients(self.weights, rows, targets)]
        shapes = [(len(batch), *weights.shape) for weights in self.weights]
        if [tuple(g.shape) for g in each] != shapes:
            raise EngineRefusal(
                f"rule must return one gradient a row for each of the weights, of shapes {shapes}, "
                f"got {[tuple(g.shape) for g in each]}"
            )
        flat = [g.reshape(len(batch), -1) for g in each]
        norms = torch.linalg.vector_norm(torch.cat(flat, dim=1), dim=1)
        # A gradient without a finite norm counts as 0: no factor would bound it.
        factors = torch.where(
            torch.isfinite(norms), (self._clip / norms).clamp(max=1.0), torch.zeros_like(norms)
        )
        sums = []
        for g, weights in zip(flat, self.weights, strict=True):
            finite = torch.where(factors[:, None] > 0, g, torch.zeros_like(g))
            sums.append((factors @ finite).reshape(weights.shape))
        return sums


def _by_autograd(model: Any, names: list[str], criterion: Callable[[Any, Any], Any]) -> Gradients:
    """Gradients of one row's loss, for all rows of a batch at once."""
    buffers = dict(model.named_buffers())
    # Parameters that are not trained are constants of the model.
    frozen = {name: p for name, p in model.named_parameters() if not p.requires_grad}

    def loss(weights: Any, row: Any, target: Any) -> Any:
        values = {**buffers, **frozen, **dict(zip(names, weights, strict=True))}
        prediction = functional_call(model, values, (row[None],))
        return criterion(prediction, target[None])

    return vmap(grad(loss), in_dims=(None, 0, 0))


def only_layer(model: Any) -> Any:
    """The linear layer that the model is. Raises EngineRefusal where it is something else."""
    layers = [each for each in model.modules() if not list(each.children())]
    if len(layers) != 1 or not isinstance(layers[0], torch.nn.Linear):
        names = ", ".join(type(each).__name__ for each in layers)
        raise EngineRefusal(
            f"model must be one Linear layer with a scalar loss an output, got {names}: for other "
            "models the settings must say loss any"
        )
    insist_on_precision("weight", layers[0].weight)
    return layers[0]


def within(rows: Any, bound: float) -> Any:
    """Rows no longer than `bound`: each longer one is scaled down, by itself."""
    lengths = torch.linalg.vector_norm(rows, dim=1, keepdim=True)
    # Rounding may leave a row an ulp above the bound; this factor is below by more.
    small = 1 - 4 * torch.finfo(rows.dtype).eps
    return rows * (bound * small / lengths).clamp(max=1.0)


def targets_of(signs: bool, outputs: int, targets: Any) -> Any:
    """Targets as one number an output: -1 and +1 for classes, one against the rest."""
    if targets.ndim == 2 and targets.shape[1] == outputs == 1:
        targets = targets[:, 0]
    if targets.ndim == 2 and targets.shape[1] == outputs:
        values = targets.double()
        if signs and not bool((values.abs() == 1).all()):
            raise EngineRefusal("targets must be -1 and +1, one column an output")
        return values
    if targets.ndim != 1:
        raise EngineRefusal(
            f"targets must be one number a row or {outputs} columns, got shape "
            f"{tuple(targets.shape)}"
        )
    if not signs:
        if outputs != 1:
            raise EngineRefusal(f"targets must have {outputs} columns, got one number a row")
        return targets.double()[:, None]
    if outputs == 1:
        binary = [{0.0, 1.0}, {-1.0, 1.0}]
        if not any(set(targets.unique().tolist()) <= pair for pair in binary):
            raise EngineRefusal("targets must be 0 and 1, or -1 and +1, for one output")
        return torch.where(targets > 0, 1.0, -1.0).double()[:, None]
    whole = targets.long()
    if bool((whole != targets).any()) or bool(((whole < 0) | (whole >= outputs)).any()):
        raise EngineRefusal(f"targets must be classes from 0 to {outputs - 1}")
    return 2 * torch.nn.functional.one_hot(whole, outputs).double() - 1

"""The one linear layer that noisy steps are proved to forget: found in a model, or refused.

A loss of one score <w, x> + b is a convex function of one number that is linear in the weights.
What lies before the layer may be any public map of each row alone; nothing may follow it.
"""

from typing import Any

import numpy as np

from accounting.numerics import validation
from forgetproof.training_objects import layers_of, mixing_layers, plain_optimizer, trained_layers

_PROVED = "noisy steps are proved to forget for one Linear layer with one output"
_ROWS = 1024  # that are sent through the model at a time


def insist_on_score(model: Any, optimizer: Any) -> Any:
    """Return the only trained layer of a model, Linear with one output.

    Raises ValueError for a model with other layers that are trained, with several outputs, with
    layers that mix rows or draw masks, and where the optimizer trains other weights.
    """
    if layers := mixing_layers(model):
        raise ValueError(f"model must have no layer that mixes rows, got {', '.join(layers)}")
    if layers := layers_of(model, "_DropoutNd"):
        raise ValueError(f"model must have no layer that draws a mask, got {', '.join(layers)}")
    trained = trained_layers(model)
    if len(trained) != 1:
        raise ValueError(
            f"model has {len(trained)} trained layers: {_PROVED}; retrain, or freeze all but the "
            "last layer"
        )
    (layer,) = trained
    if not any(base.__name__ == "Linear" for base in type(layer).__mro__):
        raise ValueError(f"model has a trained {type(layer).__name__}: {_PROVED}; retrain")
    if layer.out_features != 1:
        raise ValueError(f"model has {layer.out_features} outputs: {_PROVED}; retrain")
    weights = {id(each) for each in layer.parameters()}
    groups = plain_optimizer(optimizer).param_groups
    parameters = {id(each) for group in groups for each in group["params"] if each.requires_grad}
    if weights != parameters or not all(each.requires_grad for each in layer.parameters()):
        raise ValueError("optimizer must train all weights of the model's layer, and no others")
    return layer


def largest_row(model: Any, layer: Any, loader: Any) -> float:
    """The largest norm of what the layer is given, over all rows of a loader's data, pairs.

    Rows are collated as the loader does it.  Raises ValueError where the output of the model is not
    that of the layer, where a row has more than one score, and for rows that are not finite.
    """
    import torch

    inputs: list[Any] = []
    scores: list[Any] = []

    def keep(_: Any, arguments: Any, output: Any) -> None:
        inputs.append(arguments[0])
        scores.append(output)

    largest = 0.0
    blocks = torch.utils.data.DataLoader(
        loader.dataset, batch_size=_ROWS, collate_fn=loader.collate_fn
    )
    device = layer.weight.device
    handle = layer.register_forward_hook(keep)
    try:
        with torch.no_grad():
            for rows, *_ in blocks:
                inputs.clear()
                scores.clear()
                output = model(rows.to(device))
                if len(scores) != 1 or not torch.equal(output.reshape(-1), scores[0].reshape(-1)):
                    raise ValueError(
                        "model must return the output of its Linear layer as it is: a Sigmoid "
                        "belongs to the loss (binary_cross_entropy_with_logits)"
                    )
                if output.numel() != len(rows):
                    # A loss of several scores clips in more than one direction.
                    raise ValueError(
                        f"model must return one score of each row, got {tuple(output.shape)} for "
                        f"{len(rows)} rows"
                    )
                features = inputs[0].reshape(-1, layer.in_features).double().cpu().numpy()
                largest = max(largest, float(np.linalg.norm(features, axis=1).max()))
    finally:
        handle.remove()
    return validation.scalar("norm of a row", largest, low=0.0, high_open=True)

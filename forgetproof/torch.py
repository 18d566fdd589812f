"""Heads that forget on frozen backbones, and a recorder of trainings with Opacus.

    backbone = FrozenBackbone(network)                  # eval mode, no gradients, a digest
    head = ForgettingHead(hidden=768, classes=10)
    engine.load(head, head.rows(backbone.features(x)), labels, ids)

`pip install 'forgetproof[sim]'`; `OpacusRecorder` needs `forgetproof[interop]`.
"""

import hashlib
import math
from collections.abc import Callable
from typing import Any

from accounting.numerics import validation
from forgetproof.engine.refusals import EngineRefusal
from forgetproof.engine.rules import within
from forgetproof.extras import missing
from forgetproof.opacus_record import OpacusRecorder

try:
    import torch
except ModuleNotFoundError as absent:
    raise missing(absent, "sim") from None

__all__ = ["ForgettingHead", "FrozenBackbone", "OpacusRecorder"]


class FrozenBackbone:
    """A network whose weights are public and stay: features are a map of each row alone.

    network: a module, put into eval mode; its parameters take no gradients from now on.
    pooled: what makes one vector a row of the network's output; by default the output itself, or
    its `pooler_output`, or the first place of its `last_hidden_state`.

    Attributes:
        digest: SHA-256 of names, shapes and values of its weights and buffers, for the settings.

    Raises EngineRefusal for layers that mix the rows of a batch in eval mode too.
    """

    def __init__(
        self, network: torch.nn.Module, *, pooled: Callable[[Any], torch.Tensor] | None = None
    ) -> None:
        for module in network.modules():
            kinds = [base.__name__ for base in type(module).__mro__]
            if "_BatchNorm" in kinds and getattr(module, "running_mean", None) is None:
                raise EngineRefusal(
                    f"network must map each row alone, got {type(module).__name__} without running "
                    "statistics, which takes those of the batch"
                )
        self.network = network.eval().requires_grad_(False)
        self._pooled = pooled or _one_vector
        self.digest = digest_of(network)

    def features(self, rows: Any, batch_size: int = 256) -> torch.Tensor:
        """Features of all rows, computed once, shape (n, hidden).

        Raises EngineRefusal where the network is in training mode again, or its weights moved.
        """
        size = validation.count("batch_size", batch_size, low=1)
        if any(module.training for module in self.network.modules()):
            raise EngineRefusal("network must be in eval mode, got training mode")
        if digest_of(self.network) != self.digest:
            raise EngineRefusal(f"network must have the weights of {self.digest[:16]}, got others")
        inputs = torch.as_tensor(rows)
        with torch.no_grad():
            parts = [self._pooled(self.network(part)) for part in torch.split(inputs, size)]
        return torch.cat(parts)


def _one_vector(output: Any) -> torch.Tensor:
    """A row's vector of what a network returns, tensors and outputs of transformers alike."""
    if isinstance(output, torch.Tensor):
        return output
    if getattr(output, "pooler_output", None) is not None:
        pooled: torch.Tensor = output.pooler_output
        return pooled
    if getattr(output, "last_hidden_state", None) is not None:
        first: torch.Tensor = output.last_hidden_state[:, 0]
        return first
    raise EngineRefusal(f"pooled must be given for a network that returns {type(output).__name__}")


def digest_of(network: torch.nn.Module) -> str:
    """SHA-256 of a network's weights and buffers."""
    text = hashlib.sha256()
    for name, value in sorted(network.state_dict().items()):
        array = value.detach().cpu().contiguous()
        text.update(repr((name, tuple(array.shape), str(array.dtype))).encode())
        # As bytes: numpy has no bfloat16.
        text.update(array.reshape(-1).view(torch.uint8).numpy().tobytes())
    return text.hexdigest()


class ForgettingHead(torch.nn.Linear):
    """A linear layer on features and a constant column, for one loss an output.

    hidden: numbers of a feature vector.  classes: outputs, one against the rest.
    length: a public number that features are divided by, about as long as they are; rows longer
    than 1 after that are scaled down to 1, each by itself.  The constant column has the length 1
    too, and its weight is the intercept, shrunk like the others.

    Its first weights are 0, which no row has chosen.
    """

    def __init__(
        self,
        hidden: int,
        classes: int,
        *,
        length: float = 1.0,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        validation.count("hidden", hidden, low=1)
        validation.count("classes", classes, low=1)
        validation.scalar("length", length, low=0.0, low_open=True, high_open=True)
        super().__init__(hidden + 1, classes, bias=False, device=device, dtype=dtype)
        torch.nn.init.zeros_(self.weight)
        self.length = float(length)

    def rows(self, features: Any) -> torch.Tensor:
        """Features and the constant column, of length at most 1, shape (n, hidden + 1)."""
        values = torch.as_tensor(features).to(self.weight)
        if values.ndim != 2 or values.shape[1] != self.in_features - 1:
            raise EngineRefusal(
                f"features must have {self.in_features - 1} numbers each, got shape "
                f"{tuple(values.shape)}"
            )
        scaled = within(values / self.length, 1.0)
        return torch.cat([scaled, torch.ones_like(scaled[:, :1])], dim=1) / math.sqrt(2)

    def forward(self, features: Any) -> torch.Tensor:
        """Predictions of feature vectors, as the engine has trained on them."""
        return super().forward(self.rows(features))

"""How many bytes a run holds at most: numpy's, as tracemalloc counts them, and tensors'."""

import gc
import tracemalloc
import weakref
from collections.abc import Callable
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class _Tensors(TorchDispatchMode):
    """Looks after every operation on tensors.

    What an operation frees before it ends is not seen.  Memory that tensors share with numpy's
    arrays cannot be resized, and is counted there.
    """

    def __init__(self) -> None:
        super().__init__()
        self.peak, self.now = 0, 0
        self.known: set[int] = set()

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here: the guard would cost more than what it guards."""
        return False

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        found = function(*args, **(kwargs or {}))
        for tensor in tree_leaves(found):
            if isinstance(tensor, torch.Tensor):
                self._see(tensor.untyped_storage())
        self.look()
        return found

    def _see(self, storage: Any) -> None:
        if id(storage) not in self.known and storage.resizable():
            self.known.add(id(storage))
            self.now += storage.nbytes()
            weakref.finalize(storage, self._gone, id(storage), storage.nbytes())

    def _gone(self, name: int, size: int) -> None:
        self.known.discard(name)
        self.now -= size

    def look(self) -> None:
        """Notes what numpy held since the last look, beside the tensors of now."""
        self.peak = max(self.peak, self.now + tracemalloc.get_traced_memory()[1])
        tracemalloc.reset_peak()


def most_held(run: Callable[[], Any]) -> int:
    """Bytes that a run takes at most, its answer included; imports and caches of before are not."""
    with _Tensors():
        torch.zeros(1).add(1.0)  # what the first look imports
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        with _Tensors() as tensors:
            kept = run()
            tensors.look()
        del kept
        return tensors.peak - before
    finally:
        tracemalloc.stop()

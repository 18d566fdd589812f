"""A fake CUDA device for machines without one, as strict as a real one about where things are.

Inside `with fake_device() as device:` CUDA is available, and tensors made there live in the host's
memory but answer `.device` with cuda:0.  What a real device refuses raises: tensors of both devices
in one operation (numbers of no dimension, and indices, may come from the host), numpy on a tensor
that `cpu()` has not moved, a generator of the other device.

Counted: `syncs`, by line of the simulators, where the host waits for the device; `uploads` to it,
by line; `launches`, what the host submits: operations that are no views, and replays of graphs;
`replayed`, the operations of these; `peak`, the bytes that tensors of the device took at most.

A graph records operations with their tensors and numbers, and a replay does just these again, into
the same memory: what the host changed in between does not reach them.  A recording raises where a
real one would: at a wait, at data from the host, at a generator.

Kernels that a real device lacks, its rounding and its speed are not seen.
"""

import sys
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import Any
from unittest import mock

import numpy as np
import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_map

ROOM = 80 << 30
"""Bytes that the device has."""
CUDA, CPU = torch.device("cuda", 0), torch.device("cpu")
HERE = torch._C.DisableTorchFunctionSubclass
PACKAGE = "/simulators/"

WAITS = {
    "__bool__",
    "__contains__",
    "__float__",
    "__index__",
    "__int__",
    "allclose",
    "cpu",
    "equal",
    "is_nonzero",
    "item",
    "masked_select",
    "nonzero",
    "tolist",
    "unique",
}
NUMPY = {"__array__", "__array_interface__", "__dlpack__", "data_ptr", "numpy"}
INDEXED = {"__getitem__", "__setitem__"}
DRAWS = {"bernoulli", "normal", "normal_", "rand", "randint", "randn", "randperm", "uniform_"}
FILLS = {"arange", "empty", "eye", "full", "ones", "zeros"}
MOVES = {"copy_", "cpu", "new_tensor", "to"}
PLAIN = {"dim", "dtype", "is_leaf", "ndim", "numel", "requires_grad", "shape", "size"}


class OnCuda(torch.Tensor):
    """A tensor of the device."""

    @classmethod
    def __torch_function__(
        cls, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        """Reached outside the block only: the tensor is then what it is made of."""
        with HERE():
            return function(*args, **(kwargs or {}))


class CudaGenerator(torch.Generator):
    """A generator of the device."""

    device = CUDA  # type: ignore[assignment]


class AnyGenerator(torch.Generator):
    """What `torch.Generator` is inside."""

    def __new__(cls, device: Any = CPU) -> Any:
        return super().__new__(CudaGenerator if torch.device(device).type == "cuda" else cls)


@dataclass
class Counts:
    """What happened on the device."""

    syncs: Counter[str] = field(default_factory=Counter)
    uploads: Counter[str] = field(default_factory=Counter)
    launches: Counter[str] = field(default_factory=Counter)
    replayed: Counter[str] = field(default_factory=Counter)
    held: dict[int, weakref.ref[torch.UntypedStorage]] = field(default_factory=dict)
    now: int = 0
    peak: int = 0

    def hold(self, tensor: torch.Tensor) -> None:
        """Its storage lives on the device, until it is gone."""
        storage = tensor.untyped_storage()
        name, size = id(storage), storage.nbytes()
        if name in self.held:
            return

        def gone(_: object) -> None:
            del self.held[name]
            self.now -= size

        self.held[name] = weakref.ref(storage, gone)
        self.now += size
        self.peak = max(self.peak, self.now)


def leaves_of(*given: Any) -> list[Any]:
    """What tuples, lists and dicts hold in the end."""
    found = []
    for item in given:
        if isinstance(item, tuple | list):
            found += leaves_of(*item)
        elif isinstance(item, dict):
            found += leaves_of(*item.values())
        else:
            found.append(item)
    return found


def tensors_of(*given: Any) -> list[torch.Tensor]:
    """The tensors among them."""
    return [leaf for leaf in leaves_of(*given) if isinstance(leaf, torch.Tensor)]


def line() -> str:
    """The innermost line of the simulators."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_code.co_filename
        if PACKAGE in name and "/tests/" not in name:
            return f"{name.rsplit(PACKAGE)[-1]}:{frame.f_lineno}"
        frame = frame.f_back  # type: ignore[assignment]
    return "elsewhere"


class _Launches(TorchDispatchMode):
    """Counts kernels, those of composite operations too, while `busy` holds."""

    def __init__(self, counts: Counts) -> None:
        super().__init__()
        self.counts, self.busy = counts, False
        self.recording: Graph | None = None

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        """Nothing is compiled here: the guard would cost more than what it guards."""
        return False

    def __torch_dispatch__(
        self, operation: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        if self.recording is not None:
            self.recording.see((args, kwargs))
        found = operation(*args, **(kwargs or {}))
        if self.busy:
            for tensor in tensors_of(found):
                self.counts.hold(tensor)
        if self.busy and not operation.is_view:
            if self.recording is None:
                self.counts.launches[str(operation)] += 1
            else:
                self.recording.calls.append((operation, args, kwargs or {}, found))
        return found


class Graph:
    """What `torch.cuda.CUDAGraph` is inside; `launches` is that of the block."""

    launches: _Launches

    def __init__(self) -> None:
        self.calls: list[tuple[Any, Any, Any, Any]] = []
        self.before: dict[int, tuple[Any, Any]] = {}

    def see(self, given: Any) -> None:
        """Keep the memory of the tensors as it is: a recording computes nothing."""
        for tensor in tensors_of(given):
            storage = tensor.untyped_storage()
            if id(storage) not in self.before:
                self.before[id(storage)] = storage, storage.clone()

    def recorded(self) -> None:
        """Undo what was computed."""
        for storage, before in self.before.values():
            storage.copy_(before)
        self.before = {}

    def replay(self) -> None:
        """Every operation again, its results where they were."""
        counts = self.launches.counts
        counts.launches["graph"] += 1
        with torch._C.DisableTorchFunction():
            for operation, args, kwargs, found in self.calls:
                counts.replayed[str(operation)] += 1
                again = operation(*args, **kwargs)
                for old, new in zip(tensors_of(found), tensors_of(again), strict=True):
                    if old.data_ptr() != new.data_ptr():
                        old.copy_(new)


@contextmanager
def recording(graph: Graph) -> Iterator[None]:
    """What `torch.cuda.graph` is inside."""
    graph.launches.recording = graph
    before = Counter(graph.launches.counts.syncs), Counter(graph.launches.counts.uploads)
    try:
        yield
    finally:
        graph.launches.recording = None
        graph.recorded()
    counts = graph.launches.counts
    refused = (counts.syncs - before[0]) + (counts.uploads - before[1])
    if refused.total():
        raise RuntimeError(f"operation not permitted when stream is capturing: {dict(refused)}")


class _Device(TorchFunctionMode):
    """Every function of torch comes by here."""

    def __init__(self, counts: Counts, launches: _Launches) -> None:
        super().__init__()
        self.counts, self.launches = counts, launches

    def __torch_function__(
        self, function: Any, types: Any, args: Any = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        name = getattr(function, "__name__", str(function))
        if name == "__get__":
            name = getattr(function.__self__, "__name__", name)
            if name == "device":
                return CUDA if isinstance(args[0], OnCuda) else CPU
            if name in ("is_cuda", "is_cpu"):
                return isinstance(args[0], OnCuda) == (name == "is_cuda")
        if name in PLAIN:
            with HERE():
                return function(*args, **kwargs)
        leaves = leaves_of(args, kwargs)
        tensors = [a for a in leaves if isinstance(a, torch.Tensor)]
        held = any(isinstance(a, OnCuda) for a in tensors)
        asked, args, kwargs = _asked(name, args, kwargs)
        there = held if asked is None else asked.type == "cuda"
        self._check(name, held, there, tensors, leaves, kwargs)
        outer, self.launches.busy = self.launches.busy, held or there
        try:
            with HERE():
                found = function(*args, **kwargs)
        finally:
            self.launches.busy = outer
        if there and not held:
            self.counts.uploads[line()] += name not in FILLS
            found = found.clone() if any(found is t for t in tensors) else found
        if held and not there:
            self.counts.syncs[line()] += name != "cpu"
            return found.detach().clone().as_subclass(torch.Tensor)
        if not there:
            return found
        return tagged(found) if isinstance(found, torch.Tensor) else tree_map(tagged, found)

    def _check(
        self,
        name: str,
        held: bool,
        there: bool,
        tensors: list[torch.Tensor],
        leaves: list[Any],
        kwargs: dict[str, Any],
    ) -> None:
        generator = kwargs.get("generator")
        if self.launches.recording and (generator is not None or name in DRAWS):
            raise RuntimeError(f"{name} while a graph is recorded at {line()}")
        if generator is not None and isinstance(generator, CudaGenerator) != there:
            raise RuntimeError(f"{name} with a generator of the other device at {line()}")
        if not held:
            return
        if name in NUMPY:
            raise TypeError(f"numpy cannot have a tensor of the device: {name} at {line()}")
        host_tensors = [
            t for t in tensors if not isinstance(t, OnCuda) and t.dim() and not wrapped(t)
        ]
        if name in INDEXED:
            masks = any(t.dtype == torch.bool for t in tensors[1:])
            self.counts.syncs[line()] += masks
            self.counts.uploads[line()] += bool(
                host_tensors or any(isinstance(a, np.ndarray) for a in leaves)
            )
        elif name in WAITS:
            self.counts.syncs[line()] += 1
        elif host_tensors and name not in MOVES:
            raise RuntimeError(f"{name} with tensors of cuda:0 and of cpu at {line()}")


def _asked(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[torch.device | None, tuple[Any, ...], dict[str, Any]]:
    """The device that is asked for (None: that of the inputs), and the call on the host."""
    if name == "cpu":
        return CPU, args, kwargs
    asked = kwargs.get("device")
    if asked is not None:
        kwargs = {**kwargs, "device": CPU}
    for a in args[1:] if name == "to" else ():
        if isinstance(a, torch.Tensor):
            asked = CUDA if isinstance(a, OnCuda) else CPU
        elif isinstance(a, torch.device | str):
            asked = a
            args = tuple(CPU if b is a else b for b in args)
    return None if asked is None else torch.device(asked), args, kwargs


def wrapped(tensor: torch.Tensor) -> bool:
    """Inside a transform of torch.func, where no device is known."""
    return bool(torch._C._functorch.is_functorch_wrapped_tensor(tensor))


def tagged(found: Any) -> Any:
    """The same on the device."""
    if type(found) is not torch.Tensor or wrapped(found):
        return found
    return found.as_subclass(OnCuda)


def _of_the_device(transform: Callable[..., Any]) -> Callable[..., Any]:
    """A transform of torch.func that knows where it ends: its outermost results are the device's.

    The tensors that it differentiates pass through torch's own wrappers, which lose the tag.
    """

    def made(*args: Any, **kwargs: Any) -> Callable[..., Any]:
        inner = transform(*args, **kwargs)

        def called(*given: Any) -> Any:
            found = inner(*given)
            return tree_map(tagged, found) if _any_held(given) else found

        return called

    return made


def _any_held(given: Any) -> bool:
    return any(isinstance(a, OnCuda) for a in tensors_of(given))


@contextmanager
def fake_device() -> Iterator[Counts]:
    """One CUDA device inside."""
    from simulators.trajectory import generic

    counts = Counts()
    launches = _Launches(counts)
    graph = type("CUDAGraph", (Graph,), {"launches": launches})
    with ExitStack() as stack:
        patched = {
            "torch.cuda.is_available": lambda: True,
            "torch.cuda.synchronize": lambda *_: None,
            "torch.cuda.mem_get_info": lambda *_: (ROOM - counts.now, ROOM),
            "torch.Generator": AnyGenerator,
            "torch.cuda.CUDAGraph": graph,
            "torch.cuda.graph": recording,
        }
        for name, value in patched.items():
            stack.enter_context(mock.patch(name, value))
        stack.enter_context(mock.patch.object(generic, "vmap", _of_the_device(generic.vmap)))
        stack.enter_context(_Device(counts, launches))
        stack.enter_context(launches)
        yield counts


@contextmanager
def on_cuda() -> Iterator[Counts]:
    """A CUDA device, real (nothing is counted then) or fake."""
    if torch.cuda.is_available():
        yield Counts()
    else:
        with fake_device() as counts:
            yield counts

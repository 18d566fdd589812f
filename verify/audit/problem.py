"""What is audited: a user's learn, unlearn and retrain functions, and how they are called.

One trial at a time:            state  = learn(data, rng)
                                output = unlearn(state, data, request, rng)
                                output = retrain(data, request, rng)
All trials at once (batched):   state  = learn(data, rng, trials)
                                output = unlearn(state, data, request, rng)
                                output = retrain(data, request, rng, trials)

`rng` is a numpy Generator; data, request and state are the user's own and only passed on (they
must not be changed in place).  An output is what is released: a number, an array, a torch tensor,
or a list or mapping of those; batched outputs have the trial as their first axis.  `retrain` gets
the whole data and the request: it is the reference that never saw what the request removes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from inspect import isclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from accounting.numerics import validation
from verify.audit.outputs import UserFunctionError, called, flat, globals_kept, rows, seeded

Array = NDArray[np.float64]
LAWS = ("unlearn", "retrain")
_WANTED = ("learn", "unlearn", "retrain", "data", "request")


@dataclass(frozen=True)
class Problem:
    """The functions, what they are given, and optionally what is claimed and how a step looks.

    Attributes:
        learn, unlearn, retrain, data, request, batched: see the module.
        claim: the claim, as keyword arguments of `claims.claim_of`, for use without options.
        step: step(x, data, rng), one step of the algorithm from the iterate x, for the measured
            contraction and sensitivity.
        forget: forget(data, request), the data without what is removed, for the sensitivity.
    """

    learn: Callable[..., Any]
    unlearn: Callable[..., Any]
    retrain: Callable[..., Any]
    data: Any
    request: Any
    batched: bool = False
    claim: Mapping[str, Any] = field(default_factory=dict)
    step: Callable[..., Any] | None = None
    forget: Callable[..., Any] | None = None

    def __post_init__(self) -> None:
        for name in ("learn", "unlearn", "retrain", "step", "forget"):
            function = getattr(self, name)
            optional = name in ("step", "forget")
            if not callable(function) and not (optional and function is None):
                raise ValueError(f"{name} must be a function, got {function!r}")
        if not isinstance(self.batched, bool):
            raise ValueError(f"batched must be True or False, got {self.batched!r}")
        if not isinstance(self.claim, Mapping):
            raise ValueError(f"claim must be a mapping of claimed values, got {self.claim!r}")

    @classmethod
    def of(cls, thing: object) -> Problem:
        """The problem that an object describes by its attributes; a class is instantiated first.

        Raises ValueError naming an attribute that is missing or wrong.
        """
        if isinstance(thing, Problem):
            return thing
        if isclass(thing):
            thing = called(thing.__name__, thing)
        missing = [name for name in _WANTED if not hasattr(thing, name)]
        if missing:
            kind = type(thing).__name__
            raise ValueError(f"thing must have {missing[0]}, got an object of {kind} without")
        optional = {
            name: getattr(thing, name)
            for name in ("batched", "claim", "step", "forget")
            if hasattr(thing, name)
        }
        return cls(*(getattr(thing, name) for name in _WANTED), **optional)

    def sample(self, law: str, trials: int, seed: int, block: int = 0) -> Array:
        """Independent outputs (trials, numbers) of `unlearn` (after `learn`) or of `retrain`.

        Streams depend on the seed, the law and the block; with one trial at a time also on its
        number.  Raises UserFunctionError where a function fails or returns no finite numbers.
        """
        seed = validation.count("seed", seed, low=0)
        which = LAWS.index(validation.choice("law", law, LAWS))
        number = validation.count("trials", trials, low=1)
        key = (which, validation.count("block", block, low=0))
        with globals_kept():
            if self.batched:
                return rows(law, self._output(law, seeded(seed, *key), number), number)
            outputs: list[Array] = []
            for trial in range(number):
                outputs.append(flat(law, self._output(law, seeded(seed, *key, trial))))
                if outputs[-1].shape != outputs[0].shape:
                    raise UserFunctionError(
                        f"{law} must return one shape, got {outputs[0].shape} and "
                        f"{outputs[-1].shape}"
                    )
            return np.array(outputs)

    def _output(self, law: str, rng: np.random.Generator, *trials: int) -> Any:
        if law == "retrain":
            return called("retrain", self.retrain, self.data, self.request, rng, *trials)
        state = called("learn", self.learn, self.data, rng, *trials)
        return called("unlearn", self.unlearn, state, self.data, self.request, rng)

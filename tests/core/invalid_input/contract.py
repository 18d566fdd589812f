"""What a public function owes to any argument: an answer without NaN, or an error that names it."""

import contextlib
import dataclasses
import itertools
import re
import resource
import signal
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from accounting.sampled.privacy import RetrainingIsShorter

SECONDS = 5.0
"""Of this process alone, so that a busy machine changes nothing."""
MEMORY = 1 << 30


class TooLong(BaseException):
    """Not an Exception, so that nothing under test swallows it."""


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Processor time and memory are bounded inside; both limits are restored."""

    def stop(*_: object) -> None:
        raise TooLong

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    handler = signal.signal(signal.SIGVTALRM, stop)
    resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + MEMORY, hard))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, handler)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def violation(
    call: Callable[[], Any], names: tuple[str, ...] = (), *, refused: bool = False
) -> str | None:
    """What is wrong with how the call ends; None where it keeps the contract.

    names: what the argument with the invalid value may be called; an error has to use one of them.
    refused: no answer is right.
    """
    try:
        signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            # Advice about a number, which is right all the same.
            warnings.simplefilter("ignore", RetrainingIsShorter)
            found = call()
            if has_nan(found):
                return f"answers NaN: {str(found)[:80]}"
            if refused:
                return f"is taken: {str(found)[:80]}"
    except ValueError as error:
        if type(error).__name__ == "UserFunctionError":
            return None  # it names the caller's function that failed
        text = str(error)
        if not any(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) for word in names):
            return f"is not named: {text[:160]}"
        if "-9223372036854775808" in text:
            return f"wrapped around: {text[:160]}"
    except AssertionError:
        return "is taken: the assertion failed" if refused else None
    except FileNotFoundError:
        return None  # a word where a file is wanted
    except TooLong:
        return f"takes more than {SECONDS:g} seconds"
    except Exception as error:
        if isinstance(error, TypeError) and re.search(
            r"positional argument|takes no arg", str(error)
        ):
            return None  # a caller's function that takes other arguments
        return f"{type(error).__name__}: {str(error)[:160]}"
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def has_nan(found: Any, depth: int = 0) -> bool:
    """Whether there is a NaN in a number, array, tensor, collection, iterator or record."""
    if depth > 4 or found is None or isinstance(found, (str, bytes, bool, type)):
        return False
    if isinstance(found, (int, float, complex, np.generic)):
        return bool(found != found)
    if type(found).__module__.startswith("torch") and hasattr(found, "detach"):
        found = found.detach().cpu().numpy()
    if isinstance(found, np.ndarray):
        return found.dtype.kind in "fc" and bool(np.isnan(found).any())
    if isinstance(found, Mapping):
        return any(has_nan(value, depth + 1) for value in found.values())
    if isinstance(found, (list, tuple, set, frozenset)):
        return any(has_nan(value, depth + 1) for value in found)
    if isinstance(found, Iterator):
        return any(has_nan(value, depth + 1) for value in itertools.islice(found, 100))
    if dataclasses.is_dataclass(found):
        fields = (getattr(found, f.name, None) for f in dataclasses.fields(found))
        return any(has_nan(value, depth + 1) for value in fields)
    return False

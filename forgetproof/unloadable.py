"""Which file an import stumbled over, where loading it failed and not the code in it.

Bytecode that a full disk cut short ends in an EOFError that names nothing, garbled bytecode in a
ValueError; Python takes neither for a reason to read the source instead.
"""

from types import FrameType


def unloadable(error: BaseException) -> str | None:
    """One line naming the file that could not be loaded, or None where the error is another's."""
    frames: list[FrameType] = []
    step = error.__traceback__
    while step is not None:
        frames.append(step.tb_frame)
        step = step.tb_next
    # The innermost frame is the loader's: the code of the file has not begun to run.
    if not frames or frames[-1].f_globals.get("__name__") != "importlib._bootstrap_external":
        return None
    specs = [frame.f_locals["spec"] for frame in frames if "spec" in frame.f_locals]
    # The innermost import of several that were under way.
    spec = next((s for s in reversed(specs) if s is not None), None)
    if spec is None:
        return None
    return (
        f"{spec.name} cannot be imported from {spec.cached or spec.origin}"
        f" ({type(error).__name__}: {error})"
    )

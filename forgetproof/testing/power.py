"""What the statistical assertions of a test could have noticed, for pytest to print.

A test that passes shows nothing by itself: the plugin takes the lines after every test, and prints
them at the end of the run.
"""

_LINES: list[str] = []
MOST = 100  # of one test that are kept


def state(line: str) -> None:
    """Keeps a line about the power of an assertion that was just made."""
    if len(_LINES) < MOST and line not in _LINES:
        _LINES.append(line)


def taken() -> list[str]:
    """The lines since the last call."""
    lines = list(_LINES)
    _LINES.clear()
    return lines

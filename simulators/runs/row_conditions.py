"""Under which conditions an answer for rows holds: what is public, and what was measured."""

from __future__ import annotations

from typing import Any


def conditions(task: Any) -> tuple[str, ...]:
    """The conditions of a task (`simulators.runs.bounded.Bounded`), a sentence each."""
    sentences = [
        f"public: the number of rows, of features{_words(task)}, and every setting",
        "arithmetic is exact: noise as small as the rounding of a model hides less",
    ]
    if "column_range" in task.measured:
        sentences.append(
            "the ranges of columns were computed from the rows: the model shows them, which is "
            "a release of its own; public ranges avoid it"
        )
    if task.in_random_parts:
        sentences.append(
            "rows in pieces come in an order that is random in parts, each in pieces of it: not "
            "every order is equally likely, and no guarantee that rests on random order follows"
        )
    if task.scaled:
        sentences.append("every row is scaled to norm 1 before it is used")
    for name, (value, public) in task.bounds.items():
        bound = f"{name} = {value:.6g}"
        if not public:
            sentences.append(
                f"{bound} was computed from the rows: sigma shows it, which is a release of its "
                f"own; a bound that is known without them avoids it"
            )
        elif not task.scaled or name != "row_norm":
            beyond = "shortened" if task.clip_rows else "refused"
            sentences.append(f"{bound} bounds every row that may come; what passes it is {beyond}")
    return tuple(sentences)


def _words(task: Any) -> str:
    """What of the rows is public besides numbers."""
    words = ", the classes" * (task.wants in ("pair", "classes"))
    maps = () if task.table is None else task.table.maps
    words += ", the words of columns" * any(each.words is not None for each in maps)
    return words + ", which columns have empty cells" * any(each.marked for each in maps)

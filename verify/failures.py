"""What goes wrong with a form, in a sentence whose numbers are those of the last recorded run.

The words are written where the form is (`Fails:` in its docstring, `fails=` of an interpretation
without a formula), with fields in braces:

    {measured}, {bound}    the two sides of the deciding case
    {ratio}, {inverse}     measured over bound, and bound over measured
    {eta}, {T}, ...        an input of the deciding case, by its name

so that no number of a run is written twice.
"""

from __future__ import annotations

import string
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from verify.case_values import shown

if TYPE_CHECKING:
    from verify.record import DecidingCase


def fields(sentence: str) -> list[str]:
    """The names in braces. Raises ValueError for braces that are not a name's."""
    names = []
    for _, name, form, conversion in string.Formatter().parse(sentence):
        if name is None:
            continue
        if not name.isidentifier() or form or conversion:
            raise ValueError(f"fields must be names in braces, got {name!r} in {sentence!r}")
        names.append(name)
    return names


def failure(sentence: str, case: DecidingCase | None) -> str:
    """The sentence with the numbers of the case; as it is where it has no fields.

    Raises ValueError for a field that the case has no finite number or text for.
    """
    names = fields(sentence)
    if not names:
        return sentence
    if case is None:
        raise ValueError(f"a case must decide the verdict to fill {names[0]}, got none")
    values = _values(case)
    for name in names:
        if name not in values:
            raise ValueError(f"fields must be of {', '.join(values)}, got {name!r}")
    return sentence.format_map(values)


def _values(case: DecidingCase) -> Mapping[str, str]:
    """The fields that the case has; a ratio that is no finite number is left out."""
    values: dict[str, Any] = dict(case.inputs)
    values |= {"measured": case.measured, "bound": case.bound}
    if case.ratio is not None:
        values["ratio"] = case.ratio
    if case.ratio:
        values["inverse"] = 1 / case.ratio
    return {name: shown(value) for name, value in values.items()}

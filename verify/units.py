"""Evidence that needs no experiment: terms of a form in units that disagree (`bounds.units`)."""

from collections.abc import Iterator

from bounds import Statement
from bounds.units import apart
from verify.evidence import Clash


def clashes(claim: Statement) -> Iterator[Clash]:
    """One for every form under every reading whose terms disagree, or that is in another unit.

    What the paper prints is told where it is in another unit than the form that stands for it.
    """
    unit_map = claim.units()
    messages = {
        name: tuple(map(str, units.clashes)) for name, units in unit_map.items() if units.clashes
    }
    if apart(claim) and claim.own_form in unit_map:
        rest = (f"{n} in {u}" for n, u in unit_map.items() if n != claim.own_form and u.value)
        messages[claim.own_form] = (f"the form in {unit_map[claim.own_form]}, {', '.join(rest)}",)
    for reading in claim.readings:
        for form in reading.forms:
            if form in messages:
                yield Clash(reading.name, form, messages[form])

"""Whether one edit leads from what is printed to the corrected form: the edit is carried out.

One edit replaces one fragment. Where the fragment is of the printed TeX, the result must be the TeX
of the corrected form, letter by letter; a statement in words is edited in its words. What strikes
more than half of the text, or inserts more than all of it, is no edit, unless it only exchanges
parts of it.
"""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import takewhile

from bounds import Interpretation, Statement

_TOKEN = re.compile(r"\\[A-Za-z]+|\w|[^\w\s]")
SHARE = 0.5


def fault(claim: Statement, interpretation: Interpretation, form: str) -> str | None:
    """Why the interpretation's edit of this form does not repair it; None if it does."""
    edit = interpretation.edits[form]
    forms = claim.forms
    tex = forms[form].tex if form in forms else ""
    sources = (tex, claim.words, interpretation.text)
    # The printed TeX first, then the words of the statement, then those of the interpretation.
    text = next((s for s in sources if edit.before and edit.before in s), None)
    if text is None:
        return f"{edit.before!r} is not printed"
    times = text.count(edit.before)
    if times > 1 and not edit.everywhere:
        return f"{edit.before!r} is printed {times} times"
    if edit.before == edit.after:
        return "nothing is changed"
    struck, inserted = _changed(edit.before, edit.after)
    length = len(_tokens(text))
    # All replacements count where the edit is made everywhere.
    if times * struck > SHARE * length or times * inserted > length:
        return "more than half of what is printed is changed"
    edited = text.replace(edit.before, edit.after)
    if text is tex and "corrected" in forms and _tokens(edited) != _tokens(forms["corrected"].tex):
        return f"the edited form is {edited}, the corrected one {forms['corrected'].tex}"
    return None


def _changed(before: str, after: str) -> tuple[int, int]:
    """How many tokens are struck and inserted; none where the same tokens change places."""
    old, new = _tokens(before), _tokens(after)
    if Counter(old) == Counter(new):
        return 0, 0
    head = _common(old, new)
    # The common end is sought behind the common beginning, so that no token counts twice.
    tail = _common(old[head:][::-1], new[head:][::-1])
    return len(old) - head - tail, len(new) - head - tail


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Length of the beginning that both share."""
    pairs = takewhile(lambda both: both[0] == both[1], zip(old, new, strict=False))
    return sum(1 for _ in pairs)


def _tokens(text: str) -> list[str]:
    """Commands, letters, digits and marks, without the spaces, which TeX does not print."""
    return _TOKEN.findall(text)

"""`assert_claim`: a claim of unlearning is true of the settings that the code uses now."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from forgetproof.ours import inside_ours

if TYPE_CHECKING:
    from forgetproof.certificates.settings import SettingsCheck


@inside_ours
def assert_claim(
    target: str | os.PathLike[str] | Mapping[str, Any], /, **settings: Any
) -> SettingsCheck:
    """Return what is certified of a claim with these settings in place of its own.

        assert_claim("unlearning.json", ridge=RIDGE, unlearning_steps=STEPS, rows=14)

    Args:
        target: a file that `forgetproof check` takes, as `unlearning.json`, or its document.
        settings: of the code as it is now, by the names of the problem: for noisy steps n, rate,
            batch_size, steps, unlearning_steps, step_size, smoothness, ridge, clip, rows, sigma;
            for a model released with noise distance and sigma.  Those left out are the claim's.

    Raises AssertionError with both numbers and what has changed where the claimed epsilon is not
    certified; ValueError for a document or a setting that is none, OSError for a file that
    cannot be read.  Nothing of a model or of rows is read, and torch is not imported.
    """
    __tracebackhide__ = True
    from forgetproof.certificates.settings import check_settings

    check = check_settings(target, settings)
    if not check.holds:
        raise AssertionError(str(check))
    return check

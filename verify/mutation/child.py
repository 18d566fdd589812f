"""In a process of its own: one module is read from an edited text, then checks are run.

The Gaussian curve is first compared with many digits if `accounting` is edited, and the formulas of
the claims against their symbolic expressions, which are not edited; a module of `simulators`
against the equalities that hold it.
Reads {"module", "source", "claims"} from standard input; writes {"killed_by", "why"}.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import json
import sys
import warnings
from collections.abc import Sequence
from types import CodeType, ModuleType
from typing import Any


class Edited(importlib.abc.InspectLoader):
    """Loads one module from a text instead of from its file."""

    def __init__(self, file: str, source: str) -> None:
        self.file, self.source = file, source

    def get_source(self, fullname: str) -> str:
        return self.source

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.source, self.file, "exec")

    def is_package(self, fullname: str) -> bool:
        return self.file.endswith("__init__.py")


class Finder(importlib.abc.MetaPathFinder):
    """Answers for one module."""

    def __init__(self, module: str, source: str) -> None:
        self.module, self.source = module, source

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != self.module:
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        assert spec is not None
        assert spec.origin is not None
        return importlib.util.spec_from_loader(
            name, Edited(spec.origin, self.source), origin=spec.origin
        )


def edit(module: str, source: str) -> None:
    """From here on, the module is read from this text."""
    # Before every other finder, so that the file itself is never loaded.
    sys.meta_path.insert(0, Finder(module, source))
    warnings.simplefilter("ignore")


def unexpected(claims: Sequence[str]) -> tuple[str, str] | None:
    """The first claim whose check breaks or gives another verdict than expected, and what it said.

    Also where a module cannot be imported, which is called "import".
    """
    try:
        from verify.expectation import load, surprises
        from verify.runner import run

        expectations = load()
        for claim in claims:
            # One claim at a time: the first that notices ends the trial.
            (outcome,) = run([claim])
            if outcome.error:
                return claim, outcome.error.strip().splitlines()[-1]
            if odd := surprises([outcome], expectations):
                return claim, f"{odd[0].key}: {odd[0].found}"
    except Exception as error:  # an edit may break the import of anything
        return "import", f"{type(error).__name__}: {error}"
    return None


def judge(module: str, source: str, claims: Sequence[str]) -> dict[str, Any]:
    """Runs the checks of the claims on the edited module until one of them notices."""
    edit(module, source)
    try:
        from verify.form_agreement import first_disagreement
        from verify.mutation.curve import first_departure
        from verify.self_tests import broken
        from verify.self_tests.subjects import subjects

        # The fast witnesses first: most edits never reach a check.
        if module.startswith("accounting.") and (wrong := first_departure()):
            return {"killed_by": "curve", "why": wrong}
        for subject in (name for name, modules in subjects().items() if module in modules):
            if wrong := broken(subject):
                return {"killed_by": f"self_tests.{subject.rpartition('.')[2]}", "why": wrong}
        if differs := first_disagreement(claims):
            return {"killed_by": "expression", "why": differs}
    except Exception as error:  # an edit may break the import of anything
        return {"killed_by": "import", "why": f"{type(error).__name__}: {error}"}
    by, why = unexpected(claims) or (None, "")
    return {"killed_by": by, "why": why}


if __name__ == "__main__":
    print(json.dumps(judge(**json.load(sys.stdin))))

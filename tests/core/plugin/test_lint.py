"""`pytest --forgetproof-lint PATH`, and the assertion of the same."""

import json
import re
from pathlib import Path

import pytest

from accounting.mechanism import Mechanism
from forgetproof.testing import assert_mechanism

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "docs" / "mechanisms"
OPEN = ROOT / "tests" / "core" / "linting" / "slips" / "decay-inside-the-clip.mechanism.json"
OWN = {"test_own.py": "def test_own():\n    pass\n"}


def example(name):
    return (FOLDER / f"{name}.mechanism.json").read_text("utf-8")


def counts(run):
    found = re.findall(r"(\d+) (passed|failed|xfailed|error)", run.stdout.splitlines()[-1])
    return {word: int(n) for n, word in found}


def test_every_claim_is_an_item(project):
    names = ("right-curve", "wrong-flat-curve", "conditional-estimated")
    files = {f"docs/{name}.mechanism.json": example(name) for name in names}
    files["docs/open.mechanism.json"] = OPEN.read_text("utf-8")
    run = project({**OWN, **files}, "--forgetproof-lint", "docs", "-rP")
    assert run.returncode == 1, run.stdout
    assert counts(run) == {"passed": 5, "failed": 1, "xfailed": 1}
    assert "claims[1]  FALSE       epsilon 1.004 at delta 1e-05 claimed" in run.stdout
    assert "FP208 conversion" in run.stdout
    assert "Traceback" not in run.stdout
    assert "start: is estimated" in run.stdout
    run = project({}, "--forgetproof-lint", "docs", "--forgetproof-lint-strict", "-q")
    assert counts(run) == {"passed": 5, "failed": 2}


def test_a_path_of_no_mechanism_is_an_error_of_collection(project):
    run = project(OWN, "--forgetproof-lint", "nowhere")
    assert run.returncode == 2, run.stdout
    assert "--forgetproof-lint target must be a file or folder" in run.stdout
    assert "Traceback" not in run.stdout


class Engine:
    def __init__(self, name):
        self.document = json.loads(example(name))

    def mechanism(self):
        return Mechanism.of_document(self.document)


def test_the_assertion_takes_what_a_mechanism_is_made_of(tmp_path):
    path = tmp_path / "x.mechanism.json"
    path.write_text(example("right-curve"))
    document = json.loads(example("right-curve"))
    for target in (
        path,
        str(path),
        document,
        Mechanism.of_document(document),
        Engine("right-curve"),
    ):
        report = assert_mechanism(target)
        assert [verdict.word for verdict in report.verdicts] == ["holds", "holds"]


def test_the_assertion_fails_with_the_report():
    with pytest.raises(AssertionError, match="FALSE") as failure:
        assert_mechanism(Engine("wrong-flat-curve"))
    assert "FP208" in str(failure.value)
    assert_mechanism(Engine("conditional-estimated"))
    with pytest.raises(AssertionError, match="conditional"):
        assert_mechanism(Engine("conditional-estimated"), strict=True)


@pytest.mark.parametrize("target", [3, None, object()])
def test_what_is_no_mechanism_is_refused(target):
    with pytest.raises(ValueError, match="target must be a mechanism, or have or return one"):
        assert_mechanism(target)

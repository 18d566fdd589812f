"""The workflow that docs/pytest.md gives to copy: steps that exist, and run."""

import re
import shlex
from pathlib import Path

import pytest

from accounting.problems import SampledDescent
from forgetproof.certificates import UnlearningCertificate, claim_document
from forgetproof.cli import run

ROOT = Path(__file__).resolve().parents[2]
(TEXT,) = re.findall(r"```yaml\n(.*?)```", (ROOT / "docs" / "pytest.md").read_text("utf-8"), re.S)


def test_it_is_a_workflow():
    yaml = pytest.importorskip("yaml")
    document = yaml.safe_load(TEXT)
    # YAML 1.1 reads the key `on` as true.
    assert set(document) == {"name", True, "permissions", "jobs"}
    (job,) = document["jobs"].values()
    assert all(len({"uses", "run"} & set(step)) == 1 for step in job["steps"])
    assert job["timeout-minutes"] <= 10


def test_its_command_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    problem = SampledDescent(
        n=100, batch_size=10, steps=5, unlearning_steps=20, step_size=0.5, smoothness=0.25, ridge=1
    )
    claim = claim_document(problem, 5.0, epsilon=3.0, delta=1e-5)
    UnlearningCertificate(claim).write("unlearning.json")
    (words,) = re.findall(r"- run: forgetproof (.*)", TEXT)
    assert run(shlex.split(words)) == 0
    assert "certified: epsilon 3 at delta 1e-05" in capsys.readouterr().out

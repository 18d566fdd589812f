"""Drafts: what stands literally in a script, with its line; nothing is run or guessed."""

import ast
import json

import pytest

from accounting.mechanism import Mechanism
from forgetproof.cli import run
from forgetproof.linting import lint
from forgetproof.linting.drafts import draft

SCRIPT = """\
import torch
from opacus import PrivacyEngine
from torch.utils.data import DataLoader

raise SystemExit("this script must not run")
torch.manual_seed(0)
BATCH = 64
train = DataLoader(rows, batch_size=BATCH, shuffle=True, drop_last=True)
test = DataLoader(others, batch_size=1000, shuffle=False)
sgd = torch.optim.SGD(model.parameters(), lr=0.5, weight_decay=0.1, momentum=0)
engine = PrivacyEngine()
model, optimizer, loader = engine.make_private_with_epsilon(
    module=model, optimizer=sgd, data_loader=train, epochs=3,
    target_epsilon=1.5, target_delta=1e-5,
    noise_multiplier=2.0,
    max_grad_norm=1.5,
    poisson_sampling=False)
"""
PLACES = {
    "steps[0].batches.drawn": 8,
    "steps[0].batches.size": 7,
    "steps[0].batches.last": 8,
    "steps[0].clip.norm": 16,
    "steps[0].noise.deviation": 15,
    "steps[0].noise.drawn": 6,
    "steps[0].optimizer": 10,
    "steps[0].step_size": 10,
    "steps[0].decay": 10,
    "steps[0].momentum": 10,
    "claims[0].epsilon": 14,
    "claims[0].delta": 14,
}


def drafted(tmp_path, text):
    path = tmp_path / "train.py"
    path.write_text(text)
    return draft(path)


def step(tmp_path, *changes):
    text = SCRIPT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return drafted(tmp_path, text)["steps"][0]


def test_every_literal_has_its_line(tmp_path):
    document = drafted(tmp_path, SCRIPT)
    assert {path: place["line"] for path, place in document["places"].items()} == PLACES
    first = document["steps"][0]
    assert first["batches"] == {"drawn": "shuffled", "size": 64, "last": "dropped"}
    assert first["noise"] == {"deviation": 3.0, "on": "sum", "drawn": "public"}
    assert (first["step_size"], first["decay"], first["momentum"]) == (0.5, 0.1, 0)
    assert document["claims"] == [{"epsilon": 1.5, "delta": 1e-5}]


def test_all_else_is_unknown_and_nothing_is_false(tmp_path):
    mechanism = Mechanism.of_document(drafted(tmp_path, SCRIPT))
    assert {"steps[0].count", "released", "relation.adjacency"} <= set(mechanism.unknowns)
    report = lint(mechanism)
    assert [verdict.word for verdict in report.verdicts] == ["open"]
    # The seed is there whatever the rest is: a finding with its line, and no claim called false.
    assert [(f.code, f.claim, f.place.line) for f in report.findings] == [("FP205", None, 6)]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (("BATCH = 64", "BATCH = 64\nBATCH = 32"), "batches.size"),
        (("BATCH = 64", "for BATCH in [64]: pass"), "batches.size"),
        (("BATCH = 64", "def of(BATCH=64): return BATCH"), "batches.size"),
        (("BATCH = 64", "BATCH = int('64')"), "batches.size"),
        (("BATCH = 64", "BATCH = 64\ndef f():\n    global BATCH"), "batches.size"),
        (("poisson_sampling=False", "poisson_sampling=args.poisson"), "batches.drawn"),
        ((",\n    poisson_sampling=False", ""), "batches.drawn"),
        (("shuffle=True", "shuffle=True, sampler=mine"), "batches.drawn"),
        (("data_loader=train", "data_loader=make(rows)"), "batches.size"),
        (("engine = PrivacyEngine()", "engine = PrivacyEngine(secure_mode=True)"), "noise.drawn"),
        (("torch.manual_seed(0)", "torch.manual_seed(args.seed)"), "noise.drawn"),
        (("torch.manual_seed(0)", "numpy.random.seed(0)"), "noise.drawn"),
        (("noise_multiplier=2.0", "noise_multiplier=args.sigma"), "noise.deviation"),
        (("max_grad_norm=1.5", "max_grad_norm=-1.5"), "clip.norm"),
        (("max_grad_norm=1.5", "max_grad_norm=True"), "clip.norm"),
        (("lr=0.5", "lr='fast'"), "step_size"),
        (("momentum=0", "momentum=m"), "momentum"),
        (("SGD(", "choose("), "optimizer"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_a_script_leaves_open_is_unknown(tmp_path, change, path):
    first = step(tmp_path, change)
    for key in path.split("."):
        first = first[key]
    assert first == "unknown"


def test_the_engine_samples_whatever_the_loader_says(tmp_path):
    first = step(tmp_path, ("poisson_sampling=False", "poisson_sampling=True"))
    assert first["batches"]["drawn"] == "poisson"


def test_several_loaders_and_no_engine_say_nothing(tmp_path):
    text = "a = DataLoader(x, 8, True)\nb = DataLoader(y, 9)\n"
    assert drafted(tmp_path, text)["steps"][0]["batches"]["size"] == "unknown"
    first = drafted(tmp_path, text.partition("\n")[0])["steps"][0]
    assert first["batches"] == {"drawn": "shuffled", "size": 8, "last": "unknown"}


@pytest.mark.parametrize("text", ["", "x = 1\n", "f(*a, **b)(c)[0](d=1)\n", "DataLoader()\n"])
def test_any_script_has_a_draft(tmp_path, text):
    ast.parse(text)
    Mechanism.of_document(drafted(tmp_path, text))


@pytest.mark.parametrize("text", ["def", "x = (", "\0", "(" * 5000])
def test_what_is_no_python_is_refused(tmp_path, text):
    with pytest.raises(ValueError, match=r"^draft: .*must be Python"):
        drafted(tmp_path, text)


def test_the_command_prints_and_writes_the_draft(tmp_path, capsys):
    script, out = tmp_path / "train.py", tmp_path / "train.mechanism.json"
    script.write_text(SCRIPT)
    assert run(["mechanism", "--draft", str(script), "--out", str(out)]) == 0
    text = capsys.readouterr().out
    assert f"{script}:16: steps[0].clip.norm = 1.5" in text
    assert "unknown: relation.adjacency, n, steps[0].count" in text
    assert Mechanism.read(out).draft
    assert run(["lint", str(out)]) == 1  # of the seed; no claim is called false
    text = capsys.readouterr().out
    assert "claims[0]  open" in text
    assert run(["mechanism", "--draft", str(script), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(out.read_text())

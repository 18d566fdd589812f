"""The empirical curve of a claim: means of runs on data, their band, and the forms beside it."""

import numpy as np
import pytest

import bounds
from verify import plots
from verify.plots import measured

SMALL = {"data": "digits", "rows": 64, "trials": 8, "learn_epochs": 4, "batch_size": 32}


def drawn(id, settings=SMALL, **how):
    claim = bounds.get(id)
    return measured.picture(claim, settings, plots.told(claim), **{"repeats": 3, **how})


def test_a_run_with_many_values_is_drawn_over_one_of_their_symbols():
    picture = drawn("sglu.lem3.5")
    found = {c.name: c for c in picture.curves}
    assert picture.x_label == "learning epochs $T$ [epochs]"
    assert found["experiment"].x == (1.0, 2.0, 3.0, 4.0)
    assert all(np.diff(found["printed"].y) >= 0)
    band = found["experiment"]
    for low, y, high, printed in zip(band.low, band.y, band.high, found["printed"].y, strict=True):
        assert low <= y <= high
        assert y <= printed * (1 + 1e-9)
    assert "langevin on digits" in picture.fixed
    assert "3 runs" in picture.fixed


def test_the_mean_is_that_of_the_runs_and_the_forms_stand_at_their_symbols():
    from bounds.declared import EXPERIMENTS
    from verify import checks
    from verify.measurements import series

    claim = bounds.get("sglu.lem3.5")
    measurement = checks.check(claim).measurements[0]
    kind = EXPERIMENTS.get("langevin")
    sample = next(iter(kind.samples.values()))
    runs = [kind(**{**sample, **SMALL, "seed": seed}).run() for seed in range(3)]
    values = [series(claim, measurement, run) for run in runs]
    found = {c.name: c for c in drawn("sglu.lem3.5").curves}
    wanted = np.mean([seen.values for seen, _, _ in values], axis=0)
    assert found["experiment"].y == pytest.approx(wanted, rel=1e-12)
    _, inputs, _ = values[0]
    assert found["tight"].y[0] == pytest.approx(float(claim("tight", **{**inputs, "T": 1})))


def test_a_setting_is_swept_where_no_symbol_varies_within_a_run():
    points = [0.05, 0.1]
    picture = drawn("sglu.lem3.5", over="regularisation", points=points)
    assert picture.x_label == "regularisation [-]"
    assert {c.x for c in picture.curves} == {(0.05, 0.1)}
    band = next(c for c in picture.curves if c.name == "experiment")
    assert len(band.low) == len(band.high) == 2


@pytest.mark.parametrize(
    ("id", "settings", "how", "message"),
    [
        ("sglu.lem3.5", {"rows": 64}, {"experiment": "online"}, "experiment must be one of"),
        ("sglu.lem3.5", SMALL, {"over": "colour"}, "over must vary within a run of langevin"),
        ("sglu.lem3.5", SMALL, {"repeats": 1}, "repeats must be >= 2"),
        ("sglu.lem3.5", {**SMALL, "rows": -1}, {}, "rows must be"),
        ("sglu.claim20x", SMALL, {}, "data needs a claim that an experiment measures"),
    ],
)
def test_what_cannot_be_measured_is_named(id, settings, how, message):
    with pytest.raises(ValueError, match=message):
        drawn(id, settings, **how)


def test_the_command_takes_settings_and_a_list_for_what_varies(tmp_path, capsys):
    import json

    from forgetproof.cli import run

    out = tmp_path / "x.svg"
    words = [f"{k}={v}" for k, v in SMALL.items() if k != "data"]
    varied = ["--over", "regularisation", "regularisation=[0.05, 0.1]"]
    given = ["plot", "sglu.lem3.5", "--data", "digits", "--repeats", "2", "--json"]
    assert run([*given, "--out", str(out), *words, *varied]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [c["x"] for c in found["curves"]] == [[0.05, 0.1]] * len(found["curves"])
    assert (found["verdict"], found["run"]) == ("holds", False)
    assert found["violated"] == "above"
    assert out.read_text("utf-8").startswith("<?xml")
    assert run([*given, "--out", str(out), "colour=1"]) == 2
    assert "settings are NAME=VALUE" in capsys.readouterr().err


def test_a_schedule_for_more_rounds_than_there_are_rows_is_left_out(monkeypatch):
    """The small runs on data delete up to round 240; a table of 200 rows has no such round."""
    from simulators.runs.online import OnlineLearning

    starts = list(measured._starts(OnlineLearning, {"data": "rows.csv"}))
    assert [s for s in starts if "schedule" in s]
    bare = [s for s in starts if "schedule" not in s and "epsilon" in s]
    assert bare
    assert all("rounds" not in s and s["data"] == "rows.csv" for s in bare)
    assert starts.index(bare[0]) > max(i for i, s in enumerate(starts) if "schedule" in s)

"""Where data stay far from a bound, the constructed instance that comes closest stands beside."""

import dataclasses
import json

import pytest

import bounds
from forgetproof.commands import _runs
from verify import companions
from verify.companions import closeness, companion, is_far
from verify.context import Context
from verify.evidence import Comparison
from verify.measurements import RunComparisons, on_samples

SHIFT = bounds.get("olu.eq19")


def held(measured, bound=1.0, **how):
    found = Comparison("literal", "printed", "rows", {}, measured, bound, **how)
    return RunComparisons(SHIFT, "literal", "regret_shift", (found,))


@pytest.mark.parametrize(
    ("how", "far"),
    [
        (held(0.09), True),
        (held(0.11), False),
        (held(0.5, basis="statistical"), True),
        (held(2.0), False),
        (held(1.0, relation="=="), False),
        (held(20.0, relation=">="), True),
        (held(5.0, relation=">="), False),
        (RunComparisons(SHIFT, "literal", "regret_shift", why="at rounding"), False),
    ],
    ids=["below", "above", "limit", "refuted", "equal", "far-over", "just-over", "unmeasured"],
)
def test_what_is_far(how, far):
    assert is_far(how) == far


def test_rows_are_far_and_the_worst_case_is_not():
    claim = bounds.get("sglu.thml.2")
    assert [is_far(h) for h in on_samples(Context(claim)) if h.comparisons] == [True]
    beside = companion(claim, "literal")
    assert closeness(beside) == pytest.approx(0.25, abs=0.01)
    assert not beside.on_data
    assert not beside.violated


def test_a_interpretation_of_its_own_comes_before_a_closer_one_of_another(monkeypatch):
    near = Comparison("literal", "printed", "own", {}, 0.2, 1.0)
    other = dataclasses.replace(near, interpretation="whole", measured=0.9)
    less = dataclasses.replace(near, measured=0.01)
    for found, best in ((near, near), (less, other)):
        monkeypatch.setattr(companions, "_constructed", lambda id, found=found: (other, found))
        assert companion(SHIFT, "literal") is best
    monkeypatch.setattr(companions, "_constructed", lambda id: ())
    assert companion(SHIFT, "literal") is None


def test_the_table_of_a_run_shows_it(capsys):
    from bounds.declared import EXPERIMENTS

    kind = EXPERIMENTS.get("d2d")
    run = kind(sigma=0.0, data="wine", regularisation=0.05, radius=50.0, trials=1).run()
    rows = {row["claim"]: row for row in _runs._compared(run, 1.0)}
    assert rows["sglu.thml.1"]["closest_known"]["attainment"] == pytest.approx(1, abs=1e-6)
    json.dumps(rows["sglu.thml.1"])
    _runs._show_compared(list(rows.values()))
    assert "sglu.thml.1 (replacement): 1 of it, quadratics" in capsys.readouterr().out

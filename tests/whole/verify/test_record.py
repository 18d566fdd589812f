"""The record of a run: written claim by claim, read back as it was, and compared."""

from dataclasses import replace

import pytest

import bounds
from forgetproof.cli import run as command
from verify import record, runner
from verify.record import RecordedClaim

ABOUT = {
    "date": "2026-03-01T10:00",
    "versions": {"forgetproof": "9"},
    "profile": "quick",
    "seed": 0,
}
ID = "sglu.lem3.4"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the papers' records are for the length of a test."""
    monkeypatch.setattr(record, "folders_of_checks", lambda paper: [tmp_path])
    return tmp_path


@pytest.fixture(scope="module")
def outcome():
    return runner.run([ID])[0]


def test_what_is_kept_is_read_back(folder, outcome):
    claim = bounds.get(ID)
    assert record.of_claim(claim) is None
    assert record.keep([outcome], ABOUT) == [folder / "record.json"]
    stored = record.of_claim(claim)
    assert stored == record.recorded(outcome, ABOUT, None)
    assert record.differences(stored, stored) == []
    assert stored.date == "2026-03-01"
    assert stored.history == ({"date": "2026-03-01", "version": "9", "headline": "holds"},)
    verdict = stored.verdict("literal", "printed")
    assert verdict.case.ratio <= 1 + 1e-9
    assert stored.verdict("literal", "no form") is None


def test_a_claim_that_did_not_run_keeps_its_record(folder, outcome):
    other = runner.run(["sglu.lem3.5"])[0]
    record.keep([other], ABOUT)
    record.keep([outcome], {**ABOUT, "date": "2026-04-01"})
    kept = record.of_paper(bounds.paper("sglu"))
    assert {id: claim.date for id, claim in kept.items()} == {
        "sglu.lem3.4": "2026-04-01",
        "sglu.lem3.5": "2026-03-01",
    }
    lines = (folder / "record.json").read_text("utf-8").splitlines()
    assert len(lines) == 4


def test_history_has_a_line_for_each_change_and_no_other(folder, outcome):
    first = record.recorded(outcome, ABOUT, None)
    again = record.recorded(outcome, {**ABOUT, "date": "2026-05-01"}, first)
    assert again.history == first.history
    refuted = replace(first, headline="false", history=({"headline": "false"},))
    changed = record.recorded(outcome, {**ABOUT, "date": "2026-06-01"}, refuted)
    assert [each["headline"] for each in changed.history] == ["false", "holds"]


def spoiled(stored: RecordedClaim, **changes: object) -> RecordedClaim:
    """The record with its first verdict changed."""
    first, *others = stored.verdicts
    return replace(stored, verdicts=(replace(first, **changes), *others))


def test_a_difference_is_named(outcome):
    stored = record.recorded(outcome, ABOUT, None)
    key = outcome.verdicts[0].key
    case = stored.verdicts[0].case
    assert record.differences(stored, replace(stored, sources="0")) == ["sources"]
    assert record.differences(stored, replace(stored, headline="false")) == ["headline"]
    assert record.differences(stored, spoiled(stored, word="false")) == [f"{key}: word"]
    assert record.differences(stored, spoiled(stored, case=None)) == [f"{key}: case"]
    farther = replace(case, bound=case.bound * (1 + 1e-5))
    assert record.differences(stored, spoiled(stored, case=farther)) == [f"{key}: bound"]
    nearer = replace(case, bound=case.bound * (1 + 1e-7))
    assert record.differences(stored, spoiled(stored, case=nearer)) == []
    sampled = replace(farther, basis="statistical")
    sides = (
        spoiled(stored, case=replace(case, basis="statistical")),
        spoiled(stored, case=sampled),
    )
    assert record.differences(*sides) == []
    fewer = replace(stored, verdicts=stored.verdicts[1:])
    assert record.differences(stored, fewer) == ["verdicts"]


def test_long_lists_are_told_by_their_ends():
    assert record._short([1, 2, 3]) == [1, 2, 3]
    assert record._short(list(range(9))) == "0, 1, … 8 (9 values)"
    assert record._short({"a": list(range(9)), "b": 2}) == "a: 0, 1, … 8 (9 values), b: 2"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("{}", "schema"),
        ('{"schema": "forgetproof-record/1", "claims": {"sglu.lem3.4": {}}}', "sglu.lem3.4"),
        ("no JSON", "record must be as"),
    ],
)
def test_a_record_that_nobody_wrote_is_refused(folder, text, fault):
    (folder / "record.json").write_text(text)
    with pytest.raises(ValueError, match=fault):
        record.of_paper(bounds.paper("sglu"))


def test_the_command_writes_it_and_refuses_a_scaled_run(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments = ["verify", ID, "--plots", "none", "--record"]
    assert command(arguments) == 0
    assert ID in record.of_paper(bounds.paper("sglu"))
    assert command([*arguments, "--scale", "0.5"]) == 2
    assert "scale must be 1 with record" in capsys.readouterr().err

"""Trials on several workers and on disk: the same bytes, whatever was killed meanwhile."""

import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial

import numpy as np
import pytest

from simulators.runs import noisy
from simulators.runs.langevin import LangevinUnlearning
from simulators.runs.trial_quantiles import rank_of
from verify import executors, trials
from verify.jsonio import dumps
from verify.trials import run_trials

make = partial(
    LangevinUnlearning,
    data="synthetic",
    rows=20,
    dimension=2,
    sigma=0.01,
    learn_epochs=1,
    trials=25_000,
)


@pytest.fixture(autouse=True)
def short_pieces(monkeypatch):
    monkeypatch.setattr(noisy, "MOST_PIECE", noisy.LEAST_PIECE)
    trials._run.cache_clear()


@pytest.fixture
def threads(monkeypatch):
    """Threads in place of processes, which would take seconds to start."""

    @contextmanager
    def pool(jobs):
        with ThreadPoolExecutor(jobs) as workers:
            yield workers

    monkeypatch.setattr(executors, "_pool", pool)


def whole():
    return dumps(make().run().document())


def test_several_workers_give_the_same_bytes(threads):
    counts = []
    document = run_trials(make, jobs=3, progress=lambda *count: counts.append(count))
    assert dumps(document) == whole()
    assert counts[-1] == (25_000, 25_000)
    assert counts == sorted(counts)


class Killed(BaseException):
    """What nothing catches."""


def listed_pieces(monkeypatch):
    """The pieces that are computed from now on, in a list that grows."""
    computed = []
    values = noisy.NoisyRun.trial_values
    monkeypatch.setattr(
        noisy.NoisyRun,
        "trial_values",
        lambda run, piece: computed.append(piece) or values(run, piece),
    )
    return computed


def die_at(end, monkeypatch):
    """The run ends before this piece is merged, without a word to the file."""
    take = trials.TrialsOnDisk.take

    def dying(disk, piece, statistics):
        if piece == end:
            monkeypatch.setattr(trials.TrialsOnDisk, "save", lambda disk: None)
            raise Killed
        take(disk, piece, statistics)

    monkeypatch.setattr(trials.TrialsOnDisk, "take", dying)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("end", [0, 1, 4])
def test_killed_and_resumed_it_gives_the_same_bytes(end, jobs, tmp_path, monkeypatch, threads):
    with monkeypatch.context() as patch:
        patch.setattr(trials, "SAVED", 0.0)  # every piece is written
        die_at(end, patch)
        with pytest.raises(Killed):
            run_trials(make, out=tmp_path)
    assert (tmp_path / trials.FILE).exists() == (end > 0)
    computed = listed_pieces(monkeypatch)
    document = run_trials(make, jobs=jobs, out=tmp_path, resume=True)
    assert sorted(computed) == list(range(end, 7))
    assert dumps(document) == whole()


LEVELS = (0.1, 0.5, 0.999)


def test_quantiles_are_those_of_all_trials(threads):
    document = run_trials(make, jobs=2, quantiles=LEVELS)
    found = document.pop("quantiles")
    assert dumps(document) == whole()
    for law in ("learned", "unlearned"):
        norms = np.sort(np.linalg.norm(getattr(make().run().result, law), axis=1))
        expected = [norms[rank_of(level, len(norms)) - 1] for level in LEVELS]
        assert list(found[f"norm {law}"].values()) == expected
    assert found.keys() > {"norm learned", "norm unlearned", "train accuracy unlearned"}


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("end", [3, 7, 10])
def test_quantiles_come_out_of_a_run_that_was_killed_in_any_pass(
    end, jobs, tmp_path, monkeypatch, threads
):
    """Seven pieces in each of two passes: at the end 7 the second has begun, without a piece."""
    straight = dumps(run_trials(make, quantiles=LEVELS))
    taken = []
    with monkeypatch.context() as patch:
        patch.setattr(trials, "SAVED", 0.0)
        take = trials.TrialsOnDisk.take

        def dying(disk, piece, statistics):
            if len(taken) == end:
                patch.setattr(trials.TrialsOnDisk, "save", lambda disk: None)
                raise Killed
            taken.append(piece)
            take(disk, piece, statistics)

        patch.setattr(trials.TrialsOnDisk, "take", dying)
        with pytest.raises(Killed):
            run_trials(make, out=tmp_path, quantiles=LEVELS)
    computed = listed_pieces(monkeypatch)
    document = run_trials(make, jobs=jobs, out=tmp_path, resume=True, quantiles=LEVELS)
    assert dumps(document) == straight
    assert len(computed) == 14 - end
    # Other levels are another run.
    with pytest.raises(ValueError, match="quantiles differ"):
        run_trials(make, out=tmp_path, resume=True, quantiles=(0.2,))


def test_an_interrupt_keeps_what_has_ended(tmp_path):
    def stop(piece, statistics):
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        take = trials.TrialsOnDisk.take
        patch.setattr(
            trials.TrialsOnDisk,
            "take",
            lambda disk, piece, each: (stop if piece == 3 else partial(take, disk))(piece, each),
        )
        with pytest.raises(KeyboardInterrupt):
            run_trials(make, out=tmp_path)
    assert json.loads((tmp_path / trials.FILE).read_text())["pieces"] == 3


def test_a_finished_run_is_told_of_again_without_a_trial(tmp_path, monkeypatch):
    first = run_trials(make, out=tmp_path)
    monkeypatch.setattr(noisy.NoisyRun, "trial_values", None)
    assert dumps(run_trials(make, out=tmp_path, resume=True)) == dumps(first)


@pytest.mark.parametrize(
    ("other", "named"),
    [({"sigma": 0.02}, "settings differ"), ({"rows": 21}, "settings, data differ")],
    ids=["noise", "rows"],
)
def test_another_run_is_not_resumed(other, named, tmp_path):
    run_trials(make, out=tmp_path)
    before = (tmp_path / trials.FILE).read_bytes()
    with pytest.raises(ValueError, match=f"same settings to resume, .*: {named}"):
        run_trials(partial(make, **other), out=tmp_path, resume=True)
    assert (tmp_path / trials.FILE).read_bytes() == before


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"identity": 1, "passes": [], "pieces": 2, "statistics": 3}']
)
def test_a_damaged_file_is_refused(text, tmp_path):
    (tmp_path / trials.FILE).write_text(text)
    with pytest.raises(ValueError, match="out must hold trials to resume"):
        run_trials(make, out=tmp_path, resume=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"jobs": 0}, "jobs must be"),
        ({"jobs": 2, "cluster": "tcp://127.0.0.1:1"}, "jobs must be 1 on a cluster"),
        ({"resume": True}, "resume needs out"),
        ({"quantiles": [1.5]}, "quantiles must be"),
    ],
    ids=["no-jobs", "jobs-on-a-cluster", "resume-nothing", "beyond-one"],
)
def test_options_that_do_not_go_together_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        run_trials(make, **options)


def test_what_a_process_gets_is_small():
    assert len(pickle.dumps(trials.PieceOfTrials(pickle.dumps(make)))) < 2000

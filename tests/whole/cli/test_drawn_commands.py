"""Commands drawn at random from their declarations: a refusal is one line that names its setting.

All settings are in their ranges, however far out, or exactly one is not: see `drawn_commands`.
"""

import shutil
import signal
from types import SimpleNamespace

import pytest

from forgetproof.cli import run
from tests.drawn_commands import BROKEN, BROKEN_ROWS, FILES, WAITING, Drawn, commands, faults

SEED = 16
INSIDE, OUTSIDE = (60, 350), (120, 700)  # commands in short, and in full
LIMIT = (5.0, 20.0)  # seconds of processor time


class TooLong(BaseException):
    """Not an Exception, so that the command line does not make a complaint of it."""


@pytest.fixture
def tried(tmp_path, monkeypatch, capsys, full):
    """Runs the words of a command in a folder with files: its exit code, output and errors.

    The code is None where it was ended after its time.
    """

    def late(*_):
        raise TooLong

    def one(words, files=()):
        shutil.rmtree(tmp_path)
        tmp_path.mkdir()
        monkeypatch.chdir(tmp_path)
        for name, data in (FILES | dict(files)).items():
            (tmp_path / name).write_bytes(data)
        signal.setitimer(signal.ITIMER_PROF, LIMIT[full])
        try:
            code = run(list(words))
        except TooLong:
            code = None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        out, err = capsys.readouterr()
        return SimpleNamespace(code=code, out=out, err=err)

    before = signal.signal(signal.SIGPROF, late)
    yield one
    signal.signal(signal.SIGPROF, before)


def wrong(drawn, tried):
    """What is wrong with how a command ends, with its words and what it said; empty if nothing."""
    end = tried(drawn.words, drawn.files)
    found = faults(drawn, end.code, end.out, end.err)
    return [f"{'; '.join(found)}: {' '.join(drawn.words)}\n  {end.err[-300:]}"] if found else []


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.skipif(not hasattr(signal, "ITIMER_PROF"), reason="needs a clock of processor time")
@pytest.mark.parametrize("outside", [False, True], ids=["all-in-range", "one-out-of-range"])
def test_drawn_commands_end_as_they_should(tried, full, outside):
    count = (OUTSIDE if outside else INSIDE)[full]
    drawn = commands(count, SEED, outside=outside)
    found = [line for each in drawn for line in wrong(each, tried)]
    assert not found, "\n".join(found)


ONLINE = "noise online --epsilon 1 --delta 1e-5 --strong-convexity 1 --smoothness 3 --lipschitz 1"
ROWS = "--loss logistic --regularisation .1 --epsilon 1 --delta 1e-5 --trials 2"
MADE = "--data synthetic --rows 12 --dimension 2"
CONTRACTION = "noise contraction --epsilon 1 --delta 1e-5 --process"
ERM = "noise erm --epsilon 1 --delta 1e-5 --loss logistic --regularisation 1"
CELLS = ("words.csv", "nan.csv")  # whose cells are what is wrong
REFUSED = {
    # A function's own name, or one from inside, stood where the setting should.
    f"{ONLINE} --diameter 2 --schedule deletions.csv --step-size 0": "step_size must be > 0",
    f"noise d2d --data rows.csv {ROWS} --classes x": "classes must be among 0, 1 of rows, got x",
    f"noise d2d --data rows.csv {ROWS} --range a=0:1": "range must be a number from 1 to 4, got "
    "'a=0:1'",
    f"noise d2d --data rows.csv {ROWS} --classes 0,0": "classes must be two",
    f"simulate ns {MADE} --epochs 2 --step-size -1": "step_size must be > 0 and finite, got -1",
    f"simulate deltagrad {MADE} --epochs 2 --clip 1": "clip must not be given to DeltaGrad",
    f"simulate tracking {MADE} --rounds 3 --regularisation 1e-109": "regularisation must be",
    f"simulate ij {MADE} --loss softmax --epochs 2 --regularisation 1e-99": "regularisation must",
    f"simulate newton-removal {MADE} --test-share .9 --noise 0 --regularisation 0": "regular",
    f"simulate newton-removal {MADE} --loss hinge": "loss must have a Lipschitz second derivative",
    f"simulate ns {MADE} --epochs 4 --decay 1e-300": "decay must leave every step positive",
    f"simulate ns {MADE} --epochs 2 --loss quadratic --regularisation 0": "step_size must be",
    f"simulate safe {MADE} --rounds 5 --test-share .9": "rounds must be fewer for 2 rows, got 5",
    "simulate safe --data rows.csv --rounds 3 --classes 0,0": "classes must be different ones",
    f"simulate mini {MADE} --epochs 90 --loss ridge --step-size 1e6": "step_size must be smaller",
    "simulate online --data synthetic --rounds 90 --radius inf --loss ridge --step-size 1e6": (
        "step_size and sigma must be small enough"
    ),
    f"simulate deltagrad {MADE} --loss ridge --epochs 99 --step-size 1e6": "--data, --rows, "
    "--dimension, --loss, --epochs, --step-size must keep numbers in the range of floats: overflow",
    f"simulate safe {MADE} --rounds 5 --trials 20 --regularisation 9e-236": "regularisation",
    "simulate online --data huber-well --rounds 5 --regularisation 0": "regularisation must be > 0",
    "simulate online --data one-slope --rounds 9 --radius 1e300": "sigma and radius must be such",
    # Nobody had given the setting that was named.
    f"noise newton-removal --data rows.csv {ROWS} --residual 1": "loss logistic with ",
    f"noise d2d --data rows.csv {ROWS} --sigma .001": "sigma must be larger where no number",
    "noise tracking --epsilon 1 --delta 1e-5 --n 99 --lipschitz 1 --strong-convexity 1e-15 "
    "--smoothness 1 --sigma 1e-300": "sigma must be larger where no number",
    "audit verify.audit.examples.correct:EXAMPLE --delta 2": "delta must come with epsilon",
    # The column was told otherwise than it was written.
    f"noise d2d --data rows.csv {ROWS} --target-column 99": "target_column must be a number from 1 "
    "to 4, got 99",
    f"noise d2d --data rows.csv {ROWS} --drop 99": "drop must be a number from 1 to 4, got 99",
    f"noise d2d --data rows.csv {ROWS} --keep z": "keep must be a number from 1 to 4, got 'z'",
    f"noise d2d --data rows.csv {ROWS} --drop 4": "drop must not name the target of rows.csv, "
    "which is column 4",
    # The value was not shown.
    f"simulate ns {MADE} --epochs -1e300": "epochs must be an integer >= 1, got -1e+300",
    "noise tracking --epsilon 1 --delta 1e-5 --n 99 --lipschitz 1 --strong-convexity 1 "
    "--smoothness 2 --sizes [[1]]": "sizes must be a list with one entry per round, got [[1]]",
    # A file was named, and no setting.
    f"{ONLINE} --diameter 2 --schedule early.csv": "schedule: times must be >= 2",
    f"noise d2d --data flat.csv {ROWS}": "data: features must have no zero row",
    **{f"{CONTRACTION} {name}": f"process: {name} " for name in ("words.csv", "list.json")},
    **{
        f"noise d2d --data {name} {ROWS}": f"data{'' if name in CELLS else ':'} {name}"
        for name in BROKEN_ROWS
    },
    f"noise d2d --data missing.csv {ROWS}": "data: no data file at missing.csv",
    f"{ERM} --data rows.csv --model words.csv": "model: words.csv line 1 must be",
    f"{ERM} --data torn.npz --model model.csv": "data: torn.npz cannot be used",
}
"""Commands that were once refused in other words -> how the line begins now."""


@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # as the console script has it
@pytest.mark.parametrize("words", REFUSED, ids=lambda words: words[:50])
def test_a_refusal_begins_with_its_setting(tried, words):
    more = {"flat.csv": b"0,0,1\n1,2,0\n", "early.csv": b"index,time\n1,1\n"}
    end = tried(words.split(), {**BROKEN, **BROKEN_ROWS, **more})
    # A busy machine may have said before what it was working on.
    (line,) = (line for line in end.err.splitlines() if not WAITING.search(line))
    assert (end.code, end.out) == (2, ""), end.err
    assert line.startswith(f"forgetproof: {REFUSED[words]}")


def test_nothing_is_printed_before_a_refusal(tried, monkeypatch):
    from simulators.runs import noise_cost

    def refused(*_):
        raise ValueError("trials must be fewer")

    monkeypatch.setattr(noise_cost, "cost", refused)
    end = tried(f"noise langevin --data rows.csv {ROWS}".split())
    assert (end.code, end.out) == (2, "")


def test_a_quotient_by_zero_applies_nowhere(tried):
    """The quotient of two forms is one over 0 where the second one is cut off at 0."""
    assert tried(["bound", "olu.rdp2dp", "--symbolic", "--ratio", "corrected/tight"]).code == 0


LONG = {
    f"simulate ns {MADE} --epochs 2": "ns: running",
    f"noise langevin --data rows.csv {ROWS}": "langevin: what the noise costs on the rows held out",
    "plot sglu.lem3.4 --out x.svg": "sglu.lem3.4: what the plot shows",
    "audit verify.audit.examples.correct:EXAMPLE --trials 100": "correct:EXAMPLE: sampling",
}


@pytest.mark.parametrize("words", LONG, ids=lambda words: words[:50])
def test_what_takes_long_says_a_word(tried, monkeypatch, words):
    monkeypatch.setattr("forgetproof.progress.PATIENCE", 0.0)
    end = tried(words.split())
    assert end.code == 0
    assert end.err.strip().endswith(f"{LONG[words]} ...")


NAMES = frozenset(["sigma", "rows"])
ENDS = {
    "as it should": (2, "", "forgetproof: sigma must be >= 0, got -1\n", []),
    "an option": (2, "", "forgetproof: Invalid value for '--sigma': not a number: -1\n", []),
    "no setting": (
        2,
        "",
        "forgetproof: file.csv, row 1: must be a number, got -1\n",
        ["no setting"],
    ),
    "another": (2, "", "forgetproof: rows must be >= 1, got -1\n", ["another setting"]),
    "no value": (2, "", "forgetproof: sigma must be >= 0\n", ["the value"]),
    "two lines": (2, "", "forgetproof: sigma must be >= 0\ngot -1\n", ["2 lines"]),
    "a word before": (2, "", "d2d: running ...\nforgetproof: sigma must be >= 0, got -1\n", []),
    "a name from inside": (
        *(2, "", "forgetproof: Problem.privacy(sigma=-1) has no value: sigma must be >= 0\n"),
        ["internal name", "no setting"],
    ),
    "an internal error": (3, "", "forgetproof: internal error: KeyError: -1\n", ["code 3", "name"]),
    "taken": (0, "sigma 1\n", "", ["taken"]),
    "NaN": (0, "sigma nan\n", "", ["NaN", "taken"]),
    "part of an answer": (2, "sigma 1\n", "forgetproof: sigma must be >= 0, got -1\n", ["output"]),
    "silent": (None, "", "", ["silent"]),
}


@pytest.mark.parametrize("end", ENDS)
def test_what_is_wrong_with_an_end(end):
    code, out, err, expected = ENDS[end]
    found = faults(Drawn([], NAMES, "sigma", "-1"), code, out, err)
    assert len(found) == len(expected)
    assert all(part in line for part, line in zip(expected, found, strict=True))

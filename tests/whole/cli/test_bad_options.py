"""Every option of every command with values that it cannot use: one line and exit code 2.

Commands and options are found by walking the command line, so that new ones are tried as well.
A value may also be accepted, where it is one that the option can use.
"""

import shutil
import signal

import click
import pytest

from forgetproof.cli import group, run

MADE = "--data synthetic --n 20 --dimension 2"
SHORT = f"{MADE} --sigma 1 --trials 2 --learn-epochs 1"
PATH = f"{MADE} --epochs 2"
STREAM = f"{MADE} --rounds 2 --trials 1"
LANGEVIN = "--n 10 --smoothness 1 --strong-convexity .1 --delta 1e-5"
ONLINE = "--schedule schedule.json --strong-convexity 1 --smoothness 3 --lipschitz 1"
FOLLOWED = "--delta 1e-5 --n 90 --lipschitz 1 --strong-convexity .1 --smoothness 1 --steps 9"
REMOVAL = "--delta 1e-5 --n 57000 --regularisation .05 --dimension 785"
MECHANISM = (
    '{"schema": "forgetproof/mechanism/1", "name": "one step", "relation": {"adjacency": "maps"}, '
    '"steps": [{"count": 1, "contraction": 1, "shift": 1, "noise": {"deviation": 1, "on": "iterate"'
    '}}], "released": "last", "requests": "oblivious", "claims": [{"mu": 1}]}'
)
FILES = {
    "schedule.json": "[[1, 2], [3, 5]]",
    "process.json": "[[0.9, 1, 1], [0.9, 0, 1]]",
    "mechanism.json": MECHANISM,
    "train.py": "rate = 0.5\n",
    "rows.csv": "x,z,y\n" + "".join(f"{i % 5 / 4},{i % 7 / 8},{i % 3 % 2}\n" for i in range(40)),
    "run.csv": "K,distance\n1,0.5\n2,0.4\n",
}
# Words with which a command ends at once, for all that have some without which they do not run.
BASE = {
    "claims": "--paper mini",
    "bound": "sglu.lem3.4 alpha=3 Z=1 s2=1 c=0.9 K=20",
    "check-bound": "c**K c=.9 --over K=1:2 --against run.csv",
    "replay": "sglu.lem3.4",
    "plot": "sglu.lem3.4 --out x.svg",
    "verify": "sglu.lem3.4 --out /dev/null/x",
    "search": "olu.eq17 --form printed --seconds 0.05 --evaluations 20",
    "audit": "verify.audit.examples.correct:EXAMPLE --trials 100 --block 50",
    "demo": "--out /dev/null/x",
    "reproduce": "hf.fig3",
    "new-paper": "/dev/null/x --key tried",
    "start": "--train own --epsilon 1",
    "explain": "sglu.alg5",
    "cite": "sglu.alg5",
    "forget": "--data rows.csv --removed 0:2 --epsilon 1 --delta 1e-5",
    "check": "schedule.json --ledger process.json",
    "sheet": "schedule.json --out x.md",
    "certificate show": ".",
    "certificate compare": "schedule.json process.json",
    "lint": "mechanism.json --sarif /dev/null/x",
    "mechanism": "--draft train.py --out /dev/null/x",
    "noise langevin": f"--epsilon 1 {LANGEVIN}",
    "privacy langevin": f"--sigma 1 {LANGEVIN}",
    "noise online": f"--epsilon 1 {ONLINE}",
    "privacy online": f"--sigma 1 {ONLINE}",
    "noise tracking": f"--epsilon 1 {FOLLOWED}",
    "privacy tracking": f"--sigma 1 {FOLLOWED}",
    "noise safe": f"--epsilon 1 {FOLLOWED}",
    "privacy safe": f"--sigma 1 {FOLLOWED}",
    "noise d2d": f"--epsilon 1 --initial .1 {FOLLOWED}",
    "privacy d2d": f"--sigma 1 --initial .1 {FOLLOWED}",
    "noise recollection": "--epsilon 1 --delta 1e-5 --error .1",
    "privacy recollection": "--sigma 1 --delta 1e-5 --error .1",
    "noise newton-removal": f"--epsilon 1 {REMOVAL}",
    "privacy newton-removal": f"--sigma 1 {REMOVAL}",
    "noise contraction": "--epsilon 1 --delta 1e-5 --process process.json",
    "privacy contraction": "--sigma 1 --delta 1e-5 --process process.json",
    "simulate online": "--rounds 5 --trials 2",
    "simulate langevin": SHORT,
    "simulate d2d": SHORT,
    "simulate retrain": SHORT,
    "simulate safe": STREAM,
    "simulate tracking": f"{STREAM} --steps 3",
    "simulate mini": f"{PATH} --k 1",
    "simulate rewind": f"{PATH} --k 1",
}
NUMBERS = ("nan", "x", "", "-1", "0", "inf", "1e400", "1e308", "2**63", "0.5", "[1]*9", "1e-320")
TEXTS = ("", "y" * 3000, "a\0b", "[[1]]", "{1: 2}", "é\ud800", "NaN=1", "1e308", "/dev/zero")
SECONDS = 20  # of processor time
# Where another text is a good one, and what follows takes minutes.
LEFT_OUT = {("demo", "--out")}


class TooLong(BaseException):
    """Not an Exception, so that the command line does not make a complaint of it."""


def leaves(command, context, path=()):
    """(path, command) of every command that has no subcommands."""
    if not isinstance(command, click.Group):
        yield " ".join(path), command
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        yield from leaves(inner, click.Context(inner, parent=context), (*path, name))


COMMANDS = dict(leaves(group, click.Context(group)))


def values(kind, place, full):
    """What to try for a parameter of this type; nothing for flags.

    In short a third, so that three parameters in a row have all that there is.
    """
    if isinstance(kind, click.types.BoolParamType):
        return ()
    if isinstance(kind, click.Choice):
        return ("nothing of the kind", "")
    text = isinstance(kind, click.types.StringParamType | click.Path)
    tried = TEXTS if text else NUMBERS
    return tried if full else tried[place % 3 :: 3]


def words(base, parameter, value):
    """The base's words with this value for the parameter in place of its own, if it has one."""
    if isinstance(parameter, click.Option):
        name = parameter.opts[0]
        if name in base:
            place = base.index(name)
            base = base[:place] + base[place + 2 :]
        return [*base, name, value]
    return [*base, value] if parameter.nargs == -1 else [value, *base[1:]]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """An empty working folder but for a few files, and a limit on processor time."""

    def late(*_):
        raise TooLong

    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    before = signal.signal(signal.SIGPROF, late)
    yield tmp_path
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.skipif(not hasattr(signal, "ITIMER_PROF"), reason="needs a clock of processor time")
@pytest.mark.parametrize("name", COMMANDS, ids=lambda name: name.replace(" ", "-"))
def test_a_bad_value_is_one_line(folder, capsys, full, name):
    base = BASE.get(name, PATH if name.startswith("simulate") else "").split()
    first = list(COMMANDS).index(name)
    for place, parameter in enumerate(COMMANDS[name].params, first):
        flag = getattr(parameter, "is_flag", False) or (name, parameter.opts[0]) in LEFT_OUT
        for value in () if flag else values(parameter.type, place, full):
            arguments = [*name.split(), *words(base, parameter, value)]
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            code = run(arguments)
            signal.setitimer(signal.ITIMER_PROF, 0)
            out, err = capsys.readouterr()
            shown = [word[:40] for word in arguments]
            assert code in (0, 1, 2), (shown, err[-300:])
            assert "Traceback" not in err, shown
            left = {path.name for path in folder.iterdir()} - FILES.keys()
            if code == 2:
                assert (out, err.count("\n")) == ("", 1), (shown, err[-300:])
                assert not left, shown
            for made in left:
                path = folder / made
                shutil.rmtree(path) if path.is_dir() else path.unlink()

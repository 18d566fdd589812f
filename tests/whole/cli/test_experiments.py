"""`simulate` is made from the experiments that papers declare, a third party's among them."""

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from accounting.problems.options import option
from bounds.declared import EXPERIMENTS
from forgetproof.cli import run
from simulators.runs.experiment import Experiment, NotMeasured, Observable, Run, View, observable
from tests.forks import forked

ROOT = Path(__file__).resolve().parents[3]
TOY = '''
from dataclasses import dataclass
import numpy as np
from accounting.problems.options import flag, rule, whole
from bounds import Paper
from simulators.runs.experiment import Experiment, Observable, Run, View, observable

PAPER = Paper("toy", "Toy", ("A B",), 2026, __name__, {}, experiments={
    "coins": "toy:Coins", "toy": "toy:Coins", "absent": "toy:Nowhere", "online": "toy:Coins"},
    views={"coins": ("toy:Tails", "toy:Nowhere")})

class Tossed(Run):
    @observable
    def heads(self):
        return Observable(self.experiment.tosses / 2, unit="count")

    def document(self):
        return {"data": {"name": "a coin"}, "heads": self["heads"].values,
                "weight": float(self.experiment.weight({"g": 2.0}))}

class Tails(View, of=Tossed):
    @observable
    def tails(self):
        """How often the other side."""
        return Observable(self.run.experiment.tosses / 2, unit="count")

@dataclass(frozen=True, kw_only=True, eq=False)
class Coins(Experiment):
    """A coin."""

    algorithm = "coins"
    example = "--tosses 3"
    measures = Tossed
    tosses: int = whole("Of the coin.", 4, high=9)
    fair: bool = flag("Is it?", "fair", "bent", True)
    weight: object = rule("In g.")
'''


@pytest.mark.parametrize("name", EXPERIMENTS.names())
def test_every_field_is_an_option_with_its_help_and_a_default_in_range(capsys, name):
    kind = EXPERIMENTS.get(name)
    assert issubclass(kind, Experiment)
    assert run(["simulate", name, "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for each in fields(kind):
        about = option(each)
        written = about.words[0] if about.kind == "flag" else each.name.replace("_", "-")
        # Another name of an option comes after a comma.
        assert f"--{written} " in said or f"--{written}, " in said
        if isinstance(each.default, int | float):
            assert about.check(each.name, each.default) == each.default


def test_no_name_stands_for_two_experiments():
    names = [n for each in EXPERIMENTS.names() for n in (each, *EXPERIMENTS.aliases(each))]
    assert len(names) == len(set(names))
    assert EXPERIMENTS.get("nothing of the kind") is None


def test_help_loads_no_torch():
    code = "from forgetproof.cli import run; run(['simulate', '--help']); import sys; "
    code += "sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, stdout=-3).returncode == 0


class Other(Run):
    pass


class Shown(Run):
    asked = 0

    @observable
    def twice(self):
        type(self).asked += 1
        return Observable(np.array([1.0, 2.0]), at={"t": np.arange(2)})

    @observable
    def nothing(self):
        return Observable(np.nan)


def test_an_observable_is_measured_once_and_is_a_number():
    shown = Shown(None)
    assert set(shown) == {"twice", "nothing"}
    assert not shown.measured
    assert shown["twice"] is shown["twice"]
    assert Shown.asked == 1
    assert set(shown.measured) == {"twice"}
    with pytest.raises(NotMeasured, match="nothing is not a number"):
        shown["nothing"]
    with pytest.raises(ValueError, match="name must be one of nothing, twice"):
        shown["thrice"]


class Sums(View, of=Shown):
    @observable
    def total(self):
        """Of what the run measures."""
        return Observable(float(self.run["twice"].values.sum()))


class Means(View, of=Shown):
    @observable
    def mean(self):
        return Observable(self.run.view(Sums).total().values / 2)


class Repeated(View, of=Shown):
    @observable
    def twice(self):
        return Observable(0.0)


class OfOthers(View, of=Other):
    pass


def test_a_view_adds_observables_to_the_runs_it_is_made_of():
    shown = Shown(None)
    with pytest.raises(ValueError, match="name must be one of nothing, twice, got 'mean'"):
        shown["mean"]
    assert shown.view(Means) is shown.view(Means)
    assert shown["mean"].values == 1.5
    assert shown.observables() == ("nothing", "twice", "mean", "total")
    assert shown.measure("total").__doc__ == "Of what the run measures."
    assert "total" not in Shown(None).observables()


def test_a_view_of_other_runs_or_of_the_same_observable_is_refused():
    with pytest.raises(TypeError, match="OfOthers must be a view of Shown, got one of Other"):
        Shown(None).view(OfOthers)
    with pytest.raises(ValueError, match="Repeated must not measure twice a second time"):
        Shown(None).view(Repeated)


def test_python_refuses_what_would_be_dropped():
    kind = EXPERIMENTS.get("langevin")
    with pytest.raises(ValueError, match="dimension must not be given with data digits"):
        kind(sigma=1, dimension=3)
    with pytest.raises(ValueError, match="sigma must be >= 0"):
        kind(sigma=-1)
    with pytest.raises(ValueError, match="normalise must be True or False"):
        kind(sigma=1, normalise="yes")


@pytest.fixture
def toy(tmp_path):
    """`forgetproof` where a third-party package announces an experiment."""
    (tmp_path / "toy.py").write_text(TOY)
    info = tmp_path / "toy_dist-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: toy-dist\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[forgetproof.papers]\ntoy = toy:PAPER\n")

    def told(*arguments):
        path = os.pathsep.join((str(tmp_path), str(ROOT)))
        line = ["-m", "forgetproof", "simulate", *arguments]
        return forked(line, cwd=tmp_path, env={**os.environ, "PYTHONPATH": path})

    return told


def test_a_third_party_declares_one(toy):
    found = toy("toy", "--tosses", "6", "--bent", "--weight", "3*g", "--json")
    assert found.returncode == 0, found.stderr
    document = json.loads(found.stdout)
    assert (document["algorithm"], document["heads"], document["weight"]) == ("coins", 3.0, 6.0)
    assert "heads" in toy("coins", "--weight", "1/g").stdout
    assert "tosses must be an integer in [1, 9], got 10" in toy("coins", "--tosses", "10").stderr


def test_what_can_be_measured_is_listed_with_the_papers_that_ask_for_it(toy, capsys):
    listed = toy("coins", "--observables", "--json")
    assert json.loads(listed.stdout)["observables"] == [
        {"observable": "heads", "papers": [], "words": ""},
        {"observable": "tails", "papers": ["toy"], "words": "How often the other side."},
    ]
    assert "the view toy:Nowhere of toy-dist is left out" in listed.stderr
    assert run(["simulate", "langevin", "--observables"]) == 0
    assert "learned_distance" in capsys.readouterr().out


def test_what_is_broken_of_a_third_party_is_one_line_each(toy):
    found = toy("--help")
    assert found.returncode == 0
    assert "coins" in found.stdout
    assert "the experiment absent of toy-dist is left out" in found.stderr
    assert "ValueError: forgetproof has an experiment of this name" in found.stderr


CHECKED = [
    "simulate",
    "langevin",
    "--data",
    "wine",
    "--regularisation",
    "0.1",
    "--sigma",
    "0.01",
    "--learn-epochs",
    "2",
    "--trials",
    "4",
    "--check",
]


def test_check_holds_a_run_to_its_bounds_and_notices_half_of_one(capsys):
    assert run([*CHECKED, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    rows = {row["claim"]: row for row in document["checks"]}
    assert rows["sglu.lem3.5"]["word"] == "not refuted"
    assert rows["sglu.lem3.5"]["attainment"] == pytest.approx(1, abs=1e-6)
    assert rows["sglu.eq79"]["measured"] is None
    assert "not affine" in rows["sglu.eq79"]["word"]
    assert document["observables"]["learned_distance"]["at"]["T"] == [1, 2]
    assert run([*CHECKED, "--scale-bounds", "0.5"]) == 1
    assert "unexpected: sglu.lem3.5 literal: printed, tight should hold" in capsys.readouterr().out
    assert run([*CHECKED[:-1], "--scale-bounds", "0.5"]) == 2
    assert "scale_bounds must not be given without --check" in capsys.readouterr().err

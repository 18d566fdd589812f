"""`noise dp-sgd --data`: steps against noise on the rows, one recommended; programs that run."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

import forgetproof
from accounting import SampledSGD, sampled_epsilon, sampled_noise
from accounting.problems import SampledDescent, Target
from bounds.declared import PROBLEMS
from forgetproof.cli import run
from forgetproof.for_rows import posed
from forgetproof.interop import from_opacus
from forgetproof.json_schema import JsonSchema
from forgetproof.opacus_code import rate_to_prepare
from forgetproof.testing import assert_claim
from forgetproof.unlearning_table import UnlearningCell, _at_least
from simulators.runs import scores
from simulators.runs.sampled_steps import last_models
from tests.whole.cli.test_answers import SCHEMA

CUSTOMERS = Path(__file__).parents[3] / "docs" / "customers.csv"
COLUMNS = [
    *("-t", "defaulted", "--drop", "customer_id", "--missing", "mark", "--scale", "file"),
    *("--removed", "20"),
]
TARGET = ["--epsilon", "1", "--delta", "1e-5"]
SMALL = ["--epochs", "10", "--batches", "10", "--ridge", "0.1"]
RANDOM = np.random.default_rng(5)
X = RANDOM.normal(size=(300, 3))
LABELS = np.where(X @ [2.0, -1.0, 0.5] > 0, "yes", "no")
NUMBERS = X @ [1.0, 0.5, -1.0]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, targets in (("words", LABELS.tolist()), ("numbers", NUMBERS.tolist())):
        rows = [",".join([*map(repr, x), str(t)]) for x, t in zip(X.tolist(), targets, strict=True)]
        Path(f"{name}.csv").write_text("\n".join(["a,b,c,kind", *rows]) + "\n")


def ask(capsys, *more, data="words.csv", group="noise", target=TARGET):
    code = run([group, "dp-sgd", *target, "--data", str(data), *more])
    out, err = capsys.readouterr()
    return code, out, err


def document(capsys, *more, **how):
    code, out, err = ask(capsys, *more, "--json", **how)
    assert code == 0, err
    found = json.loads(out, parse_constant=pytest.fail)
    assert list(JsonSchema(SCHEMA).faults(found)) == []
    return found


@pytest.fixture(scope="module")
def customers():
    """The specification's table, in Python."""
    columns = {"target_column": "defaulted", "drop": ("customer_id",), "missing": "mark"}
    return forgetproof.noise_for(
        "logistic",
        str(CUSTOMERS),
        algorithm="dp-sgd",
        epsilon=1.0,
        delta=1e-5,
        rows=20,
        **{**columns, "scale": "file"},
    )


def test_the_table_of_customers(customers):
    table = customers.table
    assert [cell.unlearning_steps for cell in table.cells] == [50, 100, 250, 500]
    assert [round(cell.ratio, 3) for cell in table.cells] == [0.048, 0.091, 0.2, 0.333]
    at_nine_per_cent = table.cells[1]
    assert at_nine_per_cent.sigma == pytest.approx(1.99, rel=0.01)
    assert at_nine_per_cent.measured > table.guess
    assert table.recommended in (50, 100)
    assert customers.problem.unlearning_steps == table.recommended
    assert customers.answers.best.noise == pytest.approx(
        {50: 5.4714, 100: 1.9925}[table.recommended], rel=1e-4
    )
    assert (
        customers.cost["with"] >= customers.cost["without"] - 2 * customers.cost["standard_error"]
    )


def test_the_noise_of_a_cell_is_that_of_the_setting_written_by_hand(customers):
    cell = customers.table.cells[1]
    by_hand = SampledSGD(
        n=4000,
        batch_size=80,
        rate=1 / 50,
        steps=1000,
        unlearning_steps=100,
        step_size=2.0,
        smoothness=0.25,
        ridge=0.01,
        rows=20,
    )
    assert cell.least_sigma == pytest.approx(sampled_noise(by_hand, 1.0, 1e-5, "lower"), rel=1e-9)
    assert cell.least_sigma <= cell.sigma <= cell.least_sigma * (1 + 2e-6)
    assert sampled_epsilon(by_hand, cell.sigma * (1 + 1e-9), 1e-5, "mixture") <= 1


def test_every_certified_cell_passes_privacy(capsys, customers):
    cells = [cell for cell in customers.table.cells if cell.sigma is not None]
    assert len(cells) == 4
    for cell in cells:
        problem = customers.problem.with_fields(unlearning_steps=cell.unlearning_steps)
        assert problem.certified("exact", cell.sigma, 1e-5).epsilon <= 1
    # The command, on one of them.
    asked = ["--sigma", repr(cells[1].sigma), "--delta", "1e-5"]
    more = [*COLUMNS, "--unlearning-steps", "100", "--trials", "2"]
    found = document(capsys, *more, data=CUSTOMERS, group="privacy", target=asked)
    assert found["accountants"]["exact"]["epsilon"] <= 1


def test_weak_ridge_says_more_than_and_recommends_nothing(capsys):
    code, out, err = ask(capsys, *COLUMNS, "--ridge", "0.001", data=CUSTOMERS)
    assert code == 0, err
    assert re.search(r"50 +4.8% +more than 37\.\d+ ", out)
    assert "<- recommended" not in out
    assert "to paste" not in out
    assert "no number of steps up to half of the training's" in out


def test_the_text_has_a_line_a_cell_and_the_guess(capsys):
    code, out, err = ask(capsys, "--removed", "3", *SMALL)
    assert code == 0, err
    lines = out.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("unlearning steps K"))
    assert lines[start + 1].split()[:3] == ["K", "K/(N+K)", "sigma"]
    assert [line.split()[0] for line in lines[start + 2 : start + 6]] == ["5", "10", "25", "50"]
    assert sum("<- recommended" in line for line in lines[start:]) == 1
    assert "always saying " in out
    assert "retraining takes" in out


def test_the_document_has_the_table_and_its_recommended_cell_as_cost(capsys):
    found = document(capsys, "--removed", "3", *SMALL)
    table, cost = found["rows"]["table"], found["rows"]["cost"]
    (cell,) = [c for c in table["cells"] if c["unlearning_steps"] == table["recommended"]]
    assert (cost["with"], cost["without"]) == (cell["measured"], cell["without"])
    assert found["accountants"]["exact"]["sigma"] == cell["sigma"]
    assert found["problem"]["unlearning_steps"] == table["recommended"]
    again = document(capsys, "--removed", "3", *SMALL)
    table.pop("seconds_a_step")
    again["rows"]["table"].pop("seconds_a_step")
    assert again == found


def test_numbers_are_measured_against_their_mean(capsys):
    loss = ["--loss", "huber", "--row-norm", "5", "--target-bound", "9", "--ridge", "0.5"]
    loss += ["--batches", "2", "--epochs", "40"]
    found = document(capsys, *loss, data="numbers.csv")
    table = found["rows"]["table"]
    assert table["measure"] == "mean_squared_error"
    assert table["guess"] > 0.5
    assert table["cells"][-1]["without"] < table["guess"]
    assert found["problem"]["clip"] == 5.0
    assert found["problem"]["smoothness"] == pytest.approx(25.0)


def test_a_noise_that_is_given_is_planned_with_its_ratio(capsys):
    code, out, err = ask(capsys, "--removed", "3", *SMALL, "--sigma", "2")
    assert code == 0, err
    (steps,) = re.findall(r"exact +(\d+) unlearning steps are enough", out)
    assert f"{steps} unlearning steps, retraining 100: 0." in out
    assert f"released = noisy_steps(w, X[kept], y[kept], {steps})" in out
    asked = ["--sigma", "2", "--delta", "1e-5"]
    more = ["--removed", "3", *SMALL, "--unlearning-steps", steps]
    back = document(capsys, *more, group="privacy", target=asked)
    assert back["accountants"]["exact"]["epsilon"] <= 1


LOSSES = {
    "logistic": [],
    "hinge": ["--loss", "hinge"],
    "huber": ["--loss", "huber", "--target-bound", "9", "--clip", "0.5"],
    "logcosh": ["--loss", "logcosh", "--reference", "stationary", "--diameter", "0.3"],
}


class Quiet:
    """A generator of noise 0 whose batches have all rows."""

    @staticmethod
    def standard_normal(shape):
        return np.zeros(shape)

    @staticmethod
    def random(count):
        return np.zeros(count)


@pytest.mark.parametrize("loss", LOSSES)
def test_the_program_makes_the_steps_whose_cost_is_told(capsys, loss):
    """With one batch, of all rows, and no noise nothing is random: the models are the same."""
    data = "words.csv" if loss in ("logistic", "hinge") else "numbers.csv"
    more = ["--batches", "1", "--unlearning-steps", "7", "--removed", "4", *LOSSES[loss]]
    asked = ["--sigma", "1", "--delta", "1e-5"]
    found = document(capsys, *more, data=data, group="privacy", target=asked)
    names = {"quiet": Quiet}
    exec(found["rows"]["snippet"].replace("np.random.default_rng()", "quiet"), names)
    cost = found["rows"]["cost"]
    value = scores.tested(names["released"][None], names["test"])[cost["measure"]]
    assert value == pytest.approx(cost["without"], rel=1e-9)
    if loss == "logcosh":
        assert np.linalg.norm(names["released"]) == pytest.approx(0.15, rel=1e-9)
    assert f"{cost['measure'].replace('_', ' ')} {value:.4f}"[:12] in capsys.readouterr().out


def test_rows_that_leave_do_not_move_the_further_steps():
    """The model after the last steps is the same whatever the rows that leave are, but for w."""
    settings = {"loss": "logistic", "test_share": 0.2, "shuffle": False, "epochs": 1, "batches": 2}
    ended = []
    for sign in (1.0, -1.0):
        features = X.copy()
        features[:5] *= sign
        targets = np.where(LABELS == "yes", 1.0, 0.0)
        kind = PROBLEMS.get("dp-sgd")
        task, problem = posed(
            kind, {**settings, "data": (features, targets), "rows": 5, "ridge": 0.4}
        )
        models = last_models(task, problem, [0, 60], [0.0, 0.0], 2)
        assert np.array_equal(models[:, 0], models[:, 1])
        ended.append(models[:, 0])
    trained, unlearned = np.abs(ended[0] - ended[1]).max(axis=1)
    # Each further step shrinks the distance by 1 - eta lambda at least.
    eta = problem.step_size
    assert trained > 0
    assert unlearned <= trained * (1 - 0.4 * eta) ** 60 * np.sqrt(3) + 1e-15


def test_the_program_of_opacus_trains_and_unlearns(capsys):
    pytest.importorskip("opacus")
    more = ["--removed", "4", "--epochs", "3", "--batches", "10", "--as", "opacus"]
    found = document(capsys, *more, "--unlearning-steps", "12")
    names = {}
    exec(found["rows"]["snippet"], names)
    assert re.fullmatch(r"accuracy [01]\.\d+\n", capsys.readouterr().out)
    history = from_opacus(names["engine"], optimizer=names["optimizer"], model=names["model"])
    # Training and further steps are one history, with the settings of the problem.
    assert (history.steps, history.n, history.divisor) == (30 + 12, 240, 24)
    assert (history.only.sampling_rate, history.clip) == (0.1, 1.0)
    assert (history.step_size, history.weight_decay) == (found["problem"]["step_size"], 0.01)
    sigma = found["accountants"]["exact"]["sigma"]
    assert history.only.noise_multiplier == pytest.approx(sigma, rel=1e-11)
    assert len(names["kept"].dataset) == 236


def test_a_rate_that_opacus_would_round_up_is_kept():
    """1/(1/93) is below 93 in floats, of which make_private takes the whole part."""
    assert int(1 / (1 / 93)) == 92
    for batches in range(1, 2000):
        assert int(1 / eval(rate_to_prepare(1 / batches))) == batches
    assert rate_to_prepare(1 / 94) == "1 / 94"


def test_no_program_of_opacus_adds_noise_that_float32_rounds_away(capsys):
    more = ["--removed", "4", "--epochs", "30", "--batches", "10", "--ridge", "0.4"]
    asked = [*more, "--unlearning-steps", "150", "--as", "opacus"]
    code, out, err = ask(capsys, *asked)
    assert code == 0, err
    assert "no program for Opacus" in out
    assert "noise_multiplier" not in out


@pytest.mark.parametrize("least", [1.1e-6, 1e-3])
def test_no_cell_has_noise_that_is_lost_in_rounding(least):
    """After so many steps any noise is certified in exact arithmetic."""
    constants = {"n": 10**7, "batch_size": 10**6, "rate": 0.1, "steps": 1000, "step_size": 1.0}
    problem = SampledDescent(**constants, unlearning_steps=400, smoothness=0.25, ridge=0.5)
    cell = UnlearningCell(400, 0.3, least, bearable=True)
    found = _at_least(cell, problem, Target(1.0, 1e-5), "exact")
    assert found.sigma == (None if least < 1e-5 else least)


def test_what_is_saved_runs_and_its_claim_is_checked(capsys):
    more = ["--removed", "3", *SMALL, "--save", "out/here"]
    code, out, err = ask(capsys, *more)
    assert code == 0, err
    assert "wrote answer.json, train_and_forget.py, unlearning.json in out/here" in out
    answer = json.loads(Path("out/here/answer.json").read_text())
    assert list(JsonSchema(SCHEMA).faults(answer)) == []
    exec(Path("out/here/train_and_forget.py").read_text(), {})
    assert capsys.readouterr().out.startswith("accuracy ")
    steps = answer["problem"]["unlearning_steps"]
    assert_claim("out/here/unlearning.json", unlearning_steps=steps, ridge=0.1, rows=3)
    with pytest.raises(AssertionError, match="rows is 6"):
        assert_claim("out/here/unlearning.json", rows=6)
    # The table has chosen by looking at the rows, and the claim does not say otherwise.
    assert "the rows show in K and sigma, which epsilon does not count" in out
    claim = json.loads(Path("out/here/unlearning.json").read_text())["predicate"]
    assert claim["mechanism"]["tuned_on_rows"] == ["unlearning_steps", "sigma"]
    assert any("sigma was chosen by looking at private rows" in x for x in claim["conditions"])
    assert "the settings were fixed without looking at the rows" not in claim["trusted"]


def test_no_claim_of_another_answer_stays_beside_what_is_saved(capsys):
    Path("out").mkdir()
    Path("out/unlearning.json").write_text("of another answer")
    # No number of steps is enough for so small an epsilon.
    asked = ["--removed", "3", "--epochs", "10", "--batches", "10", "--ridge", "1e-4"]
    target = ["--epsilon", "1e-9", "--delta", "1e-5"]
    code, out, err = ask(capsys, *asked, "--save", "out", target=target)
    assert (code, out) == (2, "")
    assert "save must be a folder without the unlearning.json of another answer" in err
    assert [each.name for each in Path("out").iterdir()] == ["unlearning.json"]


WRONG = {
    "batches": (["--batches", "500"], r"batches must be an integer in \[1, 240\], got 500"),
    "softmax": (["--loss", "softmax"], "loss must read one score of a row for dp-sgd"),
    "ridge loss": (["--loss", "ridge"], "clip must be given for loss ridge, whose gradients"),
    "n": (["--n", "5"], "n must not be given with data"),
    "steps": (["--steps", "5"], "steps must not be given with data"),
    "no rows held out": (["--test-share", "0"], "unlearning_steps must be given with data, unless"),
    "shuffled": (["--sampling", "shuffled"], "unlearning_steps must be given with data, unless"),
    "added rows": (["--adjacency", "add"], "unlearning_steps must be given with data, unless"),
    "a long step": (["--step-size", "9"], r"step_size must be at most 1\.\d+ for batches of 4"),
    "too many rows": (["--removed", "241"], "rows must be"),
    "a file for a folder": (
        [*SMALL, "--unlearning-steps", "9", "--save", "words.csv"],
        "save must be a folder",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_does_not_go_together_is_refused_in_a_line(capsys, name):
    more, words = WRONG[name]
    data = "numbers.csv" if name == "ridge loss" else "words.csv"
    code, out, err = ask(capsys, *more, data=data)
    assert (code, out) == (2, ""), err
    assert len(err.strip().splitlines()) == 1
    assert re.search(words, err)


@pytest.mark.parametrize("option", [["--as", "opacus"], ["--save", "out"], ["--batches", "5"]])
def test_options_of_rows_need_rows(capsys, option):
    constants = ["--n", "569", "--batch-size", "64", "--steps", "18", "--step-size", "0.5"]
    code = run(["noise", "dp-sgd", *TARGET, *constants, "--smoothness", "0.25", *option])
    assert code == 2
    assert "must not be given without data" in capsys.readouterr().err

"""Every question of `noise` and `privacy`: what is given is read or refused, and what it rests on.

A question is a call that is answered.  Each option of its command is given in addition, or with
another value: the answer changes, or the option is refused by name.
"""

import json
from dataclasses import fields

import click
import numpy as np
import pytest

from accounting import problems
from accounting.problems.answer import NONE_SUFFICES
from bounds.declared import PROBLEMS
from forgetproof.cli import run
from forgetproof.commands.noise import command as noise
from forgetproof.commands.privacy import command as privacy
from forgetproof.for_rows import settings

LANGEVIN = {"n": "12", "batch_size": "3", "smoothness": "1", "strong_convexity": "0.1"}
ONLINE = {"schedule": "schedule.csv", "smoothness": "3", "lipschitz": "1"}
STRONG = {**ONLINE, "strong_convexity": "1", "diameter": "2"}
TRAINING = {
    "step_size": "0.3",
    "epochs": "4",
    "n": "10",
    "strong_convexity": "0.2",
    "smoothness": "1.2",
    "hessian_lipschitz": "0.5",
}
SAFE = {"n": "2000", "lipschitz": "1", "strong_convexity": "0.1", "smoothness": "0.6"}
NEWTON = {"n": "57000", "regularisation": "0.05", "dimension": "785"}
D2D = {**SAFE, "initial": "0.3", "steps": "4"}
SAMPLED = {
    "n": "12",
    "batch_size": "3",
    "steps": "4",
    "unlearning_steps": "2",
    "step_size": "0.5",
    "smoothness": "0.25",
    "ridge": "0.1",
    "accountant": "mixture",
}
CLIPPED = {"n": "12", "clip": "1", "step_size": "0.5", "smoothness": "0.5"}
ERM = {"data": "rows.csv", "model": "model.csv", "loss": "logistic", "regularisation": "0.3"}
TARGET = {"epsilon": "1", "delta": "1e-5"}
SIGMA = {"sigma": "0.7", "delta": "1e-5"}

WORDS = {
    "adjacency": problems.Adjacency,
    "reference": problems.Reference,
    "released": problems.Released,
    "secret_state": problems.Secret,
    "noise_on": problems.NoiseOn,
    "batches": problems.Batches,
    "adaptivity": problems.Adaptivity,
    "constants": problems.Constants,
}

SETTINGS = {
    "langevin": {
        "stationary": LANGEVIN,
        "T": {**LANGEVIN, "target": "T", "radius": "9", "learn_epochs": "3"},
        "T+K": {**LANGEVIN, "target": "T+K", "learn_epochs": "3"},
        "random": {**LANGEVIN, "batch_order": "random"},
        "several": {**LANGEVIN, "requests": "3"},
        "a step of its own": {**LANGEVIN, "step_size": "0.5"},
    },
    "online": {
        "strong": STRONG,
        "convex": {**ONLINE, "diameter": "2"},
        "convex, constant": {
            **ONLINE,
            "diameter": "2",
            "step_size": "constant",
            "rounds": "20",
            "smoothness": "0.1",
        },
        "adaptive": {
            **ONLINE,
            "diameter": "2",
            "step_size": "adaptive",
            "smoothness": "0.1",
            "gradient_norms": "norms",
        },
        "a step of its own": {**STRONG, "step_size": "0.2"},
        "exact only": {**STRONG, "accountant": "exact"},
        "printed only": {**STRONG, "accountant": "printed"},
    },
    "recollection": {
        "error": {"error": "0.1"},
        "before the run": {**TRAINING, "clip": "1"},
        "after the run": {**TRAINING, "norms": "norms.csv"},
    },
    "safe": {
        "equal rounds": SAFE,
        "listed rounds": {**SAFE, "sizes": "[1, 2, 3]"},
        "a length of its own": {**SAFE, "gamma": "0.1"},
    },
    "tracking": {"equal rounds": SAFE, "listed rounds": {**SAFE, "sizes": "[1, 2, 3]"}},
    "newton-removal": {"worst case": NEWTON, "residual": {"residual": "0.1"}},
    "clipped": {
        "from the start": {**CLIPPED, "learn_epochs": "3", "radius": "3", "batch_size": "3"},
        "after any training": {**CLIPPED, "radius": "3", "weight_decay": "0.1"},
        "scalar": {**CLIPPED, "learn_epochs": "3", "losses": "scalar"},
        "a small row": {**CLIPPED, "learn_epochs": "3", "row_gradient": "0.3"},
    },
    "erm": {"mean": ERM, "penalised": {**ERM, "intercept": "penalised", "model": "three.csv"}},
    "d2d": {"as many as one likes": D2D, "some": {**D2D, "requests": "3"}},
    "dp-sgd": {
        "poisson": SAMPLED,
        "stationary": {
            **SAMPLED,
            "reference": "stationary",
            "diameter": "3",
            "accountant": "patterns",
        },
        "out of the table": {**SAMPLED, "adjacency": "delete"},
        "everything published": {**SAMPLED, "sampling": "cyclic", "published": "all"},
        "several requests": {**SAMPLED, "sampling": "cyclic", "requests": "3"},
        "a small row": {**SAMPLED, "sampling": "cyclic", "row_gradient": "0.3"},
        "a row by its path": {**SAMPLED, "sampling": "cyclic", "row_gradients": "path"},
    },
    "contraction": {
        "whole space": {"process": "process.csv"},
        "a ball": {"process": "process.csv", "initial_distance": "9", "diameter": "2"},
    },
}
QUESTIONS = {
    f"{group.name} {name}, {setting}": (group, name, {**base, **asked})
    for group, base in ((noise, TARGET), (privacy, SIGMA))
    for name, settings in SETTINGS.items()
    for setting, asked in settings.items()
}
QUESTIONS["noise langevin, epochs"] = (noise, "langevin", {**LANGEVIN, **TARGET, "sigma": "0.3"})
QUESTIONS["noise online, budget of Renyi"] = (noise, "online", {**STRONG, "epsilon": "1"})
QUESTIONS["noise recollection, certify"] = (
    noise,
    "recollection",
    {**TARGET, "error": "0.1", "sigma": "0.3"},
)
QUESTIONS["noise tracking, steps"] = (noise, "tracking", {**TARGET, **SAFE, "sigma": "0.3"})
QUESTIONS["noise d2d, steps"] = (noise, "d2d", {**TARGET, **SAFE, "initial": "1e-6", "sigma": "3"})
QUESTIONS["noise dp-sgd, steps"] = (
    noise,
    "dp-sgd",
    {**TARGET, **{k: v for k, v in SAMPLED.items() if k != "unlearning_steps"}, "sigma": "1"},
)

OTHER = {
    "reference": "T",
    "ridge": "0.3",
    "rows": "2",
    "sampling": "full",
    "unlearning_steps": "3",
    "unlearning_rate": "0.3",
    "added": "more.csv",
    "adjacency": "replace",
    "data": "more.csv",
    "intercept": "free",
    "loss": "hinge",
    "losses": "scalar",
    "model": "model2.csv",
    "reference_gradient": "0.1",
    "removed": "gone.csv",
    "scaling": "2",
    "weight": "0.7",
    "weight_decay": "0.2",
    "batch_order": "random",
    "batch_size": "4",
    "clip": "2",
    "constant": "3",
    "convention": "A",
    "decay": "0.9",
    "delta": "1e-4",
    "deletions": "2",
    "diameter": "1.9",
    "dimension": "7",
    "epochs": "5",
    "epsilon": "0.5",
    "error": "0.2",
    "gamma": "0.2",
    "gradient_norms": "norms2",
    "hessian": "batch",
    "hessian_lipschitz": "0.7",
    "hypothesis": "lipschitz",
    "initial": "0.2",
    "initial_distance": "1",
    "process": "process2.csv",
    "learn_epochs": "4",
    "lipschitz": "0.9",
    "n": "24",
    "norms": "norms2.csv",
    "omega": "1.5",
    "radius": "5",
    "regularisation": "0.07",
    "releases": "2",
    "removals": "3",
    "requests": "2",
    "residual": "0.2",
    "privacy_unit": "one",
    "published": "all",
    "row_gradient": "0.6",
    "row_gradients": "path2",
    "rate": "0.3",
    "rounds": "30",
    "schedule": "schedule2.csv",
    "sigma": "2.9",
    "size": "2",
    "sizes": "[2, 2, 2]",
    "smoothness": "0.9",
    "step_size": "0.25",
    "steps": "9",
    "strong_convexity": "0.15",
    "target": "T+K",
    "unlearn_epochs": "2",
}
THIRD = {
    "batch_order": "fixed",
    "losses": "any",
    "published": "last",
    "requests": "4",
    "target": "stationary",
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "schedule.csv").write_text("index,time\n3,5\n5,14\n")
    (tmp_path / "schedule2.csv").write_text("index,time\n4,6\n5,14\n")
    (tmp_path / "norms").write_text("1\n0.5\n" * 20)
    (tmp_path / "norms2").write_text("1\n0.25\n" * 20)
    (tmp_path / "path").write_text("0.5\n0.3\n" * 2)
    (tmp_path / "path2").write_text("0.6\n0.4\n" * 2)
    for name, shift in (("process.csv", 1), ("process2.csv", 2)):
        rows = f"0.9,{shift},0.5\n0.9,0,0.5\n"
        (tmp_path / name).write_text(f"contraction,displacement,noise\n{rows}")
    for name, first in (("rows.csv", 1), ("more.csv", 2)):
        (tmp_path / name).write_text(f"{first},0,1\n0,1,0\n1,1,1\n")
    for name, lines in (
        ("model.csv", "0.1\n0.2\n"),
        ("model2.csv", "0.3\n0.2\n"),
        ("three.csv", "1\n2\n3\n"),
        ("gone.csv", "0\n"),
    ):
        (tmp_path / name).write_text(lines)
    for name, norm in (("norms.csv", 0.2), ("norms2.csv", 0.3)):
        (tmp_path / name).write_text("missing,norm\n" + f"2,{norm}\n" * 4)


def command(group, name):
    return group.get_command(click.Context(group), name)


OF_ROWS = {"as_json", "form", "save"}
"""Options that are no question's: the form of the output, and what is written for rows."""


def options(group, name):
    """Every option but the form of the output and rows (test_noise_rows): name -> how written."""
    found = command(group, name).params
    assert all(isinstance(option, click.Option) for option in found)
    kind = PROBLEMS.get(name)
    rows = {of.name for of in settings(kind)} - {of.name for of in fields(kind)}
    return {o.name: o.opts[-1] for o in found if o.name not in rows | OF_ROWS}


def others(group, name, given, option):
    """Another value of the option than the question's; of accountants there is one in every."""
    if option == "accountant":
        (found,) = (o for o in command(group, name).params if o.name == option)
        return found.type.choices[given.get(option) == found.type.choices[0]]
    return OTHER[option] if OTHER[option] != given.get(option) else THIRD[option]


DEAR = {(f"{group} dp-sgd, out of the table", "accountant") for group in ("noise", "privacy")}
"""Changed where the profile is full: the exact accountant takes half a minute there."""
ANSWERED = {}


def ask(capsys, group, name, given):
    """Exit code, output and complaint; of a question that was asked before, those kept."""
    written = options(group, name)
    arguments = [word for key, value in given.items() for word in (written[key], value)]
    question = (group.name, name, *arguments, "--json")
    if question not in ANSWERED:
        code = run(list(question))
        ANSWERED[question] = (code, *capsys.readouterr())
    return ANSWERED[question]


def turn(question, full):
    """The options to change: in short, `noise` and `privacy` share those that both have.

    Each takes every second one; of sampled batches, where a search for noise is dear, `privacy`
    takes them all, as `test_every_option_is_of_use_in_some_question` has those of `noise`.
    """
    group, name, _ = QUESTIONS[question]
    both = options(noise, name).keys() & options(privacy, name)
    other = {noise: "privacy", privacy: "noise"}[group] + question.removeprefix(group.name)
    if full or other not in QUESTIONS:
        left = set()
    elif name == "dp-sgd":
        left = both if group is noise else set()
    else:
        left = set(sorted(both)[group is noise :: 2])
    dear = set() if full else {option for of, option in DEAR if of == question}
    return [option for option in options(group, name) if option not in left | dear]


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_option_is_read_or_refused_by_name(capsys, full, question):
    group, name, given = QUESTIONS[question]
    code, before, err = ask(capsys, group, name, given)
    assert code == 0, err
    for option in turn(question, full):
        other = others(group, name, given, option)
        code, after, err = ask(capsys, group, name, {**given, option: other})
        if code == 0:
            assert after != before, f"{option} is dropped in silence"
            continue
        assert code == 2, err
        assert len(err.strip().splitlines()) == 1
        assert option in given or option in err


@pytest.mark.parametrize("asked", sorted({question.split(",")[0] for question in QUESTIONS}))
def test_every_option_is_of_use_in_some_question(capsys, asked):
    unread = None
    for question in (q for q in QUESTIONS if q.startswith(asked)):
        group, name, given = QUESTIONS[question]
        unread = set(options(group, name)) if unread is None else unread
        before = ask(capsys, group, name, given)[1]
        for option in sorted(unread):
            other = others(group, name, given, option)
            code, after, _ = ask(capsys, group, name, {**given, option: other})
            if code == 0 and after != before:
                unread.remove(option)
    assert unread == set()


UNUSED = [
    ("noise langevin, stationary", "learn_epochs", "10"),
    ("privacy langevin, stationary", "learn_epochs", "10"),
    ("noise langevin, epochs", "unlearn_epochs", "1"),
    ("noise recollection, error", "deletions", "1"),
    ("noise recollection, error", "hessian", "kept"),
    ("noise recollection, error", "batch_size", "5"),
    ("privacy recollection, error", "norms", "norms.csv"),
    ("noise recollection, after the run", "clip", "1"),
    ("privacy recollection, after the run", "deletions", "1"),
    ("noise safe, listed rounds", "rounds", "3"),
    ("privacy safe, listed rounds", "size", "1"),
    ("noise safe, a length of its own", "constant", "1"),
    ("privacy safe, a length of its own", "radius", "1"),
    ("privacy online, strong", "rounds", "20"),
    ("noise online, exact only", "omega", "1.2"),
    ("noise online, convex", "rounds", "20"),
]


@pytest.mark.parametrize(("question", "option", "value"), UNUSED, ids=lambda x: str(x))
def test_an_option_without_use_is_refused_even_at_its_default(capsys, question, option, value):
    group, name, given = QUESTIONS[question]
    code, out, err = ask(capsys, group, name, {**given, option: value})
    assert (code, out) == (2, "")
    assert err.startswith(f"forgetproof: {option} must not be given with")


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_assumptions_stand_beside_every_number(capsys, question):
    group, name, given = QUESTIONS[question]
    found = json.loads(ask(capsys, group, name, given)[1])["assumptions"]
    words = {key: found[key] for key in found if f"{key}_means" in found}
    assert len(words) == 8
    for key, word in words.items():
        assert WORDS[key](word).means == found[f"{key}_means"]
    assert (found["constants"] == "data-dependent") == bool(found["from_data"])
    assert {"reference", "released", "secret_state", "noise_on"} <= set(found)
    written = options(group, name)
    run([group.name, name, *(w for k, v in given.items() for w in (written[k], v))])
    text = " ".join(capsys.readouterr().out.split())
    for key, word in words.items():
        assert f"{key} {word}: {WORDS[key](word).means}" in text


DATA_DEPENDENT = {
    "noise online, adaptive": "gradient_norms",
    "noise recollection, error": "error",
    "noise recollection, after the run": "norms",
    "noise newton-removal, residual": "residual",
    "privacy dp-sgd, a small row": "row_gradient",
    "privacy clipped, a small row": "row_gradient",
    "noise dp-sgd, a row by its path": "row_gradients",
}


@pytest.mark.parametrize("question", DATA_DEPENDENT)
def test_what_comes_from_the_data_is_named(capsys, question):
    found = json.loads(ask(capsys, *QUESTIONS[question])[1])["assumptions"]
    assert found["from_data"] == [DATA_DEPENDENT[question]]


BEFORE = SETTINGS["recollection"]["before the run"]


@pytest.mark.parametrize("group", [noise, privacy], ids=lambda group: group.name)
def test_a_batch_of_none_is_refused(capsys, group):
    base = TARGET if group is noise else SIGMA
    for name, given in (("langevin", LANGEVIN), ("recollection", BEFORE)):
        code, out, err = ask(capsys, group, name, {**base, **given, "batch_size": "0"})
        assert (code, out) == (2, "")
        assert "batch_size must be an integer" in err


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q.startswith("noise")])
def test_epsilon_0_is_a_target_like_any_other(capsys, question):
    group, name, given = QUESTIONS[question]
    code, out, err = ask(capsys, group, name, {**given, "epsilon": "0"})
    if "delta" not in given:
        assert code == 2
        assert "epsilon must be in (0" in err
        return
    assert code == 0, err
    found = json.loads(out, parse_constant=pytest.fail)
    best = found["recommended"]
    if name in ("tracking", "d2d") and "sigma" in given:
        assert found["accountants"][best]["details"]["steps"] >= 1
        return
    if best is not None and "sigma" in given and name == "langevin":
        assert found["accountants"]["printed"]["details"]["epochs"] is None
        assert len(found["accountants"]["exact"]["details"]["epochs"]) == 1
        return
    if best is None or question == "noise online, printed only":
        return
    asked = {key: value for key, value in given.items() if key not in ("epsilon", "sigma")}
    if name == "newton-removal":
        assert found["accountants"][best]["epsilon"] == 0
        return
    answer = found["accountants"][best]
    several = answer["details"].get("raised_from", answer["sigma"])
    assert several != "inf"
    for unread in ("dimension", "omega"):
        asked.pop(unread, None)
    back = json.loads(ask(capsys, privacy, name, {**asked, "sigma": str(several)})[1])
    assert back["accountants"][best]["epsilon"] == 0
    short = [x * (1 - 1e-6) for x in several] if isinstance(several, list) else several * 0.999999
    back = json.loads(ask(capsys, privacy, name, {**asked, "sigma": str(short)})[1])
    assert back["accountants"][best]["epsilon"] > 0


@pytest.mark.parametrize("name", ["langevin", "online", "recollection", "safe", "newton-removal"])
def test_who_cannot_reach_epsilon_0_says_so_alone(capsys, name):
    setting = {"newton-removal": "residual"}.get(name, next(iter(SETTINGS[name])))
    given = SETTINGS[name][setting]
    written = options(noise, name)
    asked = {**TARGET, **given, "epsilon": "0"}
    found = json.loads(ask(capsys, noise, name, asked)[1])["accountants"]
    hopeless = {n for n, e in found.items() if "inf" in json.dumps(e["sigma"])}
    assert hopeless
    assert "exact" not in hopeless
    assert run(["noise", name, *(w for k, v in asked.items() for w in (written[k], v))]) == 0
    lines = capsys.readouterr().out.splitlines()
    for accountant in hopeless:
        said = next(line for line in lines if line.startswith(f"  {accountant} "))
        assert NONE_SUFFICES in said or "conditional" in said


COUNTS = {
    "langevin": ("requests", ("exact", "corrected"), LANGEVIN),
    "recollection": ("deletions", ("exact",), {**TRAINING, "n": "12", "clip": "1", "epochs": "20"}),
    "safe": ("size", ("exact", "tracking"), {**SAFE, "n": "240", "rounds": "3"}),
    "newton-removal": ("removals", ("certified",), {**NEWTON, "n": "400", "regularisation": "30"}),
}


@pytest.mark.parametrize("name", COUNTS)
def test_more_deletions_never_need_less_noise(capsys, name):
    option, accountants, given = COUNTS[name]
    largest = dict.fromkeys(accountants, 0.0)
    for many in (1, 2, 5, 8, 10, 12) if name == "recollection" else (1, 2, 5, 20, 60):
        out = ask(capsys, noise, name, {**TARGET, **given, option: str(many)})[1]
        found = json.loads(out)["accountants"]
        for accountant in accountants:
            sigma = float(np.max(found[accountant]["sigma"]))
            assert sigma >= largest[accountant] * (1 - 1e-12)
            largest[accountant] = sigma


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["search", "--sdp", "--seconds", "3"], "seconds must not be given with --sdp"),
        (["search", "--sdp", "--form", "tight"], "form must not be given with --sdp"),
        (["replay", "sglu.lem3.4", "--as-script", "--json"], "as_json must not be given"),
        (["replay", "old.json", "--out", "x"], "out must not be given with a file"),
        (["bound", "sglu.lem3.4", "--latex", "K=3"], "inputs must be left out with --latex"),
        (["verify", "--mutants", "--memory", "1G"], "memory must not be given with --mutants"),
    ],
    ids=[
        "sdp in seconds",
        "sdp of a form",
        "script as json",
        "file and folder",
        "inputs of latex",
        "memory of mutants",
    ],
)
def test_other_commands_refuse_what_they_do_not_use(capsys, arguments, message):
    assert run(arguments) == 2
    assert message in capsys.readouterr().err

"""Invalid input and broken files: one line, exit code 2, and never a traceback."""

import json
import sqlite3

import pytest

from bounds.declared import PROBLEMS
from forgetproof.cli import COMMANDS, LONGEST, PURPOSES, run

LONG = "x" * 5000
SGLU = [
    "noise",
    "sglu",
    "--epsilon",
    "1",
    "--delta",
    "1e-5",
    "--n",
    "4",
    "--smoothness",
    "1",
    "--strong-convexity",
    "0.1",
]


def complaint(capsys, *arguments):
    code = run(list(arguments))
    out, err = capsys.readouterr()
    assert code == 2, err
    assert out == ""
    assert len(err.strip().splitlines()) == 1
    assert len(err) < LONGEST + 50
    assert "internal error" not in err
    return err


@pytest.mark.parametrize(
    "arguments",
    [
        ["bound", LONG],
        ["bound", "sglu.lem3.4", f"alpha={LONG}"],
        ["bound", "sglu.lem3.4", "alpha=9**9**9"],
        ["bound", "sglu.lem3.4", "alpha=[1, [2]]", "Z=1", "s2=1", "c=1", "K=1"],
        ["bound", "sglu.lem3.4", "alpha=2", "alpha=3", "Z=1", "s2=1", "c=1", "K=1"],
        [
            "bound",
            "sglu.alg6",
            "epsilon=3",
            "delta=0.1",
            "sigma=1",
            "S=1",
            "eta=0.5",
            "m=0.1",
            "M=2",
            "b=5",
            "J=1e308",
            "R=2",
        ],
        [
            "bound",
            "own.x3.viii",
            "eta=[1, [2]]",
            "m=0.1",
            "M=1",
            "b=5",
            "J=5",
            "sigma=1",
            "T=10",
            "K=2",
            "hits={0: 1}",
        ],
        ["bound", "sglu.sec4.atmost15", "n=5", "b=1", "S=1e18", "sigma=3", "epsilon=0.5"],
        ["bound", "own.x", "eta=2", "m=1e308", "M=1", "b=2", "J=10", "sigma=1", "K=10", "j0=2"],
        ["claims", "--verdict", "bogus"],
        ["replay", LONG],
        ["replay", "../../x"],
        ["verify", "<script>"],
        ["plot", "sglu.lem3.4", "--out", f"{LONG}.svg"],
        ["noise"],
        ["privacy"],
        ["simulate"],
        ["simulate", "sglu", "--sigma", "1", "--learn-epochs", "10**12"],
        ["simulate", "d2d", "--sigma", "1", "--trials", "10**10"],
        ["simulate", "sglu", "--sigma", "1", "--data", "linear", "--loss", "softmax"],
        ["simulate", "retrain", "--sigma", "1e308", "--trials", "2", "--learn-epochs", "1"],
        ["simulate", "sglu", "--sigma", "1e308", "--trials", "2", "--dtype", "float32"],
        [*SGLU, "--requests", "10**6 + 1", "--sigma", "1"],
        [*SGLU, "--n", "10**9", "--batch-size", "1", "--batch-order", "random"],
        [*SGLU, "--strong-convexity", "0"],
    ],
    ids=lambda a: " ".join(a)[:40],
)
def test_invalid_input_is_one_line(capsys, arguments):
    complaint(capsys, *arguments)


def test_the_command_alone_is_help(capsys):
    assert run([]) == 0
    out = capsys.readouterr().out
    for name, line in COMMANDS.items():
        assert f"\n  {name:<13}" in out
        assert line in " ".join(out.split())
    assert [line for line in out.splitlines() if line[:-1] in PURPOSES] == [
        f"{purpose}:" for purpose in PURPOSES
    ]


def test_each_command_has_one_purpose():
    listed = [name for names in PURPOSES.values() for name in names if name in COMMANDS]
    assert sorted(listed) == sorted(COMMANDS)


@pytest.mark.parametrize("command", ["noise", "privacy", "simulate"])
def test_a_command_alone_names_its_algorithms_and_each_has_help(capsys, command):
    names = complaint(capsys, command).partition(f"{command} needs an algorithm: one of ")[2]
    assert "langevin" in names
    for name in names.strip().split(", "):
        assert run([command, name, "--help"]) == 0
        assert "--json" in capsys.readouterr().out


@pytest.mark.parametrize(
    "command",
    [
        [],
        *([name] for name in COMMANDS),
        *([command, name] for command in ("noise", "privacy") for name in PROBLEMS.names()),
        *(["simulate", name] for name in ("langevin", "d2d", "retrain", "online", "recollection")),
    ],
    ids=" ".join,
)
def test_every_help_has_an_example_on_one_line(capsys, command):
    assert run([*command, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    shown = ["forgetproof", *command] if command else ["forgetproof"]
    assert any(line.strip().startswith(f"Example: {' '.join(shown)}") for line in lines)


def damage(path, statement):
    with sqlite3.connect(path) as database:
        database.execute(statement)
    database.close()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda file: file.write_bytes(file.read_bytes()[:5000]),
        lambda file: damage(file, "UPDATE evidence SET body = '{'"),
        lambda file: damage(file, "DROP TABLE finished"),
        lambda file: damage(file, "ALTER TABLE finished RENAME COLUMN error TO other"),
    ],
    ids=["truncated", "not JSON", "table gone", "another schema"],
)
def test_a_damaged_store_is_named(capsys, tmp_path, spoil):
    arguments = ["verify", "sglu.lem3.4", "--out", str(tmp_path)]
    assert run(arguments) == 0
    capsys.readouterr()
    spoil(tmp_path / "results.sqlite")
    code = run([*arguments, "--resume"])
    out, err = capsys.readouterr()
    if code:
        assert code == 2
        assert out == ""
        assert err.startswith("forgetproof: out must hold no damaged results: delete ")
        assert str(tmp_path / "results.sqlite") in err
        assert len(err.strip().splitlines()) == 1
    else:  # nothing could be kept, so that the claim was checked again
        assert "kept" not in out


@pytest.mark.parametrize(
    "name", ["results.json", "report.html", "claims.csv", "claims.tex", "results.sqlite"]
)
def test_a_folder_where_a_file_belongs(capsys, tmp_path, name):
    (tmp_path / name).mkdir()
    assert name in complaint(capsys, "verify", "sglu.lem3.4", "--out", str(tmp_path)) or (
        name == "results.sqlite"
    )


@pytest.mark.parametrize("name", ["counterexamples", "claims", "errata", "assets"])
def test_a_file_where_a_folder_belongs(capsys, tmp_path, name):
    (tmp_path / name).touch()
    assert name in complaint(capsys, "verify", "olu.eq48", "--out", str(tmp_path))


def test_a_plot_as_json_holds_its_curves(capsys, tmp_path):
    file = tmp_path / "lemma.svg"
    assert run(["plot", "sglu.lem3.4", "--out", str(file), "--form", "tight", "--json"]) == 0
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert document["schema"] == "forgetproof/2"
    assert document["file"] == str(file)
    assert [c["name"] for c in document["curves"]] == ["tight", "experiment"]
    assert all(len(c["x"]) == len(c["y"]) > 1 for c in document["curves"])


def test_infinite_noise_is_json(capsys):
    assert run([*SGLU, "--strong-convexity", "1e-320", "--json"]) == 0
    document = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert {a["sigma"] for a in document["accountants"].values()} == {"inf"}
    assert document["problem"]["radius"] == "inf"
    assert run([*SGLU, "--strong-convexity", "1"]) == 0
    assert "nan" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "changes",
    [
        ["--target", "T", "--radius", "9", "--learn-epochs", "3"],
        ["--radius", "0.1"],
        ["--requests", "2"],
        ["--batch-order", "random", "--batch-size", "1"],
    ],
    ids=" ".join,
)
def test_the_factors_are_shown_only_where_they_lead_from_printed_to_exact(capsys, changes):
    assert run([*SGLU, *changes, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["details"] == {}

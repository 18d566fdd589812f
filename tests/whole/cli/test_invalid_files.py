"""Files that anybody may have written, and disks that are full: refused in one line, or harmless.

Every field of every file that is read is replaced by values of other types.
"""

import copy
import json
import os
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from forgetproof.cli import run
from tests.forks import forked
from verify.report import drawing

DEEP = "[" * 100_000 + "]" * 100_000
WRONG = {
    "none": None,
    "yes": True,
    "text": "x",
    "list": ["a"],
    "mapping": {"a": 1},
    "negative": -5,
    "fraction": 0.5,
    "huge": 10**400,
    "infinite": "inf",
}
CLAIM = "olu.eq17.sum"
OLU = "noise olu --epsilon 0.1 --strong-convexity 1 --smoothness 3 --lipschitz 1 --schedule"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a finished run of one claim that has counterexamples."""
    folder = tmp_path_factory.mktemp("run")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(drawing, "draw", lambda *_: drawing.Refusal("no plot"))
        assert run(["verify", CLAIM, "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def no_plots(monkeypatch):
    monkeypatch.setattr(drawing, "draw", lambda *_: drawing.Refusal("no plot"))


def places(value, path=()):
    """The path of every field and entry of a JSON document; the first two entries of a list."""
    items = value.items() if isinstance(value, dict) else ()
    items = enumerate(value[:2]) if isinstance(value, list) else items
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def some(paths, kind, full):
    """All of them, or in short a third: another for each kind, three kinds for each place."""
    return list(paths) if full else list(paths)[list(WRONG).index(kind) % 3 :: 3]


def spoilt(document, path, wrong):
    """The document with another value at that place."""
    changed = copy.deepcopy(document)
    inner = changed
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = wrong
    return changed


def insist(capsys, arguments, place):
    """Runs the command, which may accept what does no harm; a refusal is one line."""
    code = run(arguments)
    out, err = capsys.readouterr()
    assert code in (0, 1, 2), (place, err)
    assert "Traceback" not in err, place
    assert "internal error" not in err, (place, err)
    if code == 2:
        assert (out, err.count("\n")) == ("", 1), (place, err)
    return code


def replayed(monkeypatch):
    """Lets a claim be checked once for all replays: what is stored is at stake here."""
    from verify import replay

    outcomes = {}
    original = replay.fresh_outcome

    def once(claim, settings):
        key = claim.id, settings
        if key not in outcomes:
            outcomes[key] = original(claim, settings)
        return outcomes[key]

    monkeypatch.setattr(replay, "fresh_outcome", once)


@pytest.mark.parametrize("kind", WRONG)
@pytest.mark.parametrize("name", ["results.json", "counterexample"])
def test_replay_of_a_file_with_one_wrong_field(
    finished, tmp_path, monkeypatch, capsys, full, name, kind
):
    replayed(monkeypatch)
    case = finished / "counterexamples" / f"{CLAIM}.literal.printed.json"
    source = finished / name if name == "results.json" else case
    document = json.loads(source.read_text())
    for unread in ("versions", "formulas", "summary"):
        document.get("manifest", document).pop(unread, None)
    file = tmp_path / "spoilt.json"
    codes = {}
    settings = ("manifest",) if name == "results.json" else ()
    good = {"profile": (), "seed": (), "scale": ("fraction",)}
    for path in [*((*settings, field) for field in good), *some(places(document), kind, full)]:
        file.write_text(json.dumps(spoilt(document, path, WRONG[kind])))
        codes[path] = insist(capsys, ["replay", str(file)], path)
    for field, harmless in good.items():
        if kind not in harmless:
            assert codes[(*settings, field)] == 2, (kind, field)


@pytest.mark.parametrize("kind", WRONG)
def test_a_list_of_claims_beside_wrong_results(finished, tmp_path, capsys, full, kind):
    document = json.loads((finished / "results.json").read_text())
    for path in [("claims",), *some(places({"claims": document["claims"]}), kind, full)]:
        (tmp_path / "results.json").write_text(json.dumps(spoilt(document, path, WRONG[kind])))
        insist(capsys, ["claims", "--paper", "mini", "--out", str(tmp_path)], path)


@pytest.mark.parametrize("kind", WRONG)
def test_resume_of_evidence_with_one_wrong_field(finished, tmp_path, capsys, no_plots, full, kind):
    original = finished / "results.sqlite"
    with sqlite3.connect(original) as db:
        bodies = [json.loads(b) for (b,) in db.execute("SELECT body FROM evidence")]
    db.close()
    body = next(b for b in bodies if b["script"])
    file = tmp_path / "results.sqlite"
    for path in some(places(body), kind, full):
        file.unlink(missing_ok=True)
        with sqlite3.connect(original) as db, sqlite3.connect(file) as copied:
            db.backup(copied)
            copied.execute(
                "UPDATE evidence SET body = ? WHERE body = ?",
                (json.dumps(spoilt(body, path, WRONG[kind])), json.dumps(body, ensure_ascii=False)),
            )
        db.close()
        copied.close()
        insist(capsys, ["verify", CLAIM, "--resume", "--out", str(tmp_path)], path)


@pytest.mark.parametrize("kind", WRONG)
def test_expected_verdicts_of_wrong_types(finished, tmp_path, capsys, no_plots, kind):
    file = tmp_path / "expected.json"
    for document in (WRONG[kind], {CLAIM: WRONG[kind]}, {CLAIM: {"literal.printed": WRONG[kind]}}):
        file.write_text(json.dumps(document))
        arguments = ["verify", CLAIM, "--resume", "--out", str(finished)]
        code = insist(capsys, [*arguments, "--expected", str(file)], document)
        assert code == 2 or kind in ("text", "infinite", "mapping")


@pytest.mark.parametrize("kind", WRONG)
def test_schedules_of_wrong_types(tmp_path, capsys, kind):
    file = tmp_path / "schedule.json"
    for document in (WRONG[kind], [WRONG[kind]], [[1, WRONG[kind]]], [[WRONG[kind], 2]]):
        file.write_text(json.dumps(document))
        assert insist(capsys, [*OLU.split(), str(file)], document) == 2


@pytest.mark.parametrize(
    "text",
    [
        DEEP,
        '{"a":' * 100_000 + "1" + "}" * 100_000,
        "[NaN]",
        '{"schema": Infinity}',
        "\xff",
        "1" * 10_000,
        "[" * 150 + "]" * 150,
        "",
    ],
    ids=[
        "deep lists",
        "deep mappings",
        "not a number",
        "infinity",
        "Latin letter",
        "long number",
        "deeper than allowed",
        "nothing",
    ],
)
@pytest.mark.parametrize(
    "arguments",
    [
        "replay FILE",
        "verify sglu.lem3.4 --expected FILE",
        "claims --out FOLDER",
        "replay sglu.alg6 --out FOLDER",
        f"{OLU} FILE",
    ],
)
def test_json_that_is_no_document(tmp_path, capsys, monkeypatch, text, arguments):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results.json").write_text(text, encoding="latin-1")
    words = arguments.replace("FILE", "results.json").replace("FOLDER", ".").split()
    assert insist(capsys, words, arguments) == 2
    assert [p.name for p in tmp_path.iterdir()] == ["results.json"]


def test_endless_files_are_read_to_a_limit(tmp_path):
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))\n"
        "from forgetproof.cli import run\n"
        "for line in sys.argv[1:]: print(run(line.split()))"
    )
    lines = ["replay zero.json", "verify sglu.lem3.4 --expected zero.json", f"{OLU} zero.json"]
    (tmp_path / "zero.json").symlink_to("/dev/zero")
    done = subprocess.run(
        [sys.executable, "-c", code, *lines],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=180,
    )
    assert done.stdout.split() == ["2"] * len(lines), done.stderr
    assert done.stderr.count("must hold at most 67108864 bytes") == len(lines)
    assert {path.name for path in tmp_path.iterdir()} == {"zero.json"}


@pytest.mark.skipif(not hasattr(resource, "RLIMIT_FSIZE"), reason="no limit on files here")
def test_a_full_disk_leaves_no_part_of_a_file(tmp_path):
    """A limit on the size of files stands for the disk: writing fails in the midst of it."""
    code = (
        "import os, resource, signal, sys\nsys.dont_write_bytecode = True\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "import matplotlib.font_manager, forgetproof.cli\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "for line in sys.argv[1:]:\n"
        "    print(forgetproof.cli.run(line.split()), os.listdir(), file=sys.stderr)\n"
    )
    lines = [
        "plot sglu.lem3.4 --out x.svg",
        "plot sglu.lem3.4 --out x.pdf",
        "plot olu.thm2 --over T --out x.png",
        "audit verify.audit.examples.correct:EXAMPLE --trials 100 --plot x.svg",
    ]
    done = forked(["-c", code, *lines], cwd=tmp_path)
    told = done.stderr.splitlines()
    assert told[1::2] == ["2 []"] * len(lines), done.stderr
    assert len(told) == 2 * len(lines)


def test_a_cluster_that_does_not_answer_leaves_nothing(tmp_path, capsys, finished):
    pytest.importorskip("distributed")
    out = tmp_path / "new" / "folder"
    arguments = ["verify", CLAIM, "--dask", "nowhere", "--out"]
    assert insist(capsys, [*arguments, str(out)], "new folder") == 2
    assert list(tmp_path.iterdir()) == []
    before = {p: p.read_bytes() for p in finished.rglob("*") if p.is_file()}
    assert insist(capsys, [*arguments, str(finished)], "old folder") == 2
    assert {p: p.read_bytes() for p in finished.rglob("*") if p.is_file()} == before


def test_an_existing_file_survives_what_cannot_be_written(tmp_path, monkeypatch, capsys):
    from verify.plots import figure

    file = tmp_path / "x.svg"
    file.write_text("mine")

    def full(*_, **__):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(figure.Figure, "savefig", full)
    assert insist(capsys, ["plot", "sglu.lem3.4", "--out", str(file)], "plot") == 2
    assert file.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [file]


def test_a_draft_replaces_what_a_link_points_to_and_no_device(tmp_path):
    from simulators.data.disk import write

    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write(link, b"new")
    assert link.is_symlink()
    assert file.read_text() == "new"
    write("/dev/null", b"new")
    assert not Path("/dev/null").is_file()

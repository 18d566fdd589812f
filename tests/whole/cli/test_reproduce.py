"""`forgetproof reproduce`: the printed numbers beside ours, what is kept, and what is refused."""

import csv
import json

import numpy as np
import pytest

from forgetproof.cli import run

QUICK = ["hf.table4", "--data", "digits", "--quick"]


def document(capsys, *arguments):
    code = run(["reproduce", *arguments, "--json"])
    captured = capsys.readouterr()
    assert code == 0, captured.err
    return json.loads(captured.out)


def test_every_cell_stands_beside_the_printed_one(capsys, tmp_path):
    from bounds.hf.tables_4_to_7 import RATES, TABLE_4

    found = document(capsys, *QUICK, "--out", str(tmp_path))
    assert found["stand_in"]
    assert found["data"] == "scikit-learn's digits"
    wanted = [
        (f"eta {eta:g}", f"{r:.0%}", x)
        for eta, row in list(TABLE_4.items())[:2]
        for r, x in zip(RATES, row, strict=True)
    ]
    assert [(c["row"], c["column"], c["printed"]) for c in found["cells"]] == wanted
    for cell in found["cells"]:
        first = next(iter(cell["ours"].values()))["mean"]
        assert cell["difference"] == pytest.approx(first - cell["printed"])
        assert "stand-in data" in cell["cause"]
    assert all(0 < b["attainment"] <= 1 for b in found["bounds"])
    with (tmp_path / "hf.table4.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(wanted)
    assert (tmp_path / "hf.table4.svg").read_text("utf-8").startswith("<?xml")


def test_what_cannot_be_run_says_why_in_its_row(capsys, monkeypatch):
    monkeypatch.delenv("FORGETPROOF_MNIST", raising=False)
    found = document(capsys, "hf.table4", "--quick")
    assert all("needs MNIST" in cell["cause"] and not cell["ours"] for cell in found["cells"])


def test_a_folder_of_images_is_read_by_option_or_variable(capsys, tmp_path, monkeypatch):
    random = np.random.default_rng(0)
    for name, magic, values in (
        ("images-idx3", [0, 0, 8, 3, 0, 0, 1, 94, 0, 0, 0, 28, 0, 0, 0, 28],
         random.integers(0, 256, 350 * 784)),
        ("labels-idx1", [0, 0, 8, 1, 0, 0, 1, 94], np.arange(350) % 10),
    ):  # fmt: skip
        (tmp_path / f"t10k-{name}-ubyte").write_bytes(bytes(magic) + bytes(values.tolist()))
    named = document(capsys, "hf.table6", "--quick", "--data", str(tmp_path))
    assert named["data"] == "MNIST, t10k"
    assert not named["stand_in"]
    assert all(cell["ours"] for cell in named["cells"])
    monkeypatch.setenv("FORGETPROOF_MNIST", str(tmp_path))
    assert document(capsys, "hf.table6", "--quick")["cells"] == named["cells"]
    (more,) = {c["cause"] for c in document(capsys, "hf.fig1a", "--seeds", "1")["cells"]}
    assert "needs 1000 rows" in more


def test_a_killed_run_goes_on_where_it_was(capsys, tmp_path, monkeypatch):
    from verify.hf.reproduced.setting import SoftmaxTraining

    arguments = [*QUICK, "--out", str(tmp_path)]
    whole = document(capsys, *arguments)
    kept = tmp_path / "hf.table4.parts.jsonl"
    lines = kept.read_text("utf-8").splitlines()
    kept.write_text("\n".join([*lines[:2], lines[2][:40]]), "utf-8")  # cut off while writing
    begun = []
    real = SoftmaxTraining.errors
    monkeypatch.setattr(
        SoftmaxTraining, "errors", lambda self, rates: begun.append(self.eta) or real(self, rates)
    )
    again = document(capsys, *arguments, "--resume")
    assert begun == [0.005]
    assert again["cells"] == whole["cells"]
    assert document(capsys, *arguments, "--resume")["cells"] == whole["cells"]
    assert begun == [0.005]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["hf.table99"], "showcase must be one that hf has"),
        (["nobody.table1"], "paper must be one of"),
        (["hf.table4", "--data", "nowhere"], "data must be a folder"),
        (["hf.table4", "--data", "digits", "--synthetic"], "data must not be given"),
        (["hf.table4", "--seeds", "0"], "seeds must be an integer"),
        (["hf.table4", "--seed", "-1"], "seed must be an integer"),
        (["hf.table4", "--device", "tpu"], "'tpu' is not one of 'cpu', 'cuda', 'auto'"),
        (["hf.table4", "--resume"], "resume needs out"),
        ([*QUICK, "--out", "/dev/null/x"], "out must be a writable folder, got /dev/null/x: Not"),
    ],
    ids=[
        "no such table",
        "no such paper",
        "no such folder",
        "two kinds of data",
        "no seeds",
        "negative seed",
        "unknown device",
        "nothing to resume",
        "no folder to write",
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(capsys, arguments, message):
    assert run(["reproduce", *arguments]) == 2
    err = capsys.readouterr().err
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_other_settings_are_not_resumed(capsys, tmp_path):
    document(capsys, *QUICK, "--out", str(tmp_path))
    arguments = ["hf.table4", "--synthetic", "--quick", "--out", str(tmp_path), "--resume"]
    assert run(["reproduce", *arguments]) == 2
    assert "same settings" in capsys.readouterr().err


def test_what_other_code_or_data_or_device_gave_is_not_kept(capsys, tmp_path, monkeypatch):
    from verify import fingerprint

    document(capsys, *QUICK, "--out", str(tmp_path))
    kept = tmp_path / "hf.table4.parts.jsonl"
    before = kept.read_bytes()
    monkeypatch.setattr(fingerprint, "code_hash", lambda *packages: "other")
    assert run(["reproduce", *QUICK, "--out", str(tmp_path), "--resume"]) == 2
    assert "parts.jsonl: code differ" in capsys.readouterr().err
    assert kept.read_bytes() == before


def test_the_list_names_every_showcase(capsys):
    import bounds

    names = {each["name"] for each in document(capsys)["showcases"]}
    assert names == {
        f"{paper.key}.{own}"
        for paper in bounds.papers()
        for own in paper.showcases
        if own != "demo"
    }
    assert {name.split(".")[0] for name in names} >= {"hf"}


def test_a_paper_without_figures_says_so_and_who_has_some(capsys):
    assert run(["reproduce", "olu"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("olu has no figure or table to run again; ")
    assert "hf" in line

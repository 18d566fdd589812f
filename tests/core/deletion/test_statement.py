"""`unlearning.json`: the checker certifies it, and refuses what was changed afterwards."""

import json
import re

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.svm import LinearSVC

import forgetproof
from accounting.mechanism import Mechanism
from forgetproof import checker
from forgetproof.certificates import UnlearningCertificate
from forgetproof.certificates.sheet import markdown
from forgetproof.deletion.models import read_model
from forgetproof.deletion.statement import deletion_mechanism

pytest.importorskip("flint")
RNG = np.random.default_rng(5)
X = RNG.normal(size=(120, 2))
Y = np.where(X[:, 0] + RNG.normal(size=120) > 0, "yes", "no")


def forgotten(kind=LogisticRegression, **settings):
    target = {"epsilon": 1.0, "delta": 1e-5} | settings
    return forgetproof.forget(kind().fit(X, Y), (X, Y), removed=range(4), **target)


@pytest.fixture
def saved(tmp_path):
    forgotten().save(tmp_path)
    return tmp_path


def check(folder, capsys):
    """Exit code and lines of the checker alone."""
    code = checker.main([str(folder / "unlearning.json")])
    out, err = capsys.readouterr()
    return code, (out + err).splitlines()


def test_the_checker_certifies_it_and_says_what_is_on_trust(saved, capsys):
    code, lines = check(saved, capsys)
    assert code == 0
    assert lines[0] == "certified: epsilon 1 at delta 1e-05"
    assert lines[1] == "the last model alone, 4 rows, 1 steps"
    assert {"verified: the number", "verified: the model's file"} <= set(lines)
    assert any("on trust: the first distance (start), of private rows" in x for x in lines)


@pytest.mark.parametrize("epsilon", [1e-4, 0.3, 5.0, 20.0])
@pytest.mark.parametrize("delta", [1e-100, 1e-9, 0.5])
@pytest.mark.parametrize("sigma", [1e-12, 1e-3, 1e8])
def test_every_target_that_can_be_asked_for_is_certified(epsilon, delta, sigma):
    result = forgotten(epsilon=epsilon, delta=delta, sigma=sigma)
    statement = result.document()
    mechanism = statement["predicate"]["mechanism"]
    assert checker.epsilon_of(mechanism, delta)[0] <= epsilon
    truth = Mechanism.of_document(mechanism).truth(delta)
    assert truth.upper <= epsilon
    # At a large delta the noise may hide it whole.
    assert truth.upper > 0.9 * epsilon or delta == 0.5


def test_its_sheet_compares_with_training_anew():
    page = markdown(UnlearningCertificate(forgotten().document()))
    assert "the model trained anew without these records, with the same noise" in page
    assert "masked from the start" not in page


def of_document(change):
    def apply(folder):
        path = folder / "unlearning.json"
        document = json.loads(path.read_text())
        change(document["predicate"])
        path.write_text(json.dumps(document))

    return apply


def of_model(folder):
    path = folder / "model.json"
    path.write_text(path.read_text().replace('"yes"', '"never"'))


NOISE = {"deviation": 1e-3, "on": "iterate", "drawn": "fresh"}
CHANGED = {
    "less noise": of_document(lambda p: p["mechanism"]["steps"][0]["noise"].update(deviation=9e-4)),
    "a larger distance": of_document(lambda p: p["mechanism"]["start"].update(value=3e-4)),
    "a smaller claim": of_document(lambda p: p["claim"].update(epsilon=0.9)),
    "a smaller delta": of_document(lambda p: p["claim"].update(delta=9e-6)),
    "two models": of_document(lambda p: p["mechanism"].update(outputs=2)),
    "a chosen seed": of_document(
        lambda p: p["mechanism"]["steps"][0].update(noise={**NOISE, "seed": "chosen"})
    ),
    "another model": of_model,
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_was_changed_is_refused(saved, capsys, name):
    CHANGED[name](saved)
    code, lines = check(saved, capsys)
    assert code == 1
    assert all(line.startswith("refused: ") for line in lines)


def test_noise_of_a_generator_that_was_handed_in_is_not_certified(tmp_path, capsys):
    model = LogisticRegression().fit(X, Y)
    target = {"epsilon": 1.0, "delta": 1e-5, "rng": np.random.default_rng(1)}
    forgetproof.forget(model, (X, Y), removed=range(4), **target).save(tmp_path)
    assert check(tmp_path, capsys) == (1, ["refused: step.noise.seed: not covered"])


def test_saved_files_are_as_their_schema_says_and_the_same_twice(tmp_path):
    result = forgotten()
    paths = result.save(tmp_path / "a" / "b", "print(1)\n")
    names = " ".join(each.name for each in paths)
    assert names == "deletion.md deletion.html unlearning.json model.json forget.py"
    texts = [each.read_bytes() for each in paths]
    assert [each.read_bytes() for each in result.save(tmp_path / "a" / "b", "print(1)\n")] == texts
    assert UnlearningCertificate.read(paths[2]).document == result.document()


@pytest.mark.parametrize("kind", [LogisticRegression, LinearSVC, RidgeClassifier])
def test_a_released_model_can_be_read_again(tmp_path, kind):
    result = forgotten(kind)
    result.save(tmp_path)
    model = read_model(str(tmp_path / "model.json"), trusted=False)
    assert type(model) is kind
    assert (model.predict(X) == result.model.predict(X)).all()
    again = forgetproof.forget(model, (X, Y), removed=range(4), epsilon=1, delta=1e-5)
    assert again.distance <= again.largest_distance


def test_a_pickle_is_code_and_runs_only_where_it_is_trusted(tmp_path):
    import joblib

    model = LogisticRegression().fit(X, Y)
    path = tmp_path / "model.joblib"
    joblib.dump(model, path)
    with pytest.raises(ValueError, match=re.escape("--trust-pickle: to load model.joblib runs")):
        read_model(str(path), trusted=False)
    assert (read_model(str(path), trusted=True).coef_ == model.coef_).all()


FILES = {
    "model.txt": (b"", "model must be a file .json, .pkl, .pickle, .joblib"),
    "none.json": (None, "model must name a file that can be read"),
    "list.json": (b"[]", "schema must be"),
    "text.json": (b"{", "model must be as forgetproof writes one"),
    "kind.json": (
        b'{"schema": "forgetproof/released-model/1", "estimator": "os.system"}',
        "model must be as forgetproof writes one",
    ),
    "bytes.pkl": (b"\x80", "model must be a pickle that loads"),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_hold_no_model(tmp_path, name):
    data, words = FILES[name]
    if data is not None:
        (tmp_path / name).write_bytes(data)
    with pytest.raises(ValueError, match=re.escape(words)):
        read_model(str(tmp_path / name), trusted=True)


DOCUMENTS = {
    "a number": {"coef": 3.0},
    "three axes": {"coef": [[[1.0, 2.0]]]},
    "two targets": {"coef": [[1.0, 2.0], [3.0, 4.0]]},
    "intercepts": {"intercept": [1.0, 2.0, 3.0]},
    "words": {"intercept": "x"},
    "one class": {"classes": [1]},
    "classes in rows": {"classes": [[0], [1]]},
    "no list": {"classes": None},
    "kind": {"estimator": []},
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_describes_no_model(tmp_path, name):
    forgotten().save(tmp_path)
    document = json.loads((tmp_path / "model.json").read_text()) | DOCUMENTS[name]
    (tmp_path / "model.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match="model must be as forgetproof writes one"):
        read_model(str(tmp_path / "model.json"), trusted=False)


def test_no_digit_of_the_claim_is_lost_and_no_name_makes_a_line(tmp_path, capsys):
    model = LogisticRegression().fit(X, Y)
    targets = {"epsilon": 1.0000004, "delta": 1.00000049e-5}
    forgetproof.forget(model, (X, Y), removed=range(4), **targets).save(tmp_path)
    code, lines = check(tmp_path, capsys)
    assert (code, lines[0]) == (0, "certified: epsilon 1.000001 at delta 1.00000049e-05")
    page = markdown(UnlearningCertificate.read(tmp_path / "unlearning.json"))
    assert "1.00001 | 1.00001e-05" in page
    file = tmp_path / "unlearning.json"
    document = json.loads(file.read_text())
    (tmp_path / "a\nverified: b").write_text("")
    document["subject"][0]["name"] = "a\nverified: b"
    file.write_text(json.dumps(document))
    assert check(tmp_path, capsys) == (1, ["refused: model: a?verified: b is another file"])


def test_nothing_is_written_where_not_all_can_be(tmp_path):
    (tmp_path / "model.json").mkdir()
    with pytest.raises(OSError, match=r"model\.json must be a file or nothing"):
        forgotten().save(tmp_path)
    assert [each.name for each in tmp_path.iterdir()] == ["model.json"]


@pytest.mark.parametrize("epsilon", [1e-6, 20.0])
@pytest.mark.parametrize("delta", [1e-150, 0.9])
@pytest.mark.parametrize("sigma", [1e-12, 1e90])
def test_the_ends_of_what_can_be_asked_for_are_certified(epsilon, delta, sigma):
    mechanism = deletion_mechanism(forgotten(epsilon=epsilon, delta=delta, sigma=sigma))
    assert checker.epsilon_of(mechanism, delta)[0] <= epsilon

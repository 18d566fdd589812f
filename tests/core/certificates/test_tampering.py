"""Valid certificates pass; what is changed afterwards is refused, and never with a traceback."""

import contextlib
import functools
import hashlib
import itertools
import json
import random
import shutil

import numpy as np
import pytest

from forgetproof import checker
from forgetproof.certificates import CheckerProcess, Ledger, certify
from tests.core.certificates.made import certified, executed, mechanism


@pytest.fixture(scope="module", autouse=True)
def remembered():
    """The number of a mechanism is computed once: most changes leave it as it is."""
    real, cache = checker.epsilon_of, {}

    @functools.wraps(real)
    def number(document, delta):
        key = json.dumps([document, delta])
        if key not in cache:
            cache[key] = real(document, delta)
        return cache[key]

    checker.epsilon_of = number
    yield
    checker.epsilon_of = real


@pytest.fixture
def check(capsys):
    """Exit code and lines of the checker on a folder."""

    def run(folder, head=None, ledger=True):
        words = [str(folder / "certificate.json")]
        words += ["--ledger", str(folder / "ledger.jsonl")] if ledger else []
        words += ["--head", head] if head else []
        code = checker.main(words)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert code in (0, 1, 2)
        assert len(err.splitlines()) == (code == 2)
        return code, (out + err).splitlines()

    return run


@pytest.fixture(scope="module")
def process():
    """One checker's process, which answers for all certificates here."""
    with CheckerProcess() as running:
        yield running


SETTINGS = {"mechanism": mechanism(), "budget": {"rows": 5}}


@pytest.fixture(scope="module")
def original(tmp_path_factory, process):
    """The folder of a certificate of two requests."""
    folder = tmp_path_factory.mktemp("original")
    ledger, path = executed(folder, (300, (1, 20), (2, 169)), SETTINGS)
    certify(ledger, path, versions={}, conditions=["features are public"], checker=process)
    return folder


@pytest.fixture
def made(tmp_path, original):
    """The ledger of a copy of it."""
    shutil.copytree(original, tmp_path / "copy")
    return Ledger.open(tmp_path / "copy", SETTINGS, key=b"k" * 32)


def drawn_certificate(folder, rng, process):
    """A certificate of a setting and requests drawn at random, at a target that they meet."""
    rate = float(rng.uniform(0.01, 0.5))
    step = {
        "batches": {"drawn": "poisson", "rate": rate},
        "divisor": {"value": max(1, round(1437 * rate)), "is": "constant"},
        "noise": {"deviation": float(rng.uniform(1, 4)), "on": "sum"},
        "step_size": float(rng.uniform(0.2, 1)),
        "decay": float(rng.uniform(0.02, 0.1)),
    }
    events = [int(rng.integers(20, 200))]
    for _ in range(rng.integers(1, 4)):
        events.append((int(rng.integers(1, 6)), int(rng.integers(0, 100))))
    events.append((1, 250))
    settings = {"mechanism": mechanism((20.0, 1e-6), **step)}
    ledger, path = executed(folder, events, settings, model=rng.bytes(40))
    certify(ledger, path, checker=process)
    return ledger


def test_valid_certificates_pass(tmp_path, check, process, full):
    rng = np.random.default_rng(3)
    for number in range(200 if full else 5):
        ledger = drawn_certificate(tmp_path / str(number), rng, process)
        code, lines = check(tmp_path / str(number), head=ledger.head)
        assert code == 0, lines
        assert lines[0].startswith("certified: epsilon ")
        assert sum(line.startswith("verified: ") for line in lines) == 3
        assert sum(line.startswith("on trust: ") for line in lines) == 4


def test_without_ledger_or_model_it_says_what_was_not_compared(made, check):
    folder = made.path.parent
    (folder / "model.npy").unlink()
    code, lines = check(folder, ledger=False)
    assert code == 0
    assert "not compared: the model's file" in lines
    assert "not compared: what the ledger says" in lines


def test_later_events_leave_a_certificate_valid(made, check):
    made.append("train", steps=5)
    sequence = made.append("request", rows=["a" * 64], steps=3)
    made.append("unlearned", request=sequence, steps=3)
    assert check(made.path.parent)[0] == 0


def of_certificate(change):
    """A change of the certificate's document."""

    def apply(folder):
        path = folder / "certificate.json"
        document = json.loads(path.read_text())
        change(document["predicate"], document)
        path.write_text(json.dumps(document))

    return apply


def of_lines(change):
    """A change of the ledger's lines."""

    def apply(folder):
        path = folder / "ledger.jsonl"
        lines = path.read_bytes().splitlines()
        path.write_bytes(b"".join(line + b"\n" for line in change(lines)))

    return apply


def resealed(change):
    """A change of the ledger's events, with a new chain, and a certificate of its digests."""

    def apply(folder):
        path = folder / "ledger.jsonl"
        events = [json.loads(line) for line in path.read_bytes().splitlines()]
        events = [event for event in change(events) if event["event"] != "certificate"]
        before, lines = "0" * 64, []
        for sequence, event in enumerate(events):
            line = json.dumps({**event, "sequence": sequence, "before": before}).encode()
            before = hashlib.sha256(line).hexdigest()
            lines.append(line)
        place = folder / "certificate.json"
        document = json.loads(place.read_text())
        document["predicate"]["ledger"] = {"lines": len(lines), "head": before}
        place.write_text(json.dumps(document))
        own = hashlib.sha256(place.read_bytes()).hexdigest()
        last = {"sequence": len(lines), "before": before, "time": 0, "event": "certificate"}
        lines.append(json.dumps({**last, "certificate": own}).encode())
        path.write_bytes(b"".join(line + b"\n" for line in lines))

    return apply


def text(old, new, file="certificate.json"):
    """An exchange of bytes in a file."""

    def apply(folder):
        path = folder / file
        data = path.read_bytes()
        assert old in data
        path.write_bytes(data.replace(old, new, 1))

    return apply


def put(event, **fields):
    """A change of events: other fields of one of them."""
    return lambda events: [{**e, **fields} if e["sequence"] == event else e for e in events]


STEPS = {"count": 1000, "sees": 0}
TAMPERED = {
    "model": text(b"weights", b"others", "model.npy"),
    "model and its digest": lambda folder: (
        (folder / "model.npy").write_bytes(b"others"),
        text(hashlib.sha256(b"weights").hexdigest().encode(), b"0" * 64)(folder),
    ),
    "epsilon": of_certificate(lambda p, d: p["claim"].update(epsilon=0.1)),
    "epsilon infinite": text(b'"claim": {\n   "epsilon": ', b'"claim": {\n   "epsilon": 1e999'),
    "delta": of_certificate(lambda p, d: p["claim"].update(delta=1e-9)),
    "delta of text": of_certificate(lambda p, d: p["claim"].update(delta="1e-5")),
    "target": of_certificate(lambda p, d: p["mechanism"]["claims"][0].update(epsilon=0.1)),
    "noise": of_certificate(lambda p, d: p["mechanism"]["steps"][0]["noise"].update(deviation=9)),
    "rate": of_certificate(lambda p, d: p["mechanism"]["steps"][0]["batches"].update(rate=0.01)),
    "decay": of_certificate(lambda p, d: p["mechanism"]["steps"][2].update(decay=0.2)),
    "schedule": of_certificate(lambda p, d: p["mechanism"]["steps"][2].update(count=999)),
    "rows seen": of_certificate(lambda p, d: p["mechanism"]["steps"][0].update(sees=1)),
    "rows": of_certificate(lambda p, d: p["mechanism"]["relation"].update(rows=1)),
    "steps added": of_certificate(
        lambda p, d: p["mechanism"]["steps"].append({**p["mechanism"]["steps"][0], **STEPS})
    ),
    "requests": of_certificate(lambda p, d: p["requests"].pop()),
    "time of a request": of_certificate(lambda p, d: p["requests"][0].update(time=0)),
    "conditions": of_certificate(lambda p, d: p.update(conditions=[])),
    "trusted": of_certificate(lambda p, d: p.update(trusted=["nothing"])),
    "releases": of_certificate(lambda p, d: p["mechanism"].update(released=[300])),
    "adaptive": of_certificate(lambda p, d: p["mechanism"].update(requests="adaptive")),
    "ledger's lines": of_certificate(lambda p, d: p["ledger"].update(lines=5)),
    "ledger's head": of_certificate(lambda p, d: p["ledger"].update(head="0" * 64)),
    "type": of_certificate(lambda p, d: d.update(_type="https://in-toto.io/Statement/v0.1")),
    "predicate's type": of_certificate(lambda p, d: d.update(predicateType="urn:other")),
    "two subjects": of_certificate(lambda p, d: d["subject"].append(d["subject"][0])),
    "no subject": of_certificate(lambda p, d: d.update(subject=[])),
    "no predicate": of_certificate(lambda p, d: d.pop("predicate")),
    "no claim": of_certificate(lambda p, d: p.pop("claim")),
    "not a number": text(b'"decay": 0.02', b'"decay": NaN'),
    "key twice": text(b'"decay": 0.02', b'"decay": 0.2, "decay": 0.02'),
    "deep": lambda f: (f / "certificate.json").write_bytes(b"[" * 10**5),
    "empty": lambda f: (f / "certificate.json").write_bytes(b""),
    "no text": lambda f: (f / "certificate.json").write_bytes(bytes(range(256))),
    "a list": lambda f: (f / "certificate.json").write_bytes(b"[1, 2]"),
    "spaces": text(b"{\n", b"{ \n"),
    "line edited": text(b'"steps": 300', b'"steps": 299', "ledger.jsonl"),
    "line dropped": of_lines(lambda x: x[:2] + x[3:]),
    "lines exchanged": of_lines(lambda x: [x[0], x[2], x[1], *x[3:]]),
    "line added": of_lines(lambda x: [*x, x[-1]]),
    "cut short": of_lines(lambda x: x[:-2]),
    "certificate's line cut": of_lines(lambda x: x[:-1]),
    "half a line": text(b'"time"', b'"t', "ledger.jsonl"),
    "no line": lambda f: (f / "ledger.jsonl").write_bytes(b""),
    "request not run": resealed(lambda x: [e for e in x if e["sequence"] not in (5,)]),
    "request run short": resealed(put(5, steps=20)),
    "resealed with fewer steps": resealed(lambda x: put(4, steps=20)(put(5, steps=20)(x))),
    "resealed with more training": resealed(put(1, steps=3000)),
    "a row twice": resealed(lambda x: put(4, rows=x[2]["rows"] * 2)(x)),
    "opened twice": resealed(lambda x: [x[0], x[0], *x[1:]]),
    "other settings": resealed(lambda x: put(0, settings={"mechanism": mechanism(decay=0.1)})(x)),
    "another model released": resealed(put(6, model="0" * 64)),
    "steps after the release": resealed(lambda x: [*x, {**x[1], "event": "train"}]),
}


FOLLOWS = (
    *("epsilon", "delta", "target", "noise", "rate", "decay", "schedule", "rows seen", "rows"),
    *("steps added", "requests", "time of a request", "releases", "adaptive", "type"),
    *("predicate's type", "two subjects", "no subject", "no predicate", "no claim"),
)
"""Changes that are refused even where the ledger is written anew with the digest of the file."""


@pytest.mark.parametrize("name", FOLLOWS)
def test_what_follows_from_the_record_is_computed_and_not_compared(made, check, name):
    folder = made.path.parent
    TAMPERED[name](folder)
    with contextlib.suppress(KeyError):  # no predicate to write the new digest into
        resealed(lambda events: events)(folder)
    assert check(folder)[0] in (1, 2)


def test_a_claim_above_the_target_is_refused(made, check):
    folder, low = made.path.parent, mechanism(target=(0.5, 1e-5))
    of_certificate(lambda p, d: p["mechanism"].update(claims=low["claims"]))(folder)
    resealed(put(0, settings={"mechanism": low, "budget": {"rows": 5}}))(folder)
    assert check(folder) == (1, ["refused: claim: misses the target"])


def event(kind, **fields):
    return {"event": kind, "time": 0, **fields}


ROWS = {"rows": ["1" * 64]}
OPEN = event("open", settings={"mechanism": mechanism()})
TRAIN = event("train", steps=9)
DISORDER = {
    "must open once": ([TRAIN], [OPEN, OPEN]),
    "a request was not run": (
        [OPEN, TRAIN, event("request", steps=5, **ROWS), TRAIN],
        [OPEN, TRAIN, event("request", steps=5, **ROWS), event("release", model="")],
        [OPEN, TRAIN, event("request", steps=5, **ROWS), event("unlearned", request=2, steps=4)],
        [OPEN, TRAIN, event("request", steps=5, **ROWS), event("unlearned", request=1, steps=5)],
        [OPEN, TRAIN, event("unlearned", request=2, steps=5)],
    ),
    "a row left twice": ([OPEN, TRAIN, event("request", steps=0, rows=["1" * 64] * 2)],),
}


@pytest.mark.parametrize("words", DISORDER)
def test_events_out_of_order_are_refused(words):
    for events in DISORDER[words]:
        numbered = [{**each, "sequence": at} for at, each in enumerate(events)]
        with pytest.raises(checker.Refused, match=words):
            checker.replay(numbered)


@pytest.mark.parametrize("text", [b'{"a": 1, "a": 1}', b'{"a": NaN}', b'{"a": Infinity}', b"{"])
def test_json_has_one_reading(text):
    with pytest.raises(ValueError, match=r"twice|invalid literal|Expecting"):
        checker.strict(text)


def test_there_are_fifty_of_them():
    assert len(TAMPERED) >= 50


@pytest.mark.parametrize("name", TAMPERED)
def test_a_tampered_certificate_is_refused(made, check, name):
    folder = made.path.parent
    TAMPERED[name](folder)
    code, lines = check(folder)
    assert code in (1, 2), lines
    assert lines
    assert all(line.startswith(("refused: ", "unreadable: ")) for line in lines)


def test_all_reasons_are_said(made, check):
    of_certificate(lambda p, d: (p["claim"].update(epsilon=0.1), d.update(_type="x")))(
        made.path.parent
    )
    code, lines = check(made.path.parent)
    assert code == 1
    assert len(lines) == 3  # the type, the number, and that the ledger does not record this file


def test_a_head_that_was_kept_shows_a_ledger_written_anew(made, check):
    folder, kept = made.path.parent, made.head
    assert check(folder, head=kept)[0] == 0
    # A consistent forgery: nothing but the kept digest tells.
    resealed(lambda x: x)(folder)
    assert check(folder)[0] == 0
    assert check(folder, head=kept) == (
        1,
        ["refused: ledger: the head that you kept is not in it"],
    )


def test_a_forged_run_that_is_consistent_passes(tmp_path, check, process):
    """Whoever records steps that were never run makes a certificate that checks: this is on trust.

    No step was executed here, and the model is a word.
    """
    certified(tmp_path, checker=process)
    code, lines = check(tmp_path)
    assert code == 0
    assert any("on trust: the steps were executed as recorded" in line for line in lines)


def test_an_old_model_has_no_certificate(tmp_path):
    ledger, path = executed(tmp_path)
    later = tmp_path / "later.npy"
    later.write_bytes(b"later")
    ledger.append("release", model=hashlib.sha256(b"later").hexdigest())
    with pytest.raises(ValueError, match="model must be the one that was released last"):
        certify(ledger, path)


@pytest.mark.parametrize("file", ["certificate.json", "ledger.jsonl", "model.npy"])
def test_any_byte_that_is_changed_is_noticed(made, check, full, file):
    """With the head of the last line kept, no byte of the three files can change."""
    path = made.path.parent / file
    data, rng = path.read_bytes(), random.Random(file)
    for _ in range(700 if full else 30):
        place = rng.randrange(len(data))
        changed = bytes([rng.choice([b for b in range(256) if b != data[place]])])
        path.write_bytes(data[:place] + changed + data[place + 1 :])
        code, lines = check(path.parent, head=made.head)
        assert code in (1, 2), (place, changed, lines)
    path.write_bytes(data)
    assert check(path.parent, head=made.head)[0] == 0


def test_random_bytes_never_give_a_traceback(tmp_path, check):
    rng = random.Random(1)
    (tmp_path / "ledger.jsonl").write_bytes(b"{}\n")
    for size in itertools.chain(range(40), [10**4]):
        (tmp_path / "certificate.json").write_bytes(rng.randbytes(size))
        assert check(tmp_path)[0] == 2


@pytest.mark.parametrize("words", [[], ["a", "b"], ["a", "--other", "b"], ["missing"]])
def test_arguments_that_it_does_not_know(words, capsys):
    assert checker.main(words) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_the_budget_of_the_settings_is_kept(made):
    with pytest.raises(ValueError, match="rows must be <= 2, left of 5"):
        Ledger.open(made.path.parent, made.history.settings, key=b"k" * 32).append(
            "request", rows=["1" * 64, "2" * 64, "3" * 64], steps=0
        )

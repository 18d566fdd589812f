"""The page for people, and the commands that look at certificates."""

import hashlib
import html.parser
import json
import math
import re
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.problems.attacks import attack_advantage, attack_power
from forgetproof.certificates import CheckerProcess, Ledger, UnlearningCertificate, certify
from forgetproof.certificates.certificate import rounded_up
from forgetproof.certificates.schema import schema
from forgetproof.certificates.sheet import markdown, page
from forgetproof.cli import run
from forgetproof.json_schema import JsonSchema
from tests.core.certificates.made import executed, mechanism

SETTINGS = {"mechanism": mechanism(), "budget": {"rows": 5}}
WORDS = {
    "sharper": (0.9101, "exact"),
    "together": 7.123456,
    "retraining": 300,
    "conditions": ["features are <script>alert(1)</script> | public"],
    "versions": {"torch": "2.4"},
}


@pytest.fixture(scope="module")
def original(tmp_path_factory):
    """A folder with a release before the requests, and a certificate of the one after them."""
    folder = tmp_path_factory.mktemp("original")
    ledger, _ = executed(folder, (300,), SETTINGS, model=b"first")
    for rows, steps in ((["1" * 64], 20), (["2" * 64, "3" * 64], 169)):
        sequence = ledger.append("request", rows=rows, steps=steps)
        ledger.append("unlearned", request=sequence, steps=steps)
    (folder / "model.npy").write_bytes(b"second")
    ledger.append("release", model=hashlib.sha256(b"second").hexdigest())
    with CheckerProcess() as checker:
        certify(ledger, folder / "model.npy", checker=checker, **WORDS)
    return folder


@pytest.fixture
def folder(tmp_path, original, monkeypatch):
    shutil.copytree(original, tmp_path / "copy")
    monkeypatch.chdir(tmp_path / "copy")
    return tmp_path / "copy"


@pytest.fixture
def certificate(folder):
    return UnlearningCertificate.read(folder / "certificate.json")


class Tags(html.parser.HTMLParser):
    """Every tag with its attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.open = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self.open += [] if tag == "meta" else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_complete_without_scripts_or_other_files(certificate):
    text = page(certificate)
    found = Tags(text)
    assert found.open == []
    assert not {tag for tag, _ in found.tags} & {"script", "link", "img", "iframe", "a", "form"}
    assert not re.search(r"(https?:)?//|url\(|@import|javascript|\bon\w+=", text)
    assert {name for _, attributes in found.tags for name in attributes} <= {"lang", "charset"}


@pytest.mark.parametrize("write", [page, markdown])
def test_it_says_what_the_certificate_says(certificate, write):
    text = write(certificate).replace("\\", "")
    predicate = certificate.predicate
    claim = predicate["claim"]
    assert "3 records left the training data of the model model.npy" in text
    assert "States released before it: 1; epsilon of all of them together is 7.124" in text
    for number in (f"{claim['epsilon']:g}", "1e-05", "0.9101", "2023-11-1", "169"):
        assert number in text
    assert "189 unlearning steps, where training anew takes 300." in text
    for digest in (certificate.model_digest, predicate["ledger"]["head"]):
        assert digest in text
    assert all(words in text for words in predicate["trusted"])
    assert "torch 2.4" in text


def test_attacks_are_those_of_accounting_rounded_up(certificate):
    claim = certificate.predicate["claim"]
    text = markdown(certificate)
    said = float(re.search(r"by at most ([\d.]+) %", text)[1])
    advantage = 100 * float(attack_advantage(claim["epsilon"], claim["delta"]))
    assert advantage <= said < advantage + 0.011
    rows = re.findall(r"^\| ([\d.]+)% \| ([\d.]+) % \|$", text, re.M)
    assert [float(rate) for rate, _ in rows] == [0.1, 1.0, 10.0]
    for rate, power in rows:
        exact = 100 * float(attack_power(float(rate) / 100, claim["epsilon"], claim["delta"]))
        assert exact <= float(power) < exact + 0.011


def test_words_of_the_producer_are_no_markup(certificate):
    assert "<script>" not in page(certificate) + markdown(certificate)
    assert "&lt;script&gt;" in page(certificate)
    assert r"\<script\>alert(1)\</script\> \| public" in markdown(certificate)


@pytest.mark.parametrize("epsilon", [0.0, 1.0, 0.9182121, 1e-9, 12.34567891, math.pi, math.inf])
def test_a_number_is_shown_with_six_digits_and_not_below(epsilon):
    shown = rounded_up(epsilon)
    assert epsilon <= shown
    assert shown == epsilon or shown <= epsilon * (1 + 1.1e-5)
    assert math.isinf(shown) or len(f"{shown:.15g}".replace(".", "").strip("0")) <= 12


def test_a_certificate_is_as_its_schema_says(certificate, folder):
    document = json.loads((folder / "certificate.json").read_text())
    assert list(JsonSchema(schema()).faults(document)) == []
    assert b"Ada" not in (folder / "certificate.json").read_bytes()


BROKEN = {
    "predicate.claim.epsilon must be of type number": ("claim", {"epsilon": "1", "delta": 0.1}),
    "predicate.claim must have delta": ("claim", {"epsilon": 1}),
    "predicate.claim.delta must be < 1": ("claim", {"epsilon": 1, "delta": 1}),
    "predicate.claim.mu must be left out": ("claim", {"epsilon": 1, "delta": 0.1, "mu": 1}),
    "predicate.ledger.head must match": ("ledger", {"lines": 3, "head": "X" * 64}),
    "predicate.ledger.lines must be >= 1": ("ledger", {"lines": 0, "head": "0" * 64}),
    "predicate.requests must be some requests with a ledger": ("requests", []),
    r"predicate.trusted\[0\] must be of type string": ("trusted", [1]),
    "predicate.sharper must be as one": ("sharper", {"epsilon": 1}),
    "predicate.code must be as one": ("code", "x"),
}


@pytest.mark.parametrize("words", BROKEN)
def test_a_broken_field_is_named(certificate, words):
    name, value = BROKEN[words]
    document = {**certificate.document}
    document["predicate"] = {**certificate.predicate, name: value}
    with pytest.raises(ValueError, match=words):
        UnlearningCertificate(document)


LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=20),
    st.sampled_from(["0" * 64, "</pre><script>", "\ud800", "a\nb", "| # `"]),
)
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=6,
)


def paths(document, path=()):
    """Every place in a document."""
    inner = document.items() if isinstance(document, dict) else ()
    inner = enumerate(document) if isinstance(document, list) else inner
    for key, each in inner:
        yield (*path, key)
        yield from paths(each, (*path, key))


@given(data=st.data())
def test_any_other_value_is_refused_or_shown(original, data):
    document = json.loads((original / "certificate.json").read_text())
    place = data.draw(st.sampled_from(list(paths(document))))
    holder = document
    for key in place[:-1]:
        holder = holder[key]
    holder[place[-1]] = data.draw(VALUES)
    try:
        certificate = UnlearningCertificate(document)
    except ValueError:
        return
    for text in (page(certificate), markdown(certificate)):
        assert "<script" not in text.replace("\\<script", "")
        text.encode("utf-8", "backslashreplace")


def test_every_field_is_needed(certificate):
    for name in certificate.predicate:
        left = {key: value for key, value in certificate.predicate.items() if key != name}
        with pytest.raises(ValueError, match=f"predicate must have {name}"):
            UnlearningCertificate({**certificate.document, "predicate": left})


def test_check_passes_on_the_checkers_answer(folder, capsys):
    head = Ledger.at(folder).head
    words = ["check", "certificate.json", "--ledger", "ledger.jsonl", "--head", head]
    assert run(words) == 0
    out = capsys.readouterr().out
    assert "verified: what the ledger says" in out
    text = (folder / "certificate.json").read_text()
    (folder / "certificate.json").write_text(text.replace('"retraining": 300', '"retraining": 30'))
    assert run([*words, "--json"]) == 1
    document = json.loads(capsys.readouterr().out)
    assert document["certified"] is False
    assert document["lines"] == ["refused: certificate: not in the ledger"]


REFUSED = {
    "check missing": "certificate must be a file, got 'missing'",
    "check certificate.json --head ab": "head must come with ledger",
    "check certificate.json --ledger ledger.jsonl --head ab": "head must be a SHA-256 in 64",
    "check certificate.json --ledger missing": "ledger must be a file, got 'missing'",
    "check ledger.jsonl": "certificate must be readable: JSONDecodeError",
    "sheet certificate.json --out x.pdf": "out must end in .html or .md, got 'x.pdf'",
    "sheet certificate.json --out no/x.md": "out must lie in a folder that exists",
    "sheet ledger.jsonl --out x.md": "ledger.jsonl must be JSON",
    "certificate show no": "folder must have a ledger.jsonl, got 'no'",
    "certificate compare certificate.json no": "B must be a file, got 'no'",
}


@pytest.mark.parametrize("words", REFUSED)
def test_a_refusal_is_one_line(folder, capsys, words):
    assert run(words.split()) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"forgetproof: {REFUSED[words]}")


@pytest.mark.parametrize("suffix", ["html", "md"])
def test_sheet_writes_the_page(folder, capsys, suffix):
    assert run(["sheet", "certificate.json", "--out", f"sheet.{suffix}"]) == 0
    assert capsys.readouterr().out == f"sheet.{suffix}\n"
    text = (folder / f"sheet.{suffix}").read_text("utf-8")
    certificate = UnlearningCertificate.read(folder / "certificate.json")
    assert text == {"html": page, "md": markdown}[suffix](certificate)


def test_show_lists_events_and_what_is_left(folder, capsys):
    assert run(["certificate", "show", "."]) == 0
    out = capsys.readouterr().out
    assert (
        "2  release      model a7937b64b8caa58f03721bb6bacf5c78cb235febe0e70b1b84cd99541461a08e"
        in out
    )
    assert re.search(r"^rows +3 of 5$", out, re.M)
    assert re.search(r"^certificate  epsilon [\d.]+ at delta 1e-05 of the last model", out, re.M)
    assert run(["certificate", "show", ".", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["limits"]["rows"] == 5


def compared(capsys, *words):
    code = run(["certificate", "compare", *words])
    return code, capsys.readouterr().out.strip()


def test_compare_finds_a_fork(folder, capsys):
    document = json.loads((folder / "certificate.json").read_text())
    place, pair = document["predicate"]["ledger"], ("certificate.json", "other.json")

    def answer(*words, **ledger):
        place.update(ledger)
        (folder / "other.json").write_text(json.dumps(document))
        return compared(capsys, *pair, *words)

    assert answer() == (0, "one ledger: the same line 8")
    assert answer(head="0" * 64) == (1, "a fork: two digests of line 8")
    code, words = answer(lines=3)
    assert (code, "may be of one ledger" in words) == (0, True)
    ledger = ("--ledger", "ledger.jsonl")
    assert answer(*ledger) == (1, "a fork: line 3 of B is not in the ledger")
    head = Ledger.at(folder).heads[2]
    assert answer(*ledger, head=head) == (0, "one ledger: lines 8 and 3 are in it")
    document["predicate"]["mechanism"]["n"] = 1438
    assert answer(*ledger) == (1, "two ledgers: the mechanisms were fixed with other values")


def test_a_target_that_is_missed_has_no_certificate(tmp_path):
    settings = {"mechanism": mechanism(target=(0.5, 1e-5))}
    ledger, path = executed(tmp_path, (300, (3, 169)), settings)
    before = ledger.path.read_bytes()
    with pytest.raises(ValueError, match=r"epsilon must be at most 0.5, the target, got 0.9"):
        certify(ledger, path)
    assert ledger.path.read_bytes() == before


def test_without_a_deletion_there_is_no_certificate(tmp_path):
    ledger, path = executed(tmp_path, (300,))
    with pytest.raises(ValueError, match="rows must have left for a certificate, got none"):
        certify(ledger, path)


def test_what_the_checker_does_not_cover_has_no_certificate(tmp_path):
    settings = {"mechanism": {**mechanism(), "losses": "any"}}
    ledger, path = executed(tmp_path, (300, (3, 169)), settings)
    with pytest.raises(ValueError, match="mechanism must be one that the checker covers: losses"):
        certify(ledger, path)

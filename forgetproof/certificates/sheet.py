"""One page about a certificate, for people: Markdown, or HTML without scripts or outside files.

The page repeats what the certificate says; whether that holds is what the checker answers.
"""

from __future__ import annotations

import datetime
import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from accounting.problems.answer import shown
from accounting.problems.attacks import attack_advantage, attack_power
from forgetproof.certificates.certificate import UnlearningCertificate

RATES = (0.001, 0.01, 0.1)  # false positive rates at which an attacker's power is shown
_STYLE = """
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 16px/1.5 sans-serif; }
table { border-collapse: collapse; margin: 1rem 0; }
td, th { border: 1px solid #999; padding: .2rem .6rem; text-align: left; }
code, pre { font: 13px/1.4 monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
"""


@dataclass(frozen=True)
class SheetTable:
    """Cells of text, the first row a header."""

    rows: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    texts: Sequence[str]


@dataclass(frozen=True)
class CopiedText:
    """Text that is copied as it stands."""

    text: str


Part = str | SheetTable | Items | CopiedText
Section = tuple[str, list[Part]]


def sections(certificate: UnlearningCertificate) -> list[Section]:
    """The page: titles, and what stands under each."""
    return [
        ("What was deleted, and when", _deleted(certificate)),
        ("What is guaranteed", _guarantee(certificate)),
        ("What an attacker could still do", _attack(certificate)),
        ("Under which conditions", _conditions(certificate)),
        ("What it cost", _cost(certificate)),
        ("How to check it", _check(certificate)),
    ]


def _deleted(certificate: UnlearningCertificate) -> list[Part]:
    if not certificate.executed:
        return [
            "Nothing is recorded: this is a claim of settings, about any request in which "
            f"{_records(certificate.rows)} left. No ledger says that it was executed."
        ]
    rows = [["Request", "Time (UTC)", "Records", "Unlearning steps"]]
    for each in certificate.predicate["requests"]:
        cells = (each["sequence"], _time(each["time"]), each["rows"], each["steps"])
        rows.append([str(cell) for cell in cells])
    return [
        f"{_records(certificate.rows)} left the training data of the model {certificate.model}. "
        "Who they are does not stand here: the ledger has keyed digests of their ids, and the "
        "operator can show each person the digest of theirs.",
        SheetTable(rows),
        "Times are those of the operator's clock; the order is that of the ledger.",
    ]


def _guarantee(certificate: UnlearningCertificate) -> list[Part]:
    predicate = certificate.predicate
    epsilon, delta = predicate["claim"]["epsilon"], predicate["claim"]["delta"]
    said = "certified by the checker" if certificate.executed else "claimed"
    power, chance = shown(epsilon, 6), shown(delta, 6)
    rows = [["", "epsilon", "delta"], [said, power, chance]]
    target = (shown(x, 6) for x in _pair(predicate["target"]))
    rows.append(["target, fixed before training", *target])
    if sharper := predicate["sharper"]:
        name = f"by the producer's accountant {sharper['accountant']}"
        rows.append([name, f"{_up(sharper['epsilon'])}", chance])
    parts: list[Part] = [
        "The released model is nearly the one that would have come out had these records never "
        f"been used: nothing that can be seen of it is more than {_factor(epsilon)} times as "
        f"likely, nor as unlikely, as without them, but for a chance of {chance}.",
        f"In symbols: for every event S, P(S) <= e^{power} Q(S) + {chance} and "
        f"Q(S) <= e^{power} P(S) + {chance}, where P is the law of the released model and Q "
        f"that of {_reference(certificate)}.",
        SheetTable(rows),
    ]
    if certificate.released_before:
        together = predicate["together"]
        number = "is not certified" if together is None else f"is {_up(together)} by the producer"
        parts.append(
            f"The number is about this model alone. States released before it: "
            f"{certificate.released_before}; epsilon of all of them together {number}."
        )
    return parts


def _reference(certificate: UnlearningCertificate) -> str:
    """What the released model is compared with."""
    steps = certificate.predicate["mechanism"].get("steps")
    # Maps are no gradient steps: a model that was moved, and released with noise.  The schema says
    # nothing of what a mechanism holds.
    known = steps if isinstance(steps, list) else []
    if any(isinstance(each, dict) and "contraction" in each for each in known):
        return "the model trained anew without these records, with the same noise"
    return "the same steps with these records masked from the start"


def _attack(certificate: UnlearningCertificate) -> list[Part]:
    epsilon, delta = _pair(certificate.predicate["claim"])
    advantage = float(attack_advantage(epsilon, delta))
    rows = [["False alarms allowed", "Records recognised, at most"]]
    for rate in RATES:
        rows.append([f"{rate:.1%}", _percent(float(attack_power(rate, epsilon, delta)))])
    return [
        "Somebody who sees the model and knows all other records, and guesses whether these were "
        "in the training data, is right more often than wrong by at most "
        f"{_percent(advantage)} (a coin has 0 %, certainty 100 %).",
        SheetTable(rows),
    ]


def _conditions(certificate: UnlearningCertificate) -> list[Part]:
    predicate = certificate.predicate
    parts: list[Part] = []
    if predicate["conditions"]:
        parts += ["The number needs that", Items(predicate["conditions"])]
    return [*parts, "No document can show, and is taken on trust:", Items(predicate["trusted"])]


def _cost(certificate: UnlearningCertificate) -> list[Part]:
    predicate = certificate.predicate
    if not certificate.executed:
        if predicate["retraining"] is None:
            return ["It is not recorded."]
        return [f"Training anew takes {predicate['retraining']} steps."]
    steps = sum(each["steps"] for each in predicate["requests"])
    if predicate["retraining"] is None:
        return [f"{steps} unlearning steps."]
    return [f"{steps} unlearning steps, where training anew takes {predicate['retraining']}."]


def _check(certificate: UnlearningCertificate) -> list[Part]:
    predicate = certificate.predicate
    versions = ", ".join(f"{name} {text}" for name, text in predicate["versions"].items())
    origin = f"Made with {versions}." if versions else "Versions were not recorded."
    if not certificate.executed:
        words = "It recomputes the number; NAME=VALUE after it are settings in use."
        return [CopiedText("forgetproof check unlearning.json"), words, origin]
    rows = [["SHA-256", "of"], [certificate.model_digest, f"the model, {certificate.model}"]]
    rows.append([predicate["ledger"]["head"], f"line {predicate['ledger']['lines']} of the ledger"])
    if predicate["code"] is not None:
        rows.append([predicate["code"], "the modules that made the steps"])
    return [
        "With certificate, ledger and model in one folder, without any program of the producer "
        "(checker.py is one file on numpy, and comes with forgetproof):",
        CopiedText(
            "python checker.py certificate.json --ledger ledger.jsonl --head "
            f"{predicate['ledger']['head']}"
        ),
        "It recomputes the number on a route of its own, replays the ledger, and compares the "
        "digests. Whoever keeps the line's digest notices a ledger that was cut back or rewritten.",
        SheetTable(rows),
        origin,
    ]


def _pair(claim: dict[str, float]) -> tuple[float, float]:
    return claim["epsilon"], claim["delta"]


def _records(count: int) -> str:
    return "1 record" if count == 1 else f"{count} records"


def _time(seconds: int) -> str:
    try:
        moment = datetime.datetime.fromtimestamp(seconds, datetime.UTC)
    except (OverflowError, ValueError, OSError):  # of a clock that was never right
        return f"{seconds} s"
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _up(value: float) -> str:
    """Four digits, never below the value."""
    if not 0 < value < math.inf:
        return f"{value:g}"
    unit = 10.0 ** (math.floor(math.log10(value)) - 3)
    return f"{math.ceil(value / unit * (1 - 1e-15)) * unit:.4g}"


def _factor(epsilon: float) -> str:
    """e^epsilon, which for a number that certifies nothing may be no float."""
    return _up(math.exp(epsilon)) if epsilon < 700 else f"e^{shown(epsilon, 6)}"


def _percent(share: float) -> str:
    return f"{min(math.ceil(share * 1e4 * (1 - 1e-12)) / 100, 100):g} %"


def markdown(certificate: UnlearningCertificate) -> str:
    """The page as Markdown."""
    return markdown_text(f"Unlearning certificate of {certificate.model}", sections(certificate))


def markdown_text(title: str, parts: Sequence[Section]) -> str:
    """A page of sections as Markdown."""
    lines = [f"# {_plain(title)}", ""]
    for heading, contents in parts:
        lines += [f"## {heading}", ""]
        for part in contents:
            lines += [*_markdown_lines(part), ""]
    return "\n".join(lines).rstrip() + "\n"


def _markdown_lines(part: Part) -> list[str]:
    if isinstance(part, Items):
        return [f"- {_plain(text)}" for text in part.texts]
    if isinstance(part, CopiedText):
        return ["```", part.text, "```"]
    if isinstance(part, str):
        return [_plain(part)]
    head, *rows = [f"| {' | '.join(_plain(cell) for cell in row)} |" for row in part.rows]
    return [head, f"|{' --- |' * len(part.rows[0])}", *rows]


def _plain(text: str) -> str:
    """Text in which nothing is markup: names and conditions are the producer's words."""
    return re.sub(r"([\\`*_\[\]<>#|~&])", r"\\\1", " ".join(text.split()))


def page(certificate: UnlearningCertificate) -> str:
    """The page as HTML, complete in one file."""
    return html_text(f"Unlearning certificate of {certificate.model}", sections(certificate))


def html_text(title: str, parts: Sequence[Section]) -> str:
    """A page of sections as HTML, complete in one file."""
    title = html.escape(title)
    body = [f"<h1>{title}</h1>"]
    for heading, contents in parts:
        body += [f"<h2>{html.escape(heading)}</h2>", *(_element(part) for part in contents)]
    head = f'<meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style>'
    text = f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n'
    return text + "\n".join(body) + "\n</body></html>\n"


def _element(part: Part) -> str:
    if isinstance(part, Items):
        items = "".join(f"<li>{html.escape(text)}</li>" for text in part.texts)
        return f"<ul>{items}</ul>"
    if isinstance(part, CopiedText):
        return f"<pre>{html.escape(part.text)}</pre>"
    if isinstance(part, str):
        return f"<p>{html.escape(part)}</p>"
    head, *rows = part.rows
    lines = [_row(head, "th"), *(_row(row, "td") for row in rows)]
    return f"<table>{''.join(lines)}</table>"


def _row(cells: Sequence[str], tag: str) -> str:
    inner = "".join(f"<{tag}>{html.escape(cell)}</{tag}>" for cell in cells)
    return f"<tr>{inner}</tr>"

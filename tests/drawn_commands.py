"""Commands drawn from what the commands declare, and what is wrong with how one ends.

Every setting is in its range, or all but one are: from a seed, always the same commands.
"""

from __future__ import annotations

import io
import json
import math
import random
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

import numpy as np

import bounds
from accounting.problems import SampledDescent
from accounting.problems.options import Column, Option, option
from bounds.declared import EXPERIMENTS, PROBLEMS
from bounds.draws import admissible, draw_wide
from forgetproof.certificates import claim_document
from forgetproof.for_rows import settings
from simulators.runs import online, streams

SMALL, FEW = 60, 6
"""The most steps, rows and runs of a simulation, and of learning from rows."""
LARGEST = 10**6
"""As a rule the largest whole number of a problem; one in ten is at an end of its range."""
FAR = (-300, 12)  # powers of ten of a number without an end


def _archive(**arrays: Any) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


ROWS = "".join(f"{i % 3 - 1},{i % 5 / 5},{i % 7 / 7},{i % 2}\n" for i in range(24))
FILES: Mapping[str, bytes] = {
    "rows.csv": ROWS.encode(),
    "rows.npz": _archive(features=np.eye(8), targets=np.arange(8) % 2),
    "model.csv": b"0.1\n0.2\n0.3\n",
    "ranges.txt": b"1=-1:1\n3=0:5\n",
    "deletions.csv": b"index,time\n1,2\n3,5\n",
    "train.py": b"rate = 0.5\nbatch_size = 64\nshuffle = True\n",
    "process.csv": b"contraction,displacement,noise\n0.9,1,1\n0.9,0,1\n",
    "run.csv": b"K,distance\n1,0.5\n2,0.4\n",
}
"""What lies in the folder; `deletions.csv` and `process.csv` are named by examples."""
BROKEN: Mapping[str, bytes] = {
    "empty.csv": b"",
    "words.csv": b"a,b\nc,d\n",
    "ragged.csv": b"1,2,0\n3,1\n",
    "nan.csv": b"1,nan,0\n2,1,1\n",
    "latin.csv": b"\xff\xfe\x00\x01,1\n",
    "quotes.csv": b'"1,2\n',
    "zero.csv": b"\0\0\0",
    "list.json": b'[["x"]]',
    "deep.json": b"[" * 3000,
    "half.json": b'[{"a": ',
}
"""No file of numbers, for any option."""
BROKEN_ROWS: Mapping[str, bytes] = {
    **{name: text for name, text in BROKEN.items() if name.endswith(".csv")},
    "torn.npz": FILES["rows.npz"][:90],
    "text.npz": b"not an archive",
    "names.npz": _archive(a=np.eye(3), b=np.arange(3)),
    "flat.npz": _archive(features=np.arange(3.0), targets=np.arange(3)),
    "uneven.npz": _archive(features=np.eye(3), targets=np.arange(2)),
    "nan.npz": _archive(features=np.eye(2) * math.nan, targets=np.arange(2)),
    "words.npz": _archive(features=np.array([["a"], ["b"]]), targets=np.arange(2)),
}
"""No rows of features and targets."""
NO_NUMBER = ("nan", "x", "", "[1, 2, 3]", "1/0", "1e400-1e400", "True", "é")
NO_WORD = ("nothing-of-the-kind", "", " ", "None", "0")
NO_RULE = ("nan", "x+", "", "-1", "0", "q*2", "[1]", "1/0", "lambda: 1")
NO_WHOLES = ("x", "[0.5]", "[-1]", "nan", "", "{1: 2}", "[[1]]", "inf")
NO_TEXT: Mapping[str, tuple[str, ...]] = {
    "data": ("", "nothing", "missing.csv", "missing.npz", ".", *BROKEN_ROWS),
    "added": ("", "nothing", "missing.csv", *BROKEN_ROWS),
    "target_column": ("nowhere", "99", "0"),
    "drop": ("nowhere", "99", "0"),
    "keep": ("nowhere", "99", "0"),
    "range": ("x", "1", "1=2:1", "1=nan:1", "1=0:inf", "nowhere=0:1", "99=0:1", ""),
    "ranges": ("missing.csv", "", ".", *BROKEN),
    "classes": ("x", "0", "0,1,2", "nan", "0,0", "", ","),
    "loss": NO_WORD,
    "forget": ("nothing", ""),
    "form": NO_WORD,
    "interpretation": NO_WORD,
    "over": NO_WORD,
    "draft": ("missing.py", "", ".", "deep.json", "quotes.csv"),
    "out": ("missing/x.json",),
    "sarif": ("missing/x.sarif",),
    "select": ("FP9", "nothing", "fp2;fp3"),
    "ignore": ("FP9", "nothing", "fp2;fp3"),
}
"""Texts that name nothing, by setting; a setting without any is not tried."""
MADE = {"data": "synthetic", "rows": "12", "dimension": "2", "trials": "2", "learn_epochs": "1"}
MADE |= {"epochs": "2", "rounds": "5", "steps": "3", "k": "1", "sigma": "1", "step_size": "0.1"}
SCALE = Option("real", "", low=0.0, low_open=True, high_open=True)
EPSILON = Option("real", "", low=0.0, high=1e300)
DELTA = Option("real", "", low=0.0, low_open=True, high=1.0, high_open=True)
SIGMA = Option("real", "", low=0.0, high_open=True)
COUNT = Option("whole", "", low=1)
AUDITED = {
    "epsilon": Option("real", "", low=0.0),
    "delta": Option("real", "", low=0.0, high=1.0),
    "mu": Option("real", "", low=0.0),
    "trials": Option("whole", "", low=2),
    "block": COUNT,
    "confidence": Option("real", "", low=0.0, high=1.0, low_open=True, high_open=True),
    "seed": Option("whole", "", low=0),
}
SEARCHED = {
    "seconds": SCALE,
    "evaluations": COUNT,
    "seed": Option("whole", "", low=0),
    "scale": SCALE,
    "form": Option("text", ""),
    "interpretation": Option("text", ""),
}
BOUNDED = {
    "tolerance": Option("real", "", low=0.0, high=1.0, high_open=True),
    "level": DELTA,
    "relation": Option("word", "", words=("<=", ">=", "==")),
    "each": Option("flag", "", words=("each",)),
    "over": Option("text", ""),
    "against": Option("table", "", columns={"K": Column(low=0, whole=True), "x": Column()}),
}
PLOTTED = {"form": Option("text", ""), "over": Option("text", "")}
OF_CLAIMS = ("bound", "search", "plot", "explain", "cite")
"""Commands that are about a claim of a paper."""
LINTED = {
    "jobs": Option("whole", "", low=1, high=256),
    "select": Option("text", ""),
    "ignore": Option("text", ""),
}


@dataclass(frozen=True)
class Leaf:
    """A command without subcommands.

    Attributes:
        path: its words, before any option.
        base: setting -> text, with which it ends at once.
        settings: what may be changed, and how it is declared.
        positional: how NAME=VALUE is written, without --.
        most: the largest whole number that is drawn.
        drawn: files that the command reads, drawn as well.
    """

    path: tuple[str, ...]
    base: Mapping[str, str]
    settings: Mapping[str, Any]
    positional: bool = False
    most: int = LARGEST
    drawn: Callable[[random.Random], Mapping[str, bytes]] | None = None

    def written(self, values: Mapping[str, str | None], path: tuple[str, ...] = ()) -> list[str]:
        """The words of the command with these values."""
        words = [*(path or self.path)]
        for name, value in values.items():
            if self.positional:
                words.append(f"{name}={value}")
                continue
            about = self.settings.get(name)
            if about is not None and about.kind == "flag":
                words.append(f"--{value}")
            else:
                words += [f"--{name.replace('_', '-')}", str(value)]
        return words


@dataclass(frozen=True)
class Drawn:
    """A command, and what it was drawn for.

    Attributes:
        words: the command.
        names: of its settings, one of which a refusal has to name.
        option, value: the one that is out of range; empty where all are in range.
        files: those that lie in the folder besides `FILES`.
    """

    words: list[str]
    names: frozenset[str]
    option: str = ""
    value: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)


@cache
def leaves() -> tuple[Leaf, ...]:
    """One round of all commands; those with the most settings stand in it more than once."""
    found = [*_problems("noise"), *_problems("privacy"), *_rows(), *_simulations()]
    found += [Leaf(("bound",), {}, {}, positional=True)] * 5
    example = ("audit", "verify.audit.examples.correct:EXAMPLE")
    found.append(Leaf(example, {"trials": "100", "block": "50"}, AUDITED, most=100))
    budget = {"seconds": "0.1", "evaluations": "20"}
    found.append(Leaf(("search",), budget, SEARCHED, most=50))
    found.append(Leaf(("plot",), {"out": "x.svg"}, PLOTTED))
    found.append(Leaf(("explain",), {}, {}))
    found.append(Leaf(("cite",), {}, {}))
    bound = {"over": "K=0:1e6", "against": "run.csv"}
    found += [Leaf(("check-bound", "c**K", "c=.9"), bound, BOUNDED)] * 3
    return (*found, *_documents())


def _documents() -> Iterator[Leaf]:
    """Commands about documents of mechanisms and claims, and about what is installed."""
    text = Option("text", "")
    lint = ("lint", "drawn.mechanism.json")
    yield Leaf(lint, {}, {**LINTED, "sarif": text}, most=1, drawn=_mechanism)
    yield Leaf(("mechanism",), {"draft": "train.py"}, {"draft": text, "out": text})
    asked = {each.name: option(each) for each in fields(SampledDescent)}
    # A few hundred steps, as a usual claim has: a new number takes a tenth of a second.
    yield Leaf(("check", "unlearning.json"), {}, {**asked, "sigma": SIGMA}, True, 300, _claim)
    yield Leaf(("doctor",), {}, {})


def _mechanism(rng: random.Random) -> Mapping[str, bytes]:
    """The document of a DP-SGD with numbers of any size, and a claim."""
    rows, n = rng.randint(1, 5), 10 ** rng.randint(1, 6)
    step = {
        "batches": {"drawn": "poisson", "rate": 10 ** rng.uniform(-6, 0)},
        "clip": {"norm": 10 ** rng.uniform(-9, 9), "each": "row"},
        "divisor": {"value": rng.randint(1, n), "is": rng.choice(["constant", "from_n"])},
        "noise": {"deviation": rng.choice([0.0, 10 ** rng.uniform(-9, 9)]), "on": "sum"},
        "step_size": 10 ** rng.uniform(-9, 3),
        "decay": rng.choice([0.0, 10 ** rng.uniform(-9, 3)]),
    }
    counts = [(rng.randint(1, 30), True), (rng.randint(1, 30), False)]
    document = {
        "schema": "forgetproof/mechanism/1",
        "name": "drawn",
        "relation": {"adjacency": rng.choice(["zero", "delete", "replace"]), "rows": rows},
        "n": n,
        "losses": rng.choice(["scalar", "linear", "any"]),
        "smoothness": 10 ** rng.uniform(-9, 9),
        "steps": [{"count": count, "sees": sees, **step} for count, sees in counts],
        "released": rng.choice(["last", "every"]),
        "requests": "oblivious",
        "claims": [{"epsilon": 10 ** rng.uniform(-9, 3), "delta": 10 ** rng.uniform(-12, -1)}],
    }
    return {"drawn.mechanism.json": json.dumps(document).encode()}


@cache
def _claimed() -> bytes:
    problem = SampledDescent(
        n=200, batch_size=20, steps=9, unlearning_steps=9, step_size=0.5, smoothness=0.25, ridge=0.5
    )
    document = claim_document(problem, 2.0, epsilon=3.0, delta=1e-5)
    return json.dumps(document).encode()


def _claim(rng: random.Random) -> Mapping[str, bytes]:
    """A claim of settings, always the same: what is drawn are settings in its place."""
    return {"unlearning.json": _claimed()}


def _own(kind: Any, group: str) -> dict[str, Option]:
    """What a problem is asked for, besides the target and the noise that is given."""
    every = {each.name: option(each) for each in fields(kind)}
    own = {name: about for name, about in every.items() if about.only in (None, group)}
    names = tuple(kind.accountants if group == "noise" else kind.claims or kind.accountants)
    if len(names) > 1:
        own["accountant"] = Option("word", "", words=names)
    if group == "noise" and kind.plans is not None:
        own["sigma"] = SIGMA
    return own


def _problems(group: str) -> Iterator[Leaf]:
    for name in PROBLEMS.names():
        kind = PROBLEMS.get(name)
        words = kind.example.split()
        base = {n[2:].replace("-", "_"): v for n, v in zip(words[::2], words[1::2], strict=True)}
        asked = {"epsilon": EPSILON} if group == "noise" else {"sigma": SIGMA}
        base |= dict.fromkeys(asked, "1") | {"delta": "1e-5"}
        yield Leaf((group, name), base, {**asked, "delta": DELTA, **_own(kind, group)})


def _rows() -> Iterator[Leaf]:
    """Problems that rows pose."""
    for name in PROBLEMS.names():
        kind = PROBLEMS.get(name)
        if not kind.derived:
            continue
        taken = {each.name: option(each) for each in settings(kind)}
        own = {n: o for n, o in _own(kind, "noise").items() if n not in kind.derived}
        base = {"data": "rows.csv", "loss": "logistic", "regularisation": "0.1", "trials": "2"}
        base |= {"epsilon": "1", "delta": "1e-5"}
        if "ridge" in kind.derived:
            # Its weight decay has the name of an optimizer's, and 24 rows are no fifty batches.
            del base["regularisation"]
            base |= {"ridge": "0.1", "step_size": "0.5", "batches": "5"}
        base |= {n: v for n, v in (("schedule", "deletions.csv"), ("rounds", "9")) if n in own}
        asked = {"epsilon": EPSILON, "delta": DELTA}
        yield Leaf(("noise", name), base, {**asked, **own, **taken}, most=FEW)


def _simulations() -> Iterator[Leaf]:
    for name in EXPERIMENTS.names():
        kind = EXPERIMENTS.get(name)
        own = {each.name: option(each) for each in fields(kind)}
        base = {n: text for n, text in MADE.items() if n in own}
        yield Leaf(("simulate", name), base, own, most=SMALL)


def commands(count: int, seed: int, *, outside: bool) -> Iterator[Drawn]:
    """So many commands, all in range, or each with one setting outside."""
    for place in range(count):
        rng = random.Random(f"{seed} {outside} {place}")
        leaf = leaves()[place % len(leaves())]
        if leaf.path[0] in OF_CLAIMS:
            leaf = _of_a_claim(leaf, rng)
        elif outside and not leaf.settings:
            continue
        yield _outside(leaf, rng) if outside else _inside(leaf, rng)


def _of_a_claim(leaf: Leaf, rng: random.Random) -> Leaf:
    """The command for a claim, with arguments of one of its forms where it takes them."""
    claims = [bounds.get(id) for id in bounds.ids()]
    if leaf.path == ("plot",):
        claim = rng.choice([each for each in claims if each.plot and each.forms])
        return replace(leaf, path=(*leaf.path, claim.id))
    claim = rng.choice([each for each in claims if each.forms])
    leaf = replace(leaf, path=(*leaf.path, claim.id))
    if not leaf.positional:
        return leaf
    form = claim[rng.choice(list(claim.forms))]
    try:
        drawn = admissible(claim, form, np.random.default_rng(rng.getrandbits(32)))
    except RuntimeError:
        return _of_a_claim(replace(leaf, path=leaf.path[:1]), rng)
    base = {name: str(value) for name, value in drawn.items()}
    return replace(leaf, base=base, settings={name: claim.symbols[name] for name in drawn})


def _inside(leaf: Leaf, rng: random.Random) -> Drawn:
    """The base with a few settings of any size, or with most of them."""
    values: dict[str, Any] = dict(leaf.base)
    files: dict[str, bytes] = dict(leaf.drawn(rng)) if leaf.drawn else {}
    share = rng.choice([0.05, 0.15, 0.15, 0.8])
    for name, about in leaf.settings.items():
        if rng.random() < share:
            value = _any(name, about, rng, leaf.most, files)
            if value is not None:
                values[name] = value
    values = _without(values, leaf.path[0] == "noise")
    words = leaf.written(_of_its_data(values)) + ["--json"] * (rng.random() < 0.3)
    return Drawn(words, frozenset({*leaf.settings, *leaf.base}), files=files)


def _without(values: Mapping[str, Any], planned: bool) -> dict[str, Any]:
    """Without what another setting replaces; planned: sigma asks for the steps."""
    left_out = {"rounds", "size"} if "sizes" in values else set()
    if planned and "sigma" in values:
        few = [name for name in ("unlearning_steps", "unlearn_epochs", "steps") if name in values]
        left_out |= set(few[:1])
    return {name: value for name, value in values.items() if name not in left_out}


def _of_its_data(values: Mapping[str, Any]) -> dict[str, Any]:
    """Without what says how other data are made or read."""
    data = values.get("data", "")
    if data in streams.STREAMS:
        return {name: value for name, value in values.items() if name not in online.OF_DATA}
    without = {"data_folder"} if data != "mnist" else set()
    if data != "synthetic":
        without |= {"dimension"} if "loss" in values or "rows" in values else set()
    if data != "rows.csv":
        without |= {"target_column", "header", "drop", "keep", "missing"}
    if data == "synthetic":
        without |= {"classes", "range", "ranges"}
    return {name: value for name, value in values.items() if name not in without}


def _outside(leaf: Leaf, rng: random.Random) -> Drawn:
    """The base with one setting out of its range."""
    names = list(leaf.settings)
    names = [name for name in names if _no_values(name, leaf.settings[name])]
    known = frozenset({*leaf.settings, *leaf.base})
    if not names:
        words = leaf.written(leaf.base, (leaf.path[0], "no.claim"))
        return Drawn(words, known | {"id"}, "id", "no.claim")
    name = rng.choice(names)
    about = leaf.settings[name]
    value = rng.choice(_no_values(name, about))
    base = dict(leaf.base)
    if name in ("target_column", "drop", "keep", "missing", "range", "ranges", "classes"):
        base["data"] = "rows.csv"
    if base.get("data") == "rows.csv" or name == "data":
        base.pop("dimension", None)
    base.pop(name, None)
    files = {**BROKEN, **BROKEN_ROWS}
    files = {value: files[value]} if value in files else {}
    files |= leaf.drawn(rng) if leaf.drawn else {}
    values = _without({**base, name: value}, leaf.path[0] == "noise")
    return Drawn(leaf.written(values), known, name, value, files)


def _any(
    name: str, about: Any, rng: random.Random, most: int, files: dict[str, bytes]
) -> str | None:
    """A text for the setting, in its range; None where none is known."""
    if not isinstance(about, Option):  # the symbol of a claim
        value = draw_wide(about, np.random.default_rng(rng.getrandbits(32)))
        return str(value)
    if about.kind == "real":
        return repr(_number(about, rng))
    if about.kind == "whole":
        return str(_whole(about.low, about.high, rng, most))
    if about.kind in ("word", "flag"):
        return rng.choice(about.words)
    if about.kind == "wholes":
        return str([_whole(0, math.inf, rng, 50) for _ in range(rng.randint(1, 5))])
    if about.kind in ("rule", "formula"):
        known = [*(about.names or {}), *filter(None, [about.argument])] or ["L", "mu"]
        return rng.choice([repr(_number(SCALE, rng)), f"1/{rng.choice(known)}", *about.words])
    if about.kind == "table":
        files[f"{name}.csv"] = _table(about, rng)
        return f"{name}.csv"
    texts = {
        "data": ["rows.csv", "rows.npz", *(each for each in streams.STREAMS if each in about.help)],
        "added": ["rows.csv"],
        "loss": ["logistic", "ridge", "huber", "logcosh", "softmax", "quadratic"],
        "range": ["1=-1:1", "2=0:5"],
        "ranges": ["ranges.txt"],
        "drop": ["2"],
        "keep": ["1"],
        "target_column": ["4", "none"],
        "classes": ["0,1", "all"],
        "form": ["printed", "corrected", "tight"],
        "draft": ["train.py"],
        "out": ["out.json"],
        "sarif": ["out.sarif"],
        "select": ["FP1", "FP2,FP100"],
        "ignore": ["FP1", "FP2,FP100"],
    }
    return rng.choice(texts[name]) if name in texts else None


def _number(about: Option, rng: random.Random) -> float:
    """Log-uniform between the ends of a range, or at one of them."""
    low, high = about.low, about.high
    ends = [x for x, open in ((low, about.low_open), (high, about.high_open)) if not open]
    if ends and rng.random() < 0.1:
        return rng.choice(ends)
    least = math.log10(low) if low > 0 else FAR[0]
    powers = [(least, min(FAR[1], math.log10(high))), (max(least, -3), min(0.0, math.log10(high)))]
    size: float = 10 ** rng.uniform(*rng.choice([*powers, powers[1]]))
    if math.isfinite(high) and math.isfinite(low):
        return low + (high - low) * size / 10 ** powers[0][1]
    return -size if low == -math.inf and rng.random() < 0.5 else max(low, size)


def _whole(low: float, high: float, rng: random.Random, most: int) -> int:
    least = int(max(low, 0))
    last = int(min(high, max(most, least)))
    if rng.random() < 0.2:
        return rng.choice([least, last, least + 1])
    return min(last, least + int(math.expm1(rng.uniform(0, math.log1p(last - least + 0.5)))))


def _table(about: Option, rng: random.Random) -> bytes:
    """A file of numbers in the ranges of its columns, with a header unless a column has no name."""
    columns = dict(about.columns or {})
    rows = rng.randint(1, 6)
    made = {
        title: sorted(_whole(column.low, column.high, rng, 20) for _ in range(rows))
        if column.whole
        else [abs(_number(SCALE, rng)) for _ in range(rows)]
        for title, column in columns.items()
    }
    lines = [",".join(map(str, row)) for row in zip(*made.values(), strict=True)]
    head = [] if list(columns) == [""] else [",".join(columns)]
    return "".join(f"{line}\n" for line in [*head, *lines]).encode()


def _no_values(name: str, about: Any) -> list[str]:
    """Texts out of the range of the setting."""
    if not isinstance(about, Option):
        return _not_of_symbol(about)
    if about.kind in ("text", "texts", "built"):
        return list(NO_TEXT.get(name, ()))
    if about.kind == "table":
        return ["missing.csv", "", ".", *BROKEN]
    if about.kind == "real":
        beyond = _beyond(about.low, about.high, about.low_open, about.high_open)
        return [*NO_NUMBER, *beyond, *beyond]
    if about.kind == "whole":
        beyond = ["0.5", "inf", "-inf", *_beyond(about.low, about.high)]
        return [*NO_NUMBER, *beyond, *beyond]
    found = {"word": NO_WORD, "wholes": NO_WHOLES, "rule": NO_RULE, "formula": NO_RULE}
    return list(found.get(about.kind, ()))


def _not_of_symbol(symbol: Any) -> list[str]:
    if symbol.kind == "hits":
        return ["1", "{}", "{0: 0}", "{-1: 1}", "{0: 0.5}", "nan", "x"]
    found = ["nan", "x", "", "[]", "{0: 1}", "1/0"]
    found += ["[[1], [2]]"] * (symbol.kind == "list")
    open = symbol.low_open, symbol.high_open or (symbol.high == math.inf and not symbol.infinite)
    found += _beyond(symbol.low, symbol.high, *open)
    return [*found, "0.5", "[0.5]"] if symbol.kind == "integer" else found


def _beyond(low: float, high: float, low_open: bool = False, high_open: bool = False) -> list[str]:
    """Numbers beyond the ends of a range, and the ends themselves where they are open."""
    found = []
    if math.isfinite(low):
        found += [repr(low - 1), "-inf", "-1e300"] + ["-1e-300"] * (low == 0)
        found += [repr(low)] * low_open
    if math.isfinite(high):
        found += [repr(high + max(1.0, abs(high))), "inf", "1e400"] + [repr(high)] * high_open
    elif high_open:
        found += ["inf", "1e400"]
    return found


INTERNAL = re.compile(
    r"\b[A-Z]\w+\.[a-z_]\w*\b|_NoValue|Traceback|"
    r"\b(?!UserFunctionError)[A-Z]\w*(Error|Exception|Warning)\b|<class |<function |object at 0x|"
    r"\) has no value:"
)
"""What no person wrote or asked for."""
CALL = re.compile(r"\b[A-Za-z_]\w*\([\w ]+=")
"""The same in a refusal: an answer may have code to paste."""
LIST = re.compile(r"(exactly one of |one of )?\w+((,|,? and) \w+)*")
"""The beginning of a refusal, before "must"."""
WAITING = re.compile(r" \.\.\.$")


def faults(drawn: Drawn, code: int | None, out: str, err: str) -> list[str]:
    """What is wrong with how the command ended; code None where it was ended after a while."""
    found = []
    if code is None:
        return [] if err.strip() else ["silent, however long it takes"]
    if code not in (0, 1, 2):
        found.append(f"exit code {code}")
    if re.search(r"(?<![\w])nan(?![\w])", out, re.IGNORECASE):
        found.append("NaN in the output")
    if "--json" in drawn.words and code in (0, 1) and not _is_json(out):
        found.append("no JSON document")
    if match := INTERNAL.search(out):
        found.append(f"internal name in the output: {match[0]}")
    lines = [line for line in err.splitlines() if not WAITING.search(line)]
    refusal = "\n".join(lines)
    if match := INTERNAL.search(refusal) or CALL.search(refusal):
        found.append(f"internal name: {match[0]}")
    if code != 2:
        if lines and code in (0, 1):
            found.append("a line on standard error")
        if drawn.option and code in (0, 1):
            found.append("taken")
        return found
    if out:
        found.append("output before a refusal")
    if len(lines) != 1:
        found.append(f"{len(lines)} lines")
        return found
    if drawn.option and not _shows(lines[0], drawn.value):
        found.append("does not show the value")
    if drawn.option and not _names(lines[0], drawn.option):
        other = any(_names(lines[0], name) for name in drawn.names)
        found.append("names another setting" if other else "names no setting")
    if not drawn.option and not any(_names(lines[0], name) for name in drawn.names):
        found.append("names no setting, all in range")
    return found


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _names(line: str, name: str) -> bool:
    """Whether the line is about the setting: --name, name first, or among those that must be."""
    said = line.partition("forgetproof: ")[2]
    if re.search(rf"--{name.replace('_', '-')}\b", said) or re.match(rf"{name}[ ,:]", said):
        return True
    if re.search(rf" at (.*, )?{name} = ", said):
        return True  # a form without a value at these arguments
    head = re.split(r" must\b|:", said)[0]
    if head == "shapes":
        return re.search(rf"\b{name} \(", said) is not None
    return LIST.fullmatch(head) is not None and name in re.findall(r"\w+", head)


def _shows(line: str, value: str) -> bool:
    """Whether the line shows the value as it was written, or as the number that it is."""
    shown = {value, repr(value)[1:-1], *filter(None, value.split(",")[1:])}
    with suppress(ValueError):
        inner = float(value.strip("[]"))
        shown |= {f"{inner:g}", repr(inner), repr(inner).removesuffix(".0")}
    return value == "1e400-1e400" or any(text in line for text in shown)

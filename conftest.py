"""The examples of the README and the docs are run: Python blocks, and console blocks line by line.

A console block's commands must succeed; the lines shown after a command must appear in its output,
in order, with an ellipsis standing for anything.  Between `<!-- skip: start if(missing("package"),
reason="...") -->` and `<!-- skip: end -->` they are skipped where the package is not installed.
A document's blocks run in a temporary folder with a copy of `docs`, which they may read and fill.
"""

import contextlib
import os
import shlex
import shutil
import tempfile
from importlib.util import find_spec
from pathlib import Path

from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser

DOCS = Path(__file__).parent / "docs"


def enter(namespace):
    """Goes into a folder of the document's own; `missing` is for conditions of its examples."""
    namespace["missing"] = lambda *modules: any(find_spec(name) is None for name in modules)
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        shutil.copytree(DOCS, Path(folder, DOCS.name))
        stack.callback(os.chdir, os.getcwd())
        os.chdir(folder)
        namespace["leave"] = stack.pop_all().close


def leave(namespace):
    """Goes back; what the document wrote is gone."""
    namespace["leave"]()


def run_console(example):
    """Runs each `$ forgetproof ...` line in this process and looks for the lines below it."""
    import io

    from forgetproof.cli import run

    output = []
    for line in example.parsed.splitlines():
        if line.startswith("$ "):
            words = shlex.split(line[2:], comments=True)
            assert words[0] == "forgetproof", line
            captured = io.StringIO()
            with contextlib.redirect_stdout(captured):
                code = run(words[1:])
            assert code == 0, f"{line}\nleft with exit code {code}"
            output = [text.strip() for text in captured.getvalue().splitlines()]
        elif line.strip() and line.strip() != "...":
            wanted = line.strip()
            assert wanted in output, f"{wanted!r} is not in\n" + "\n".join(output)
            output = output[output.index(wanted) + 1 :]


pytest_collect_file = Sybil(
    parsers=[
        PythonCodeBlockParser(),
        CodeBlockParser(language="console", evaluator=run_console),
        SkipParser(),
    ],
    setup=enter,
    teardown=leave,
    patterns=["README.md", "docs/*.md", "docs/api/*.md"],
    # A package's files, which tests/packaging/test_third_party.py writes, installs and runs.
    excludes=["docs/your-paper.md"],
).pytest()

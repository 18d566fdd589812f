"""The examples of the README and the docs are run: Python blocks, and console blocks line by line.

A console block's commands must succeed; the lines shown after a command must appear in its output,
in order, with an ellipsis standing for anything.  Between `<!-- skip: start if(missing("package"),
reason="...") -->` and `<!-- skip: end -->` they are skipped where the package is not installed.
"""

import shlex
from importlib.util import find_spec

from sybil import Sybil
from sybil.parsers.markdown import CodeBlockParser, PythonCodeBlockParser, SkipParser


def offer_missing(namespace):
    """For conditions of examples that need more than the tests do."""
    namespace["missing"] = lambda *modules: any(find_spec(name) is None for name in modules)


def run_console(example):
    """Runs each `$ forgetproof ...` line in this process and looks for the lines below it."""
    import contextlib
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
    setup=offer_missing,
    patterns=["README.md", "docs/*.md"],
    # A package's files, which tests/packaging/test_stranger.py writes, installs and runs.
    excludes=["docs/your-paper.md"],
).pytest()

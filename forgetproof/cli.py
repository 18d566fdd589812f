"""The command `forgetproof`: one module per subcommand, imported when it is called.

Exit codes: 0 as expected, 1 an unexpected verdict or a target not met, 2 bad input (one line on
standard error), 3 internal error or incomplete run, 130 interrupted, 141 where standard output was
closed before all of it was read.
"""

import os
import re
import shlex
import signal
import sys
import warnings
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import click

from forgetproof import __version__
from forgetproof.guard import HOME, insist_on_ours
from forgetproof.spelling import SuggestingGroup, did_you_mean
from forgetproof.unloadable import unloadable

COMMANDS = {
    "claims": "List claims: id, label, statement, expected verdict.",
    "bound": "Evaluate a claim's formula: printed, corrected, tight.",
    "check-bound": "Hold an inequality of your own against a run: verdict, picture, citation.",
    "explain": "What a claim says, whether it is true, what stands instead.",
    "proof": "The proof of a claim that a small checker accepts.",
    "prove": "Fill the holes of a proof of your own, and check it.",
    "cite": "A claim and its verdict as one sentence, or as BibTeX.",
    "errata": "What a paper's authors would correct, as LaTeX and PDF.",
    "forget": "Delete rows from a trained model, and release one that may be seen.",
    "noise": "Least noise for a target epsilon, by each accountant.",
    "privacy": "Epsilon of a given noise, by each accountant.",
    "simulate": "Run an algorithm and report its moments.",
    "plot": "Draw a claim: every form against the experiment.",
    "verify": "Check claims and write a report.",
    "search": "Look for a violation of a claim over its whole domain.",
    "replay": "Rerun a counterexample.",
    "audit": "Test your own unlearning against its claim, from samples.",
    "lint": "Is the epsilon that is claimed the epsilon of what runs?",
    "mechanism": "Draft the document of what a training script executes.",
    "check": "Check a certificate of unlearning, in a process of its own.",
    "sheet": "Write what a certificate says on one page.",
    "certificate": "Look at a ledger and its certificate; compare two certificates.",
    "new-paper": "Write a package for a paper of your own.",
    "reproduce": "Run a figure or table of a paper beside its printed numbers.",
    "demo": "From a target epsilon to a verified report on real digits.",
    "start": "Which command answers your question: four questions, one line.",
    "doctor": "What is installed, and what hides our modules here.",
}
PURPOSES = {
    "Compute": ("forget", "noise", "privacy", "bound"),
    "Check": ("check", "check-bound", "lint", "audit", "verify", "search", "replay", "prove"),
    "Look": (
        "claims",
        "explain",
        "proof",
        "cite",
        "errata",
        "plot",
        "certificate",
        "sheet",
        "start",
        "doctor",
    ),
    "Run": ("simulate", "reproduce", "demo", "mechanism", "new-paper"),
}
"""What a person wants -> the commands for it, each command once."""
CLOSED_PIPE = 128 + signal.SIGPIPE  # as the shell says of a program that this signal ends
LONGEST = 600  # characters of a complaint; longer ones lose their middle
EXTRAS = {
    "torch": "sim",
    "flint": "certify",
    "dp_accounting": "interop",
    "opacus": "interop",
    "PEPit": "sdp",
    "cvxpy": "sdp",
    "sklearn": "sim",
    "yaml": "lint",
    "pandas": "tables",
    "pyarrow": "tables",
    "mlxtend": "data",
    "river": "data",
    "matplotlib": "report",
    "jinja2": "report",
    "markupsafe": "report",
    "latex2mathml": "report",
    "dask": "dask",
    "distributed": "dask",
}


class Interrupted(Exception):
    """Ctrl-C while a subcommand ran."""


class OutputClosed(Exception):
    """Standard output was closed: a reader such as `head` has enough."""


class Broken(Exception):
    """What click would take for Ctrl-C, or `run` for bad input, and is neither."""


class Lazy(SuggestingGroup):
    """Imports a subcommand's module only when it is run or its help is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module = cmd_name.replace("-", "_")
        command: click.Command = import_module(f"forgetproof.commands.{module}").command
        return command

    def instead(self, word: str, ctx: click.Context) -> str:
        return did_you_mean(word, COMMANDS) or "; forgetproof --help lists them"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        return super().parse_args(ctx, args or ["--help"])

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        try:
            return super().make_context(*args, **extra)
        except BrokenPipeError as closed:  # help is printed here
            raise OutputClosed from closed

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as closed:  # click would leave with 1, an unexpected verdict
            raise OutputClosed from closed
        except KeyboardInterrupt as interrupt:  # click would print an empty line first
            raise Interrupted from interrupt
        except Exception as error:
            if file := unloadable(error):
                raise Broken(file) from error
            if isinstance(error, EOFError):  # click would say that the user interrupted
                raise Broken(f"EOFError: {error}") from error
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        width = max(map(len, COMMANDS))
        for purpose, names in PURPOSES.items():
            with formatter.section(purpose):
                # Padded, so that the lines of all purposes begin in one column.
                rows = [(name.ljust(width), COMMANDS[name]) for name in names if name in COMMANDS]
                formatter.write_dl(rows)


@click.command(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="\b\nExample: forgetproof claims --verdict false\n\n"
    "Each command explains itself with --help; `forgetproof doctor` says what is installed.",
)
@click.version_option(__version__, prog_name="forgetproof")
def group() -> None:
    """Is a machine-unlearning guarantee true, and how little noise does it really need?"""


def run(arguments: list[str] | None = None) -> int:
    """Runs the command line and returns its exit code instead of leaving the interpreter."""
    code = _run(arguments)
    # Only if the command has loaded the papers: to ask for them would import them.
    if (library := sys.modules.get("bounds.library")) is not None:
        for name, why in library.broken().items():
            _complain(f"{name} is left out: {why}", code)
    return code


def _run(arguments: list[str] | None) -> int:
    try:
        insist_on_ours()
        # Not standalone: click would print and leave by itself, with exit codes of its own.
        result: Any = group.main(arguments, prog_name="forgetproof", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as error:
        return _complain(error.format_message(), 2)
    except (Interrupted, click.Abort, KeyboardInterrupt):
        return _complain("interrupted", 130)
    except Broken as error:
        return _complain(f"internal error: {error}", 3)
    except ValueError as error:
        cause = getattr(error, "cause", "")  # of a call inside, which nobody has written
        return _complain(_of_options(cause, arguments) if cause else str(error), 2)
    except ImportError as error:
        # The package, of which a submodule may be what is missing.
        absent = (error.name or "").split(".")[0]
        if absent not in EXTRAS:
            return _complain(_whose(error), 3)
        extras = _lacking(absent, sys.argv[1:] if arguments is None else arguments)
        # Installed, but its own import fails: that is told with its words.
        there = not isinstance(error, ModuleNotFoundError)
        trouble = f"cannot be used ({error})" if there else "is missing"
        return _complain(f"{error.name} {trouble}: {install(extras)}", 2)
    except OutputClosed:
        return CLOSED_PIPE
    except ArithmeticError as error:
        return _complain(_of_options(str(error), arguments), 2)
    except MemoryError:
        return _complain("these inputs need more memory than there is", 2)
    except OSError as error:  # a file or folder that cannot be read or written
        return _complain(str(error), 2)
    except Exception as error:  # the last resort: one line, never a traceback
        return _complain(_whose(error), 3)


def _of_options(cause: str, arguments: list[str] | None) -> str:
    """What a number failed of, with the options that were given unless it names its own."""
    if re.match(r"\w+( and \w+)* must ", cause):
        return cause
    words = sys.argv[1:] if arguments is None else arguments
    options = [word for word in words if re.fullmatch(r"--[a-z][\w-]*", word)]
    return f"{', '.join(options) or 'values'} must keep numbers in the range of floats: {cause}"


def _whose(error: Exception) -> str:
    """An exception as an error of ours, or as one of a third-party paper with its file and line."""
    if (library := sys.modules.get("bounds.library")) is not None:
        from bounds import faults

        foreign = [paper for paper in library.papers() if paper.foreign]
        packages = {name for p in foreign for name in (p.package, p.checks) if name}
        if faults.place(error, packages):
            return f"broken: {faults.told(error, packages)}"
    return f"internal error: {type(error).__name__}: {error}"


def install(extras: str) -> str:
    """The command that brings these extras, and the one for a clone where this is one."""
    by_name = f"pip install 'forgetproof[{extras}]'"
    if not (HOME / "pyproject.toml").is_file():
        return by_name
    return f"{by_name}, or of this clone pip install -e {shlex.quote(f'{HOME}[{extras}]')}"


def _lacking(absent: str, arguments: list[str]) -> str:
    """The extras that the command needs and that are not installed, all at once."""
    # Most commands need both of these: what lacks is told at once, not one after the other.
    if EXTRAS[absent] not in ("sim", "report"):
        return EXTRAS[absent]
    extras = ("sim",) if arguments[:1] in (["simulate"], ["noise"]) else ("sim", "report")
    lacking = {extra for module, extra in EXTRAS.items() if not _installed(module)}
    return ",".join(extra for extra in extras if extra in lacking | {EXTRAS[absent]})


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):  # something refuses it
        return False


def _complain(message: str, code: int) -> int:
    line = " ".join(message.split())
    # The beginning says what is wrong and the end what to do about it.
    if len(line) > LONGEST:
        line = f"{line[: LONGEST - 120]} ... {line[-110:]}"
    # A word that is no text has halves of characters, which no stream takes.
    line = line.encode("utf-8", "backslashreplace").decode()
    with suppress(OSError):  # a full disk does not change what happened
        click.echo(f"forgetproof: {line}", err=True)
    return code


def _flushed(stream: Any, code: int) -> int:
    """The exit code after what is left of a stream was written.

    A stream that cannot take it is replaced: Python would try again as it leaves, and exit with a
    code of its own.
    """
    try:
        stream.flush()
        return code
    except OSError as error:
        sink = os.open(os.devnull, os.O_WRONLY)
        # The file descriptor itself, which Python flushes once more as it leaves.
        os.dup2(sink, stream.fileno())
        # An earlier code, of bad input say, tells more than the closed stream.
        if stream is sys.stderr or code:
            return code
        if isinstance(error, BrokenPipeError):
            return CLOSED_PIPE
        return _complain(f"standard output: {error.strerror}", 2)


def main() -> None:
    """Entry point of the console script."""
    # Standard error holds one line; every result is checked where it is made.
    warnings.simplefilter("ignore", RuntimeWarning)
    code = run()
    for stream in (sys.stdout, sys.stderr):
        code = _flushed(stream, code)
    if code == 130:  # a second Ctrl-C while the interpreter shuts down would print a traceback
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(code)

"""The public names, by task: a page each with its signature, its docstring and an example.

`docs/api/` holds a page a task, in sections that explain and give Python blocks; the test suite
runs them.  The page of a name shows the first block that uses it, of its task or of a document.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType

from tools.site.documents import moved, without_conditions
from tools.site.folder import SourceFolder
from tools.site.markdown import contents, plain
from tools.site.places import DOCS, address, documents
from tools.site.uses import Uses

TASKS = {
    "noise": ("How much noise", ("accounting", "accounting.problems")),
    "statements": ("Claims and formulas", ("bounds", "forgetproof")),
    "running": ("Running algorithms", ("simulators",)),
    "training": (
        "Training that can forget",
        ("forgetproof.engine", "forgetproof.torch", "forgetproof.sklearn"),
    ),
    "testing": ("Tests of your own", ("forgetproof.testing", "forgetproof.inequality")),
    "mechanisms": ("What is executed", ("accounting.mechanism", "forgetproof.linting")),
    "records": ("Deletions on record", ("forgetproof.certificates",)),
}
"""File of docs/api, without its suffix -> title, and the modules whose public names it explains."""
TYPES = (
    "accounting.problems.assumptions.Word",
    "accounting.problems.process.Process",
    "accounting.problems.training_history.TrainingHistory",
    "bounds.docstrings.FormText",
    "bounds.units.Units",
    "forgetproof.deletion.result.DeletionResult",
    "forgetproof.engine.loop.RecordedLoader",
    "forgetproof.engine.loop.RecordedOptimizer",
    "forgetproof.for_rows.ForRows",
    "forgetproof.opacus_deletion.OpacusPlan",
    "forgetproof.opacus_record.OpacusStep",
    "simulators.engine.plan.RunSettings",
    "simulators.erm.certify.CertifiedModel",
    "simulators.langevin.coupling.CoupledPaths",
    "simulators.losses.base.Loss",
    "simulators.losses.linear_model.LinearModel",
    "simulators.losses.softmax.Softmax",
    "simulators.trajectory.deltagrad.DeltaGradResult",
    "simulators.trajectory.model.Model",
    "simulators.trajectory.model.Tangent",
    "simulators.trajectory.recursion.Differences",
    "simulators.trajectory.removal.Residual",
    "simulators.trajectory.training.Trajectory",
    "verify.checks.Measurement",
    "verify.context.Context",
    "verify.evidence.Clash",
    "verify.evidence.Comparison",
    "verify.evidence.Declaration",
    "verify.evidence.Reproduction",
)
"""Classes that signatures of public names mention: what is returned, or handed on."""
NOT_RUN = ("your-paper.md",)
"""Documents whose blocks are files of a package, which a test writes and installs."""
_PYTHON = re.compile(r"^```python\n(.*?)^```", re.M | re.S)


@dataclass(frozen=True)
class PublicName:
    """A name of `__all__`, on the page of the module that is asked for it first."""

    module: str
    name: str
    task: str

    @property
    def full(self) -> str:
        """As it is imported."""
        return f"{self.module}.{self.name}"

    @property
    def page(self) -> str:
        """Its page, relative to the site's root."""
        return f"reference/api/{self.full}"

    @property
    def value(self) -> object:
        """What it stands for."""
        return getattr(import_module(self.module), self.name)


def public_names() -> list[PublicName]:
    """All of them, once each: what a later module offers again is left out."""
    names: list[PublicName] = []
    seen: set[int] = set()
    for task, (_, modules) in TASKS.items():
        for module in modules:
            for name in import_module(module).__all__:
                public = PublicName(module, name, task)
                value = public.value
                # Numbers and texts may be one object by chance; what is defined is not.
                if callable(value) and id(value) in seen:
                    continue
                seen.add(id(value))
                names.append(public)
    return names


def defined_at(names: list[PublicName]) -> dict[str, str]:
    """Where a name is defined, and every module that offers it -> the full name of its page."""
    places: dict[str, str] = {}
    by_value = {id(n.value): n.full for n in names if callable(n.value)}
    for public in names:
        places.setdefault(public.full, public.full)
        module = getattr(public.value, "__module__", None)
        if callable(public.value) and module:
            places.setdefault(f"{module}.{public.name}", public.full)
            # Rooms between the two offer it as well.
            for end in range(2, module.count(".") + 1):
                room = ".".join(module.split(".")[:end])
                places.setdefault(f"{room}.{public.name}", public.full)
    for _, modules in TASKS.values():
        for module in modules:
            for name in import_module(module).__all__:
                value = getattr(import_module(module), name)
                if id(value) in by_value:
                    places.setdefault(f"{module}.{name}", by_value[id(value)])
    return places


def pages_with_examples(task: str = "") -> list[str]:
    """The documents whose Python blocks the test suite runs, a task's own first."""
    tasks = [task] * bool(task) + [each for each in TASKS if each != task]
    others = [name for name in documents() if name.endswith(".md") and name not in NOT_RUN]
    return [*(f"api/{each}.md" for each in tasks), *others]


@cache
def examples(document: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """The Python blocks of a document, each with the names that it mentions."""
    blocks = _PYTHON.findall((DOCS / document).read_text("utf-8"))
    return tuple((block, names_in(block)) for block in blocks)


def names_in(block: str) -> frozenset[str]:
    """The names and attributes that a block of Python mentions."""
    mentioned: set[str] = set()
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.Name):
            mentioned.add(node.id)
        elif isinstance(node, ast.Attribute):
            mentioned.add(node.attr)
        elif isinstance(node, ast.alias):
            mentioned.add(node.name.rpartition(".")[2])
    return frozenset(mentioned)


def example_of(public: PublicName) -> tuple[str, str]:
    """The document and the block that show a name; its own task comes first.  Empty where none."""
    for document in pages_with_examples(public.task):
        for block, mentioned in examples(document):
            if public.name in mentioned:
                return document, block
    return "", ""


def lay(folder: SourceFolder, names: list[PublicName], uses: Uses) -> None:
    """Lays the page of every name, of every task, and their index."""
    for public in names:
        folder.write(f"{public.page}.rst", _page(public, uses))
    for task, (_, modules) in TASKS.items():
        mine = [n for n in names if n.task == task]
        page = f"reference/api/{task}"
        text = (DOCS / "api" / f"{task}.md").read_text("utf-8")
        text = without_conditions(moved(text, page, DOCS / "api", folder, set()))
        folder.write(f"{page}.md", _task(text, modules, mine))
    folder.write("reference/api/types.rst", _types())
    folder.write(
        "reference/api/index.md",
        "# Python, by task\n\n"
        "Every public name has a page with an example that the test suite runs.\n\n"
        + contents([*TASKS, "types"]),
    )


def _task(text: str, modules: tuple[str, ...], names: list[PublicName]) -> str:
    listed = "".join(f"- {{py:obj}}`{n.name} <{n.full}>`: {_first_line(n)}\n" for n in names)
    return (
        f"{text.rstrip()}\n\n## The names of {', '.join(f'`{m}`' for m in modules)}\n\n{listed}\n"
        + contents([n.full for n in names], hidden=True)
    )


def _types() -> str:
    title = "Types that signatures name"
    lines = [title, "=" * len(title), "", "What public functions return, or take from others.", ""]
    for name in TYPES:
        lines += [f".. autoclass:: {name}", "   :members:", "   :exclude-members: __init__", ""]
    return "\n".join(lines)


def _first_line(public: PublicName) -> str:
    value = public.value
    text = (inspect.getdoc(value) or "") if callable(value) or isinstance(value, ModuleType) else ""
    return plain(text.partition("\n\n")[0].partition("\n")[0]) or "a constant"


def _page(public: PublicName, uses: Uses) -> str:
    lines = [public.name, "=" * len(public.name), "", *_directive(public), ""]
    document, block = example_of(public)
    if block:
        page = f"reference/{document}" if document.startswith("api/") else address(document)
        lines += ["Example", "-------", "", ".. code-block:: python", ""]
        lines += [f"   {line}".rstrip() for line in block.rstrip().splitlines()]
        lines += ["", f"From :doc:`/{page.removesuffix('.md')}`, which the test suite runs.", ""]
    if claims := uses.of_functions.get(public.full):
        shown = ", ".join(f":claim:`{id}`" for id in claims[:40])
        more = f", and {len(claims) - 40} more" if len(claims) > 40 else ""
        lines += ["Claims", "------", "", f"Computed or checked with it: {shown}{more}.", ""]
    return "\n".join(lines)


def _directive(public: PublicName) -> Iterator[str]:
    value = public.value
    if isinstance(value, ModuleType):
        yield f".. automodule:: {value.__name__}"
        yield "   :members:"
    elif inspect.isclass(value):
        yield f".. autoclass:: {public.full}"
        yield "   :members:"
        yield "   :exclude-members: set_fit_request, set_score_request"
    elif callable(value):
        yield f".. autofunction:: {public.full}"
    else:
        yield f".. py:data:: {public.full}"
        yield f"   :value: {_shown(value)}"


def _shown(value: object) -> str:
    text = " ".join(repr(value).split())
    return text if len(text) <= 300 else text[:300] + " ..."

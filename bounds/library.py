"""Papers, ours and a third party's, and their statements, found by id and imported on demand.

Installed packages announce papers under the entry point `forgetproof.papers`; the project's own are
announced the same way. What cannot be loaded of a third party's is named in `broken` and left out.
"""

import copyreg
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from pickle import PicklingError

from bounds.faults import told as fault
from bounds.statements import Statement

GROUP = "forgetproof.papers"
HOME = ("forgetproof", "forgetproof-papers")
"""The project's distributions: the engine, and its papers."""
DEMO = "demo"
"""The name of the showcase that `forgetproof demo` shows."""


@dataclass(frozen=True)
class Paper:
    """A paper: what it is, and where its statements, and the checks of them, live.

    Attributes:
        key: the word before the dot in the ids of its statements.
        title, authors, year: as it was published.
        package: the package that holds the modules of its statements.
        statements: id -> module in that package, in the order of the paper.
        checks: the package that holds the checks, each in a module named as the statement's.
            Beside them lie `expected.json`, the verdicts they should reach, and the folder
            `counterexamples`. Empty while nothing is checked.
        checked_in: id -> module in that package, where it is named differently.
        problems: name of an algorithm -> "module:class" of its privacy problem.
        notation: names and fragments that its formulas use undefined -> TeX (`Statement.reads`).
        experiments: name of an algorithm, or another word for it -> "module:class" of what
            `forgetproof simulate` runs and `simulators.runs.experiment` describes.
        views: name of an experiment, of any paper -> "module:class" of each view
            (`simulators.runs.experiment.View`) whose observables its checks ask for. A check that
            asks for a run's own observables alone names the experiment all the same, without views.
        showcases: name -> "module:object" of a showcase of it (`verify.showcases`): "demo" is what
            `forgetproof demo` shows, the others its figures and tables, which `forgetproof
            reproduce` runs.
        arxiv, version: number on arXiv, and which version was read, such as "v1".
        edition: what is known of the version that was read where that is not certain, such as
            "v1 or v2" or "not recorded"; it stands in brackets where the paper is cited.
        aliases: other words for the key.
        place: where it stands among the papers of its distribution; then keys decide.
        distribution: the installed package that announced it; whoever finds it sets this.

    Raises ValueError for a key, a version, ids, views or names of showcases of another form, and
    without a title or an author.
    """

    key: str
    title: str
    authors: tuple[str, ...]
    year: int
    package: str
    statements: Mapping[str, str]
    checks: str = ""
    checked_in: Mapping[str, str] = field(default_factory=dict)
    problems: Mapping[str, str] = field(default_factory=dict)
    notation: Mapping[str, str | tuple[str, ...]] = field(default_factory=dict)
    experiments: Mapping[str, str] = field(default_factory=dict)
    views: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    showcases: Mapping[str, str] = field(default_factory=dict)
    arxiv: str = ""
    version: str = ""
    edition: str = ""
    aliases: tuple[str, ...] = ()
    place: int = 0
    distribution: str = ""

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[a-z0-9_]+", self.key):
            raise ValueError(f"key must be lower case letters, digits and _, got {self.key!r}")
        for id in self.statements:
            if not re.fullmatch(rf"{self.key}\.[a-z0-9_.]+", id):
                raise ValueError(f"ids of its statements must begin with {self.key}., got {id!r}")
        for name in self.showcases:
            if not re.fullmatch(r"[a-z0-9_.]+", name):
                raise ValueError(f"showcases must have names such as table4, got {name!r}")
        for name, locations in self.views.items():
            if isinstance(locations, str):
                raise ValueError(f"views of {name} must be a tuple of places, got {locations!r}")
        if self.version and not re.fullmatch(r"v[1-9]\d*", self.version):
            raise ValueError(f"version must be one of arXiv's, such as v1, got {self.version!r}")
        if not (self.title and self.authors) or isinstance(self.authors, str):
            raise ValueError("title and authors must be given, authors as a tuple of names")

    @property
    def foreign(self) -> bool:
        """Whether another distribution than the project's own announced it."""
        return self.distribution not in HOME

    @property
    def names(self) -> frozenset[str]:
        """What it may be called, in lower case: key, aliases, title, number on arXiv."""
        numbers = {self.arxiv, f"arxiv:{self.arxiv}"} if self.arxiv else set()
        return frozenset({self.key, self.title.lower(), *map(str.lower, self.aliases), *numbers})

    def module(self, id: str) -> str:
        """The module of a statement."""
        return f"{self.package}.{self.statements[id]}"

    def check(self, id: str) -> str:
        """The module of a statement's check. Raises ValueError where nothing is checked."""
        if not self.checks:
            raise ValueError(f"id must name a claim that is checked; {self.key} has no checks")
        return f"{self.checks}.{self.checked_in.get(id, self.statements[id])}"

    def statement(self, id: str) -> Statement:
        """The statement of this id. Raises ValueError where its module does not make it whole."""
        module = import_module(self.module(id))
        for value in vars(module).values():
            if isinstance(value, Statement) and value.id == id:
                if not value.interpretations:
                    raise ValueError(f"{id} must have an interpretation, one at least")
                return value
        raise ValueError(f"{module.__name__} makes no statement {id}")

    @property
    def cited(self) -> str:
        """Authors, year, title and arXiv number in one line."""
        place = f", {self._number}" if self.arxiv else ""
        return f"{self._authors} ({self.year}), {self.title}{place}"

    @property
    def reference(self) -> str:
        """Authors, year and arXiv number; the title where it has no number."""
        return f"{self._authors} ({self.year}), {self._number if self.arxiv else self.title}"

    @property
    def _authors(self) -> str:
        return self.authors[0].split()[-1] + (" et al." if len(self.authors) > 1 else "")

    @property
    def _number(self) -> str:
        """The number on arXiv with the version that was read, as far as it is known."""
        edition = f" (version: {self.edition})" if self.edition else ""
        return f"arXiv:{self.arxiv}{self.version}{edition}"


@cache
def _loaded() -> tuple[dict[str, Paper], dict[str, str]]:
    """Key -> paper, ours first; and what of a third party's cannot be used -> why."""
    papers_by_key: dict[str, Paper] = {}
    left_out: dict[str, str] = {}
    for point in sorted(entry_points(group=GROUP), key=_rank):
        source = point.dist.name if point.dist else ""
        try:
            paper = point.load()
            if not isinstance(paper, Paper):
                raise TypeError(f"{point.value} is no Paper")
            # Ours are read first (`_rank`): a key that is taken is the third party's to give up.
            if paper.key in papers_by_key:
                raise ValueError(f"there is another paper {paper.key}")
        except (Exception, SystemExit) as error:  # a third-party package may fail in any way
            left_out[f"{point.name} of {source}"] = _line(error)
        else:
            # The installer's name, not what the paper says of itself, decides what is foreign.
            papers_by_key[paper.key] = replace(paper, distribution=source)
    # Installers write entry points in any order.
    ordered = sorted(
        papers_by_key.values(), key=lambda p: (p.foreign, p.distribution, p.place, p.key)
    )
    return {paper.key: paper for paper in ordered}, left_out


def _line(error: BaseException) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())


def _rank(point: EntryPoint) -> tuple[bool, str]:
    """The project's own papers come first: no third party's can take the place of one."""
    name = point.dist.name if point.dist else ""
    return name not in HOME, name


def papers() -> tuple[Paper, ...]:
    """All papers whose packages load, the project's own first."""
    return tuple(_loaded()[0].values())


def broken() -> dict[str, str]:
    """What of a third party's cannot be used, as far as it was tried, each with why in a line."""
    return dict(_loaded()[1])


def blame(name: str, error: BaseException, packages: tuple[str, ...] = ()) -> None:
    """Notes that something of a third party's cannot be used, and where in these packages."""
    _loaded()[1][name] = fault(error, packages)


def how_to_install() -> str:
    """ "; the project's papers ...: pip install ..." where none of them is; empty where one is."""
    if any(not paper.foreign for paper in papers()):
        return ""
    clone = Path(__file__).resolve().parents[1] / "papers"
    here = (clone / "pyproject.toml").is_file()
    what = f"-e {shlex.quote(str(clone))}" if here else HOME[1]
    return f"; the project's papers are not installed: pip install {what}"


def installed(key: str) -> Paper | None:
    """The paper of this key; None where none is installed."""
    return _loaded()[0].get(key)


def paper(paper: str) -> Paper:
    """The paper of this key, alias, title or arXiv number, of any version of it.

    Raises ValueError if there is none.
    """
    query = re.sub(r"(\d{4}\.\d{4,5})v\d{1,3}$", r"\1", str(paper).lower())
    for candidate in papers():
        if query in candidate.names:
            return candidate
    keys = ", ".join(p.key for p in papers()) or "those that are installed (none)"
    raise ValueError(f"paper must be one of {keys}, got {paper!r}{how_to_install()}")


_paper = paper


def ids(paper: str | None = None) -> tuple[str, ...]:
    """Ids of all statements (of one paper), in the order of the papers."""
    chosen = papers() if paper is None else (_paper(paper),)
    return tuple(id for p in chosen for id in p.statements)


@cache
def _statement(id: str) -> Statement | None:
    """The statement of this id; None where a third-party module fails, which is then to blame."""
    owner = _loaded()[0][id.split(".")[0]]
    try:
        return owner.statement(id)
    except (Exception, SystemExit) as error:
        if not owner.foreign:
            raise
        blame(f"{id} of {owner.distribution}", error, (owner.package,))
        return None


def lost(id: str) -> str | None:
    """Why a statement that a third-party paper announces cannot be used; None for any other."""
    key = str(id).lower()
    owner = _loaded()[0].get(key.split(".")[0])
    if owner is None or key not in owner.statements or _statement(key) is not None:
        return None
    return broken()[f"{key} of {owner.distribution}"]


def statements(paper: str | None = None) -> tuple[Statement, ...]:
    """All statements (of one paper), in the order of the papers."""
    return tuple(statement for id in ids(paper) if (statement := _statement(id)) is not None)


@cache
def _aliases() -> dict[str, str]:
    """Every spelling, in lower case, that names a statement -> its id."""
    table = {id: id for id in ids()}
    for statement in statements():
        for alias in statement.aliases:
            # All ids are in the table from the start: no alias takes the place of one.
            if table.setdefault(alias.lower(), statement.id) != statement.id:
                clash = ValueError(f"{alias} names {table[alias.lower()]} already")
                owner = _loaded()[0][statement.paper]
                if not owner.foreign:
                    raise clash
                blame(f"an alias of {statement.id} of {owner.distribution}", clash)
    return table


def alike(text: str, most: int) -> tuple[str, ...]:
    """The ids that are spelled like the text, at most so many, the nearest first."""
    # A person may give a text of any length, and the time to compare grows with it.
    near = get_close_matches(text.lower()[:100], _aliases(), n=most, cutoff=0.75)
    return tuple(dict.fromkeys(_aliases()[spelling] for spelling in near))


def suggestions(text: str) -> str:
    """ "; did you mean ...?" with the ids that are spelled like the text; empty without any."""
    proposals = alike(text, 3)
    return f"; did you mean {' or '.join(proposals)}?" if proposals else ""


def get(id: str) -> Statement:
    """The statement of this id or alias, in any case. Raises ValueError if there is none."""
    key = str(id).lower()
    owner = _loaded()[0].get(key.split(".")[0])
    if owner is None or key not in owner.statements:
        canonical = _aliases().get(key)
        if canonical is None:
            more = suggestions(key) + how_to_install()
            raise ValueError(f"id must name a claim (see `forgetproof claims`), got {id!r}{more}")
        key = canonical
    statement = _statement(key)
    if statement is None:
        name = f"{key} of {paper(key.split('.')[0]).distribution}"
        raise ValueError(f"{name} cannot be used: {lost(key)}")
    return statement


def _pickled(statement: Statement) -> tuple[Callable[[str], Statement], tuple[str]]:
    """A statement by its id: its formulas are functions, which only its module can make again.

    Raises PicklingError for a statement that no installed paper declares.
    """
    try:
        declared = get(statement.id) is statement
    except ValueError:
        declared = False
    if not declared:
        raise PicklingError(f"{statement.id} must be declared by a paper to be pickled")
    return get, (statement.id,)


copyreg.pickle(Statement, _pickled)

"""What is installed, read from the records of the installation: nothing is imported."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata

from forgetproof.guard import HOME

DISTRIBUTION = "forgetproof"
ENABLES = {
    "sim": "forget, noise --data, simulate, demo, forgetproof.engine, forgetproof.sklearn",
    "report": "verify, plot, the report of demo",
    "test": "the suite; pytest --forgetproof and forgetproof.testing",
    "certify": "certificates by ball arithmetic: search, certify_erm",
    "lint": "YAML configurations: lint --template",
    "data": "MNIST without --data-folder; streams with river",
    "tables": "DataFrames; --data of Parquet and Arrow files",
    "interop": "Opacus, dp-accounting and riskcal: from_opacus, lint MODULE:OBJECT",
    "sdp": "worst cases by semidefinite programs: search --sdp",
    "dask": "checks on a cluster: verify --dask",
    "docs": "the documentation site: make docs",
}
"""What each extra is for; `all` and `dev` are sums of these."""
REQUIREMENT = re.compile(r"([\w.-]+)\s*>=\s*([\d.]+)")
OF_AN_EXTRA = re.compile(r"(.+?)\s*;\s*extra\s*==\s*['\"](\w+)['\"]")


@dataclass(frozen=True)
class Package:
    """A package that an extra asks for.

    Attributes:
        name: of the distribution.
        lowest: the version that forgetproof promises to work with.
        version: the one that is installed, None where none is.
    """

    name: str
    lowest: str
    version: str | None

    @property
    def trouble(self) -> str | None:
        """Why it cannot be used, in words; None where it can."""
        if self.version is None:
            return f"{self.name} is missing"
        if _parts(self.version) < _parts(self.lowest):
            return f"{self.name} {self.version} is older than {self.lowest}"
        return None


def version_of(distribution: str) -> str | None:
    """The version that is installed, or None."""
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return None


def extras() -> Mapping[str, tuple[Package, ...]]:
    """Extra -> its packages, those of `ENABLES` in its order."""
    packages = defaultdict(list)
    for extra, requirement in _requirements():
        # An extra that asks for another one of ours stands beside it.
        if match := REQUIREMENT.fullmatch(requirement):
            name, lowest = match.groups()
            packages[extra].append(Package(name, lowest, version_of(name)))
    return {extra: tuple(packages[extra]) for extra in ENABLES if extra in packages}


def _requirements() -> Iterator[tuple[str, str]]:
    """Every extra with every package that it asks for: name and lowest version.

    Of a clone as it is now, whose records may be those of the day on which it was installed.
    """
    file = HOME / "pyproject.toml"
    if file.is_file():
        project = tomllib.loads(file.read_text("utf-8"))["project"]
        for extra, requirements in project["optional-dependencies"].items():
            yield from ((extra, requirement) for requirement in requirements)
    elif version_of(DISTRIBUTION) is not None:
        for requirement in metadata.requires(DISTRIBUTION) or ():
            if match := OF_AN_EXTRA.fullmatch(requirement):
                yield match[2], match[1]


def papers() -> Mapping[str, str]:
    """Key of every paper that is announced -> the distribution that announces it."""
    points = metadata.entry_points(group="forgetproof.papers")
    return {point.name: point.dist.name if point.dist else "" for point in points}


def _parts(version: str) -> tuple[int, ...]:
    """The numbers at the beginning of a version: 2.4.1+cpu is (2, 4, 1)."""
    match = re.match(r"\d+(\.\d+)*", version)
    return tuple(map(int, match[0].split("."))) if match else ()

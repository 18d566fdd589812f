"""Privacy problems and experiments by name, the engine's and those of papers; and papers' views."""

import re
from collections.abc import Iterator
from functools import cache, cached_property
from pkgutil import resolve_name
from typing import Any, Literal

from bounds.library import Paper, blame, papers
from bounds.library import paper as of_key

ENGINE = {
    "problems": {
        "tracking": "accounting.problems.tracking:Tracking",
        "d2d": "accounting.problems.descent_to_delete:DescentToDelete",
        "contraction": "accounting.problems.contraction:Contraction",
        "erm": "simulators.erm.problem:Erm",
        "clipped": "accounting.problems.clipped:Clipped",
        "dp-sgd": "accounting.problems.dp_sgd:SampledDescent",
    },
    "experiments": {
        "langevin": "simulators.runs.langevin:LangevinUnlearning",
        "retrain": "simulators.runs.langevin:Retraining",
        "d2d": "simulators.runs.d2d:DeletionByDescent",
        "online": "simulators.runs.online:OnlineLearning",
        "recollection": "simulators.runs.unlearning:HessianFree",
        "ns": "simulators.runs.newton_steps:NewtonStep",
        "ij": "simulators.runs.newton_steps:Jackknife",
        "mini": "simulators.runs.unlearning:LastSteps",
        "rewind": "simulators.runs.unlearning:Rewinding",
        "deltagrad": "simulators.runs.unlearning:DeltaGrad",
        "amnesiac": "simulators.runs.unlearning:Amnesiac",
        "newton-removal": "simulators.runs.newton_steps:PerturbedRemoval",
        "safe": "simulators.runs.publications:SafePublications",
        "tracking": "simulators.runs.publications:TrackingPublications",
    },
}
"""What is there without any paper: name of an algorithm -> "module:class"."""


class Declared:
    """Classes named as "module:class", each imported when it is asked for.

    A class goes by its `algorithm`, by its `aliases`, and by any other name that a paper gives it.
    kind: the attribute of `Paper` that names them.  noun: what one of them is called.
    """

    def __init__(self, kind: Literal["problems", "experiments"], noun: str) -> None:
        self.kind, self.noun = kind, noun
        self._made: dict[str, Any] = {}

    @cached_property
    def _places(self) -> dict[str, tuple[str, Paper | None]]:
        """The name of an algorithm -> where it stands, and the paper that says so, if one does."""
        locations: dict[str, tuple[str, Paper | None]] = {}
        for name, place, paper in self._declarations():
            first = locations.setdefault(name, (place, paper))[1]
            if paper is not None and first is not paper:
                owner = first.key if first else "forgetproof"
                clash = ValueError(f"{owner} has {self.noun} of this name")
                blame(self._source(name, paper), clash)
        return locations

    def _declarations(self) -> Iterator[tuple[str, str, Paper | None]]:
        """(name, place, paper) in the order in which names are given away.

        The project's own papers come first, as `forgetproof noise` lists them, then the engine:
        no paper from outside can take the name of either.
        """
        entries = [(paper, getattr(paper, self.kind)) for paper in papers()]
        yield from ((n, at, p) for p, table in entries if not p.foreign for n, at in table.items())
        yield from ((name, place, None) for name, place in ENGINE[self.kind].items())
        yield from ((n, at, p) for p, table in entries if p.foreign for n, at in table.items())

    def names(self) -> tuple[str, ...]:
        """The algorithms, in the order of the papers; those that cannot be imported left out."""
        entries = ((name, self.get(name)) for name in self._places)
        return tuple(
            name for name, declaration in entries if declaration and declaration.algorithm == name
        )

    def aliases(self, name: str) -> tuple[str, ...]:
        """The other names of an algorithm."""
        declaration = self.get(name)
        # Only where a class of this name stands is it looked for: no other is imported.
        title = declaration.__name__
        places = ((other, place) for other, (place, _) in self._places.items() if other != name)
        others = (other for other, place in places if re.split("[:.]", place)[-1] == title)
        synonyms = (other for other in others if self.get(other) is declaration)
        return tuple(dict.fromkeys((*declaration.aliases, *synonyms)))

    def get(self, name: str) -> Any:
        """The class of this name or alias, or None."""
        # Only now are other papers' classes imported: the class, not the list, holds its aliases.
        if name not in self._places:
            others = (self.get(other) for other in self._places)
            return next((c for c in others if c is not None and name in c.aliases), None)
        if name not in self._made:
            self._made[name] = self._import(name)
        return self._made[name]

    def _import(self, name: str) -> Any:
        place, paper = self._places[name]
        try:
            declaration = resolve_name(place)
            if not isinstance(getattr(declaration, "algorithm", None), str):
                raise TypeError(f"{place} is no {self.noun.split()[-1]}")
            return declaration
        except (Exception, SystemExit) as error:  # a third-party module may fail in any way
            if paper is None or not paper.foreign:
                raise
            blame(self._source(name, paper), error)
            return None

    def _source(self, name: str, paper: Paper) -> str:
        return f"the {self.noun.split()[-1]} {name} of {paper.distribution}"


PROBLEMS = Declared("problems", "a problem")
EXPERIMENTS = Declared("experiments", "an experiment")


@cache
def views(algorithm: str, key: str | None = None) -> tuple[Any, ...]:
    """The views (`simulators.runs.experiment.View`) that papers add to the runs of an experiment.

    Of the paper with this key, or of all papers, each once, in the order of the papers. What cannot
    be imported of a paper from outside is named among the faults and left out.
    """
    classes: dict[Any, None] = {}
    for paper in papers() if key is None else (of_key(key),):
        for place in paper.views.get(algorithm, ()):
            try:
                view = resolve_name(place)
                if not hasattr(view, "of"):
                    raise TypeError(f"{place} is no view")
                classes[view] = None
            except (Exception, SystemExit) as error:  # a module from outside may fail in any way
                if not paper.foreign:
                    raise
                blame(f"the view {place} of {paper.distribution}", error)
    return tuple(classes)

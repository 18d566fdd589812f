"""The claims of the papers for tests: their formulas, forms, and strategies of inputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from forgetproof.ours import inside_ours, ours

if TYPE_CHECKING:
    import numpy as np
    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from bounds import Statement


@dataclass(frozen=True, repr=False)
class PaperClaim:
    """One claim of a paper."""

    claim: Statement

    def __repr__(self) -> str:
        return f"PaperClaim({self.id!r})"

    @property
    def id(self) -> str:
        return self.claim.id

    @property
    def label(self) -> str:
        """The paper's own name for it."""
        return self.claim.label

    @property
    def words(self) -> str:
        """The statement in words."""
        return self.claim.words

    @property
    def forms(self) -> tuple[str, ...]:
        """Names of the forms: of printed, corrected, tight."""
        return tuple(self.claim.forms)

    @property
    def replay(self) -> str:
        """The command that shows what decides the claim."""
        return f"forgetproof replay {self.id}"

    @inside_ours
    def value(self, form: str, **inputs: Any) -> NDArray[np.float64]:
        """A form at these inputs, by name; what the form does not take is only checked.

        Raises ValueError outside the hypotheses, or where there is no such form.
        """
        return self.claim(form, **inputs)

    def strategy(
        self, form: str | None = None, *, interpretation: str | None = None
    ) -> SearchStrategy[dict[str, Any]]:
        """See `strategy`."""
        return strategy(self.id, form, interpretation=interpretation)


@inside_ours
def get(id: str) -> PaperClaim:
    """The claim of this id, alias or label ("olu Theorem 2"). ValueError unless there is one."""
    import bounds

    return PaperClaim(bounds.claim(id))


@inside_ours
def ids(paper: str | None = None) -> tuple[str, ...]:
    """Ids of all claims (of one paper). Raises ValueError for an unknown paper."""
    import bounds

    return tuple(claim.id for claim in bounds.statements(paper))


@inside_ours
def strategy(
    id: str, form: str | None = None, *, interpretation: str | None = None
) -> SearchStrategy[dict[str, Any]]:
    """Inputs of a claim's formula, as keyword arguments: in range, and within every hypothesis.

    Args:
        id: the claim.
        form: draw only what this form takes; otherwise the arguments of all forms, and every form
            has a value there.
        interpretation: whose hypotheses hold; the paper's own by default.

    Draws shrink to numbers of few digits, and none is rejected. Raises ValueError for an unknown
    claim, form or interpretation, and for a claim without a formula.
    """
    claim = get(id).claim
    if not claim.forms:
        raise ValueError(f"id must name a claim with a formula, got {claim.id!r}, which has none")
    interpretations = [r.name for r in claim.interpretations]
    if interpretation is not None and not (
        isinstance(interpretation, str) and interpretation in interpretations
    ):
        raise ValueError(
            f"interpretation must be one of {', '.join(interpretations)}, got {interpretation!r}"
        )
    if form is not None:
        form = claim[form].name
    return _strategy(claim.id, form, interpretation or interpretations[0])


@lru_cache(maxsize=64)
def _strategy(id: str, form: str | None, interpretation: str) -> SearchStrategy[dict[str, Any]]:
    from hypothesis import strategies as st

    import bounds
    from verify.search.domain import domain
    from verify.search.strategies import points

    claim = bounds.get(id)
    forms = [claim[form]] if form else list(claim.forms.values())
    inputs = points(
        domain(
            claim,
            claim[form].arguments if form else None,
            where=claim.interpretation(interpretation).where,
            also=map(_has_value, forms),
        )
    )

    @st.composite
    def drawn(draw: Callable[..., Any]) -> dict[str, Any]:
        with ours():
            return dict(draw(inputs))

    return drawn()


def _has_value(form: Any) -> Callable[[Mapping[str, Any]], bool]:
    """True where the form evaluates; elsewhere the form's ValueError says that it does not."""

    def condition(point: Mapping[str, Any]) -> bool:
        # The values themselves are of no interest, only whether there is one.
        form(**point)
        return True

    return condition

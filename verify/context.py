"""What a check is given: the formula, random streams, and its share of the error budget."""

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from bounds import Statement
from verify import programs
from verify.evidence import (
    Basis,
    Comparison,
    Declaration,
    Evidence,
    Relation,
    Reproduction,
    violates,
)

Findings = Iterator[Evidence]
"""What a check yields."""

# Every sampled comparison of a run shares this probability of a false alarm; no run makes more
# sampled comparisons than COMPARISONS, so each may use LEVEL (union bound).
ERROR_BUDGET = 1e-6
COMPARISONS = 10_000
LEVEL = ERROR_BUDGET / COMPARISONS


@dataclass(frozen=True)
class Context:
    """Handed to every check.

    Attributes:
        claim: the claim under test.
        profile: "quick" (seconds) or "full" (more instances, longer horizons).
        seed: root seed of the run; `rng` derives independent streams from it and the claim's id.
        scale: factor on every bound; 1 except when the power of the suite is being measured.
        memory: bytes that one batched simulation may hold.
        device: where simulations compute that name no other; exact laws know of none.
    """

    claim: Statement
    profile: Literal["quick", "full"] = "quick"
    seed: int = 0
    scale: float = 1.0
    memory: int = 1 << 30
    device: str = "cpu"

    @property
    def level(self) -> float:
        """Error probability that one sampled comparison may spend."""
        return LEVEL

    def pick(self, quick: int, full: int) -> int:
        """A number of instances by profile."""
        return full if self.profile == "full" else quick

    def seed_sequence(self, block: int = 0) -> np.random.SeedSequence:
        """Depends on the run's seed, the claim and the block only."""
        # crc32, as `hash` of a text differs from process to process.
        return np.random.SeedSequence(
            self.seed, spawn_key=(zlib.crc32(self.claim.id.encode()), block)
        )

    def rng(self, block: int = 0) -> np.random.Generator:
        return np.random.default_rng(self.seed_sequence(block))

    def draws(self, quick: int, full: int, *, block: int = 0) -> Iterator[np.random.Generator]:
        """The block's stream, once for each of so many instances by profile."""
        rng = self.rng(block)
        for _ in range(self.pick(quick, full)):
            yield rng

    def compare(
        self,
        interpretation: str,
        form: str,
        measured: Any,
        inputs: Mapping[str, Any],
        instance: str,
        *,
        bound: Any = None,
        tight: Any = None,
        relation: Relation | None = None,
        basis: Basis = "exact",
        tolerance: float = 1e-9,
        role: Literal["bound", "class", "control"] = "bound",
        script: str | None = None,
    ) -> Comparison:
        """Compares `measured` with a form of the claim's formula (or against `bound`).

        `inputs` are handed to the form by name; those it does not know describe the experiment
        only. Arrays are compared element by element and the most extreme element is kept, with
        the number of elements as its count. `relation` is by default what the interpretation states
        of the form ("<=" in other roles). `script` names a program beside the check.

        Raises ValueError for inputs that break a hypothesis of the interpretation: they are no
            evidence.
        """
        if script is not None:
            programs.path(self.claim, script)
        arguments = {}
        if self.claim.forms:
            arguments = {k: v for k, v in inputs.items() if k in self.claim.symbols}
        judged = self.claim.interpretation(interpretation)
        if relation is None:
            relation = judged.relations[form] if role == "bound" else "<="
        # Controls and class comparisons may leave the hypotheses: that is what they are about.
        if role == "bound" and (why := judged.broken(arguments)):
            raise ValueError(
                f"{self.claim.id}: {instance!r} lies outside {interpretation!r}: {why}"
            )
        # Values of forms at these inputs, so that `_tight` computes none twice.
        own = {}
        if bound is None:
            bound = own[form] = self.claim(form, **arguments)
        if tight is None and role == "bound" and self.claim.forms:
            tight = self._tight(arguments, own)
        # Scaled bounds ask for the power of the check; controls do not depend on the scale.
        if role == "bound":
            bound = np.asarray(bound, dtype=float) * self.scale
        arrays = np.broadcast_arrays(
            *(
                np.asarray(x, dtype=float)
                for x in (measured, bound, np.nan if tight is None else tight)
            )
        )
        flat = [a.ravel() for a in arrays]
        if any(np.isnan(a).any() for a in flat[:2]):
            raise ValueError(f"{self.claim.id}: not a number in {instance!r}")
        if not flat[0].size:
            raise ValueError(f"{self.claim.id}: nothing was compared in {instance!r}")
        worst = 0
        if flat[0].size > 1:  # a violation comes before any closest approach, whatever the scores
            failed = violates(flat[0], flat[1], relation, tolerance)
            score = _badness(flat[0], flat[1], relation)
            worst = int(np.lexsort((score, failed))[-1])
        return Comparison(
            interpretation=interpretation,
            form=form,
            instance=instance,
            inputs={k: _element(v, worst, arrays[0].shape) for k, v in inputs.items()},
            measured=float(flat[0][worst]),
            bound=float(flat[1][worst]),
            relation=relation,
            tolerance=tolerance,
            basis=basis,
            tight=None if np.isnan(flat[2][worst]) else float(flat[2][worst]),
            role=role,
            count=flat[0].size,
            level=self.level if basis == "statistical" else None,
            script=script,
        )

    def compare_forms(
        self,
        interpretation: str,
        measured: Any,
        inputs: Mapping[str, Any],
        instance: str,
        **options: Any,
    ) -> list[Comparison]:
        """`compare` for every form that the interpretation judges."""
        forms = self.claim.interpretation(interpretation).forms
        if "tight" not in options and options.get("role", "bound") == "bound":
            options["tight"] = self.tight(inputs)
        return [
            self.compare(interpretation, f, measured, inputs, instance, **options) for f in forms
        ]

    def tight(self, inputs: Mapping[str, Any]) -> Any:
        """What comparisons at these inputs reach at most, for several of them."""
        if not self.claim.forms:
            return None
        return self._tight({k: v for k, v in inputs.items() if k in self.claim.symbols}, {})

    def transcribed(
        self,
        interpretation: str,
        form: str,
        value: Any,
        again: Any,
        inputs: Mapping[str, Any],
        instance: str,
        tolerance: float = 1e-9,
    ) -> Comparison:
        """A control that the form's `value` is what the paper prints, by `again`, another code.

        A printed form that is false stays false under a slip of ours in it; this does not.
        """
        value, again = np.asarray(value, dtype=float), np.asarray(again, dtype=float)
        # Relative to the larger of both, never below the least normal number.
        size = np.maximum(np.maximum(np.abs(value), np.abs(again)), np.finfo(float).tiny)
        return self.compare(
            interpretation,
            form,
            tolerance,
            inputs,
            f"transcribed: {instance}",
            bound=np.max(np.abs(value - again) / size),
            role="control",
        )

    def declare(
        self,
        interpretation: str,
        form: str,
        word: Literal["unspecified", "not checkable", "ill-typed"],
        reason: str,
    ) -> Declaration:
        return Declaration(interpretation, form, word, reason)

    def reproduce(
        self, interpretation: str, form: str, rule: str, rows: list[Mapping[str, Any]]
    ) -> Reproduction:
        """`rows` hold "printed", "computed" and whether they "match" under the rule."""
        return Reproduction(interpretation, form, rule, tuple(rows))

    def _tight(self, known: Mapping[str, Any], own: Mapping[str, Any]) -> Any:
        """The best known form at these inputs, where one exists and applies.

        own: forms whose values there are known.
        """
        # A corrected form is the best known where none is marked as tight.
        for name in ("tight", "corrected"):
            if name in self.claim.forms:
                form = self.claim[name]
                if all(a in known or a in form.optional for a in form.arguments):
                    return own[name] if name in own else form(**known)
        return None


def _badness(measured: np.ndarray, bound: np.ndarray, relation: str) -> np.ndarray:
    """How far each element goes against the relation; only the order matters."""
    # Ratios, or differences where there is no ratio: only the order among these elements matters.
    with np.errstate(divide="ignore", invalid="ignore"):
        if relation == "==":
            size = np.maximum(np.abs(measured), np.abs(bound))
            score = np.abs(measured - bound) / np.where(size > 0, size, 1)
        elif relation == "<=":
            score = np.where(bound > 0, measured / bound, measured - bound)
        else:
            score = np.where(measured > 0, bound / measured, bound - measured)
    return np.where(np.isnan(score), -np.inf, score)


def _element(value: Any, index: int, shape: tuple[int, ...]) -> Any:
    """The element of an input that belongs to the flat index of the comparison."""
    if isinstance(value, dict | str) or value is None or np.ndim(value) == 0:
        return value.item() if isinstance(value, np.generic | np.ndarray) else value
    array = np.asarray(value)
    try:
        return np.broadcast_to(array, shape).ravel()[index].item()
    except ValueError:
        # An input of its own shape (a vector of the experiment) is kept whole.
        return array.tolist()

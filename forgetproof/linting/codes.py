"""The diagnostics of `forgetproof lint`: what each compares, why it matters, and how to mend it.

A code is never used again for something else: suppressions, baselines and pages refer to it.
"""

from dataclasses import dataclass
from typing import Literal

Level = Literal["error", "warning", "note"]
PAGE = "docs/lint.md"


@dataclass(frozen=True)
class Diagnostic:
    """A diagnostic, whatever mechanism it is about.

    Attributes:
        id: FP and three digits.
        name: its short name, in words joined by hyphens.
        level: of a finding, where the finding does not say another.
        compares: what is compared with what.
        matters: why a difference changes the guarantee.
        mend: what to change, in the code or in the claim.
        rests_on: the theorem or definition behind it.
    """

    id: str
    name: str
    level: Level
    compares: str
    matters: str
    mend: str
    rests_on: str

    @property
    def page(self) -> str:
        """Where the code is described, with examples."""
        return f"{PAGE}#{self.id.lower()}-{self.name}"

    def explained(self) -> str:
        """What `--explain` prints."""
        return "\n".join(
            (
                f"{self.id} {self.name} ({self.level})",
                f"  compares  {self.compares}",
                f"  matters   {self.matters}",
                f"  mend      {self.mend}",
                f"  rests on  {self.rests_on}",
                f"  examples  {self.page}",
            )
        )


_ALL = (
    Diagnostic(
        "FP100",
        "claim-false",
        "error",
        "the claim with what an instance of the declared class needs",
        "some data set, loss and request of the class tell the two laws apart better than is "
        "claimed",
        "claim what is certified, or change the mechanism; the findings beside it say where the "
        "two part",
        "a lower bound by linear losses or by one released sum; verdicts of docs/mechanism.md",
    ),
    Diagnostic(
        "FP101",
        "claim-open",
        "warning",
        "the claim with what is certified and with what an instance needs",
        "it lies between the two: nothing of ours proves it, and nothing refutes it",
        "claim what is certified, or give the proof that the claim rests on",
        "the accountants of docs/accounting.md and docs/sampled-batches.md",
    ),
    Diagnostic(
        "FP201",
        "batches",
        "error",
        "how batches are drawn when the code runs with how they were drawn on the bill",
        "amplification by sampling is of rows that are drawn independently; an order "
        "that is fixed or shuffled shows the row in every epoch",
        "sample by Poisson (Opacus: poisson_sampling=True), or bill what runs",
        "Chua et al., How private are DP-SGD implementations?, 2024; docs/sampled-batches.md",
    ),
    Diagnostic(
        "FP202",
        "divisor",
        "error",
        "what the noisy sum is divided by on the data with the row, and without it",
        "a divisor that follows n or the batch changes the scale of all noise when a row leaves, "
        "which every coordinate of every released state shows",
        "fix the divisor before the data are seen, and keep it when rows leave",
        "two Gaussians of unequal deviations; docs/opacus.md, Who divides by what",
    ),
    Diagnostic(
        "FP203",
        "clip",
        "error",
        "what is clipped: the gradient of one row, or of a batch, a microbatch, a group of weights",
        "the noise is scaled for one clipped row; a row moves a clipped batch by up to two clips, "
        "times what the mean is multiplied by",
        "clip the gradient of every row over all weights at once",
        "the sensitivity of a sum of clipped gradients; docs/sampled-batches.md",
    ),
    Diagnostic(
        "FP204",
        "noise-scale",
        "error",
        "the deviation of the noise with the one that was billed: on the sum or the mean, "
        "variance or deviation, a factor of 2 or of its root",
        "epsilon follows shift over deviation: half the deviation is twice the mu",
        "write the deviation that the derivation has, on what the derivation adds it to",
        "the Gaussian mechanism; docs/accounting.md",
    ),
    Diagnostic(
        "FP205",
        "noise-secret",
        "error",
        "whether the noise is there, drawn anew for every step and every release, and known to "
        "nobody",
        "whoever knows the seed subtracts the noise; two releases with one noise have a "
        "difference without any",
        "draw from a generator of the system (Opacus: secure_mode=True), with no seed in the "
        "script, anew in every step",
        "data processing: a function of known noise has the law of the unnoised states",
    ),
    Diagnostic(
        "FP206",
        "steps",
        "error",
        "how many steps ran with how many were billed",
        "every step that sees the row adds to what is told of it",
        "count steps where they are executed, not where they are planned",
        "composition of trade-off functions; docs/accounting.md",
    ),
    Diagnostic(
        "FP207",
        "released",
        "error",
        "the states and vectors that others see with those that were billed",
        "a bound on the last state says nothing of the states before it",
        "release the last state only, or bill all that are seen",
        "privacy amplification by iteration holds for hidden states; docs/sampled-batches.md",
    ),
    Diagnostic(
        "FP208",
        "conversion",
        "error",
        "a claim with the earlier claim that it was converted from",
        "the earlier one holds and this one does not follow: a curve D_alpha <= alpha rho was "
        "taken for D_alpha <= rho, or an epsilon was computed by an approximation",
        "convert by accounting.epsilon_cks or from the trade-off function",
        "accounting.renyi: conversions of docs/accounting.md",
    ),
    Diagnostic(
        "FP209",
        "adjacency",
        "error",
        "what a request changes with what was billed: one row that leaves, one that is replaced, "
        "or several",
        "a replaced row moves a sum twice as far, and m rows up to m times",
        "bill the request that is served: --rows, adjacency replace",
        "definition of the adjacency, docs/glossary.md; groups in accounting.renyi",
    ),
    Diagnostic(
        "FP210",
        "constants",
        "warning",
        "where each constant comes from: public, enforced by code that runs, assumed, estimated, "
        "or computed from private rows",
        "a number that rests on an estimate is a condition, no guarantee; one computed from the "
        "rows tells of them",
        "enforce the constant (a clip, a projection, a refusal), or take a public bound",
        "hypotheses of the accountants: a bound on shift, start or smoothness has to hold",
    ),
    Diagnostic(
        "FP211",
        "not-covered",
        "warning",
        "the mechanism with what the accountants speak of",
        "momentum, Adam and its kin, layers that mix rows: the certified number is infinite, as "
        "nothing is proved",
        "bill every state as released, or remove what is named",
        "the classes of docs/sampled-batches.md and docs/mechanism.md",
    ),
    Diagnostic(
        "FP212",
        "requests",
        "warning",
        "whether requests may depend on what was released, with what the account assumes",
        "who chooses a deletion after seeing a model can make the deletion tell what the bound on "
        "the last state does not count",
        "account with all models released, or fix the requests beforehand",
        "adaptive composition; docs/mechanism.md",
    ),
    Diagnostic(
        "FP213",
        "tuned",
        "warning",
        "what was chosen by looking at private rows: settings, a checkpoint, a seed",
        "the choice is an output that no number here counts",
        "choose on public rows, or bill the search",
        "composition: the search is a release of its own",
    ),
)
CODES: dict[str, Diagnostic] = {code.id: code for code in _ALL}
TOPICS: dict[str, str] = {code.name: code.id for code in _ALL}
"""The short name of a code -> its id."""


def code(id: str) -> Diagnostic:
    """The code of this id; raises ValueError naming it."""
    if id.upper() not in CODES:
        raise ValueError(f"code must be one of {', '.join(CODES)}, got {id!r}")
    return CODES[id.upper()]


def chosen(select: str | None, ignore: str | None) -> frozenset[str]:
    """The ids that --select and --ignore leave, each a list of ids or of their beginnings.

    Raises ValueError naming the option for what begins no id.
    """
    ids = _beginning("select", select) if select is not None else frozenset(CODES)
    return ids - (_beginning("ignore", ignore) if ignore is not None else frozenset())


def _beginning(option: str, text: str) -> frozenset[str]:
    """The ids that begin with one of the words."""
    ids: set[str] = set()
    for word in text.split(","):
        beginning = word.strip().upper()
        matches = {id for id in CODES if beginning and id.startswith(beginning)}
        if not matches:
            raise ValueError(
                f"{option} must list codes or their beginnings, such as FP2,FP101, got {word!r}"
            )
        ids |= matches
    return frozenset(ids)

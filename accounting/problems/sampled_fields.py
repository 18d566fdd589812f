"""What noisy SGD on sampled batches is asked with: its fields, for the problem and its parts."""

import math
from dataclasses import dataclass
from typing import Any

from accounting.problems.options import Column, natural, positive, real, table, whole, word
from accounting.problems.problem import Problem
from accounting.problems.row_gradient import HELP
from accounting.sampled.algorithm import ADJACENCY, MOST_STEPS, REFERENCES, SAMPLING, SampledSGD

_MOST_REQUESTS = 10**5
_PUBLISHED = ("last", "all")
_UNITS = ("all", "one")


@dataclass(frozen=True, kw_only=True, eq=False)
class SampledFields(Problem):
    """The fields of DP-SGD and of the steps without a row; a subclass answers."""

    n: int = whole("Rows that are sampled from, those in question among them.", low=2)
    batch_size: int = whole("B, what the noisy sum is divided by; expected under Poisson sampling.")
    steps: int = whole("N, of training.", high=MOST_STEPS)
    unlearning_steps: int = whole("K, after every request.", 1, low=0, high=MOST_STEPS)
    rate: float | None = real(
        "Of Poisson sampling; of Opacus one over the number of batches of its loader.",
        None,
        low=0.0,
        low_open=True,
        high=1.0,
        shown="B over the number of rows",
    )
    unlearning_rate: float | None = real(
        "Of Poisson sampling in the unlearning steps of adjacency delete.",
        None,
        low=0.0,
        low_open=True,
        high=1.0,
        shown="that of retraining",
    )
    step_size: float = positive("eta.")
    smoothness: float = natural("L_0 of a row's loss: for logistic loss a quarter of |row|^2.")
    ridge: float = natural(
        "lambda, weight decay outside the clip.", 0.0, also=("--regularisation",)
    )
    clip: float = positive("C, the most that a row's gradient counts.", 1.0)
    sampling: str = word("How batches are drawn.", *SAMPLING)
    adjacency: str = word(
        "Retraining masks the rows of a request (zero-out), never had them, so that its sampling "
        "follows (delete), has them where training had not (add), or has others (replace).",
        *ADJACENCY,
    )
    reference: str = word("Law that the result is compared with.", *REFERENCES)
    diameter: float = real(
        "Of the domain, onto which every step projects.", math.inf, low=0.0, low_open=True
    )
    rows: int = whole("Of one request.", 1, also=("--removed",))
    requests: int = whole("Deletions in sequence, K steps after each.", 1, high=_MOST_REQUESTS)
    published: str = word(
        "What is seen: the last model, or those of training and of every request together.",
        *_PUBLISHED,
    )
    privacy_unit: str = word(
        "What several requests are about: the rows of all of them together, or of any one.", *_UNITS
    )
    row_gradient: float | None = positive(HELP, None)
    row_gradients: Any = table(
        "File with one such number for every step that sees the row.", {"": Column(low=0.0)}, None
    )

    @property
    def setting(self) -> SampledSGD:
        """The algorithm as the accountants take it."""
        raise NotImplementedError

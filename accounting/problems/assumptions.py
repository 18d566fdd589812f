"""What a privacy number rests on, as words with one meaning each, the same for every problem."""

from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, Self


class Word(Enum):
    """A word that an assumption may be; `means` says what it stands for."""

    means: str

    def __new__(cls, word: str, means: str) -> Self:
        member = object.__new__(cls)
        member._value_ = word
        member.means = means
        return member


class Adjacency(Word):
    """How the data of the two runs differ."""

    REPLACE = (
        "replace",
        "a request exchanges one sample for any other and n stays; a deletion is the exchange for "
        "a sample chosen without it",
    )
    ZERO_OUT = (
        "zero-out",
        "retraining masks the requested samples: they keep their places in the batches and count 0",
    )
    DELETE = (
        "delete",
        "the requested samples leave, nothing takes their place, and the others stay",
    )
    ADD = "add", "the requested samples join, and the others stay"
    SKIP = (
        "skip",
        "the rounds of the deleted losses make no step; every other round keeps its number",
    )
    MAPS = "maps", "the maps of the two processes differ by at most the displacements"


class Reference(Word):
    """The law that is compared with."""

    STATIONARY = "stationary", "what learning from the new data without end would come to"
    RETRAINED = "T", "learning from the new data from scratch, for T epochs"
    AS_LONG = "T+K", "learning from the new data from scratch, for T + K epochs"
    AS_MANY = "N+K", "the same algorithm on the data after the request, for N + K steps"
    TRAINED = "N", "the same algorithm on the data after the request, for N steps"
    WITHOUT = "without", "the same algorithm without the deleted losses, with the same noise"
    KEPT = "kept", "retraining on what is kept, then the same noise"
    SLOTS = "slots", "retraining on the same slots without the deleted, with the same noise"
    MINIMISER = "minimiser", "the minimiser over the retained samples, with noise of its own"
    REPLACED = "replaced", "learning from the new data as well, then the same noise"
    OTHER = "other", "the process on the adjacent data, with the same noise"


class Released(Word):
    """What an observer sees."""

    LAST = (
        "last",
        "the last iterate alone: whatever is seen beside it, such as a model published before, is "
        "not counted",
    )
    ONWARDS = "onwards", "every iterate from each deletion on"
    SEVERAL = "several", "as many of the published models together as `releases` says, no more"
    ONE = (
        "one",
        "one model, seen once: a second one seen beside it, of the same request or of another, is "
        "not counted",
    )
    ALL = "all", "the models after training and after every request, seen together"


def seen(releases: int) -> Released:
    """The word for so many published models in one observer's eyes."""
    return Released.ONE if releases == 1 else Released.SEVERAL


class Secret(Word):
    """What must not be seen."""

    NOTHING = "nothing", "no state is kept from the observer"
    ITERATES = "iterates", "the iterates before the released one"
    ORDER = "batch order", "which samples are in which batch, and the iterates before the last"
    BETWEEN = (
        "between",
        "which samples are in which batch, and the iterates between two published models",
    )
    MODEL = "model", "the models without noise, and what is kept to compute them"
    STATISTICS = "statistics", "the model without noise; statistics of other samples stay uncovered"
    OBJECTIVE = "b", "the random linear term of the objective"


class NoiseOn(Word):
    """What the noise is added to, so that a sentence may end with it."""

    STEP = "step", "the iterate after every step along a mean gradient"
    DELETION = "deletion", "the iterate at each deletion, before the projection"
    MODEL = "model", "the published model"
    GRADIENT = "objective", "the gradient of the summed objective, as <b, w> in it"
    MAP = "map", "the state after every map"
    SUM = "sum", "the sum of the clipped gradients of every batch"


class Batches(Word):
    """How the samples of a step are chosen."""

    ALL = "all", "every step sees all samples, or those that its round has"
    FIXED = "fixed", "one partition into batches, in the same order in every epoch"
    RANDOM = "random", "the partition is drawn uniformly once, and kept secret"
    ANY = "any", "whatever order each epoch has, the same in both runs"
    STORED = "stored", "as the run went that the norms were stored in"
    POISSON = "poisson", "every sample is in the batch of a step by a draw of its own, kept secret"
    SIZED = "sized", "so many samples drawn anew without replacement in every step, kept secret"
    SHUFFLED = "shuffled", "the order is drawn anew in every epoch, and kept secret"
    CYCLIC = "cyclic", "one public order for all epochs, the worst for the request"


class Adaptivity(Word):
    """What requests may depend on."""

    NONADAPTIVE = (
        "nonadaptive",
        "what is requested, and when, does not depend on anything published",
    )
    OBLIVIOUS = (
        "oblivious",
        "oblivious requests only: what is requested depends neither on what was published nor on "
        "the noise or the batches",
    )
    ADAPTIVE = (
        "adaptive",
        "what is requested, and when, may depend on all that was published before, and on nothing "
        "that is secret",
    )


class Constants(Word):
    """Where the numbers come from that the noise is computed from."""

    PUBLIC = (
        "public",
        "whatever sigma is computed from is public; a constant taken from private data would make "
        "sigma depend on them, which the guarantee does not count",
    )
    DATA = (
        "data-dependent",
        "sigma depends on what was computed from the data, and shows some of it: the guarantee "
        "does not count that",
    )


@dataclass(frozen=True, kw_only=True)
class Assumptions:
    """What a number rests on: words, the inputs taken from private data, further conditions."""

    adjacency: Adjacency
    reference: Reference
    released: Released
    secret_state: Secret
    noise_on: NoiseOn
    batches: Batches = Batches.ALL
    adaptivity: Adaptivity = Adaptivity.NONADAPTIVE
    from_data: tuple[str, ...] = ()
    conditions: tuple[str, ...] = ()

    @property
    def constants(self) -> Constants:
        """Data-dependent as soon as one input was computed from private data."""
        return Constants.DATA if self.from_data else Constants.PUBLIC

    @property
    def words(self) -> dict[str, Word]:
        """Name -> word, of all that have words."""
        words = {field.name: getattr(self, field.name) for field in fields(self)}
        words = {name: word for name, word in words.items() if isinstance(word, Word)}
        return {**words, "constants": self.constants}

    def document(self) -> dict[str, Any]:
        """Every word with its meaning, as data."""
        document: dict[str, Any] = {}
        for name, word in self.words.items():
            document[name] = word.value
            document[f"{name}_means"] = word.means
        return {**document, "from_data": list(self.from_data), "conditions": list(self.conditions)}

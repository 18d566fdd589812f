"""Which command answers the question of a person who has trained a model and deletes rows."""

from dataclasses import dataclass

TRAINED: dict[str, str] = {
    "logistic": "logistic regression, yes or no",
    "ridge": "least squares with a ridge",
    "network": "a network, or another model that is not convex",
    "own": "an algorithm of your own",
}
TRAINERS: dict[str, str] = {
    "sklearn": "scikit-learn, or another solver that goes to the minimum",
    "opacus": "Opacus",
    "loop": "a loop of noisy steps of your own",
}
PUBLISHED: dict[str, str] = {
    "last": "the model after the deletion, nothing before it",
    "all": "the model before the deletion as well",
    "rounds": "a model after each of many rounds of deletions",
}


@dataclass(frozen=True)
class Situation:
    """What a person has, and wants.

    Attributes:
        train: what is trained, of `TRAINED`.
        how: by what, of `TRAINERS`; not read where train is "own".
        publish: what others see, of `PUBLISHED`; not read where train is "own" or "network".
        epsilon, delta: the target.  removed: how many rows leave.
    """

    train: str
    how: str
    publish: str
    epsilon: float
    delta: float
    removed: int


@dataclass(frozen=True)
class FirstCommand:
    """What to type, or where `python` to paste, and why. Words in capitals are to be replaced."""

    words: str
    reason: str
    python: bool = False


def first_command(situation: Situation) -> FirstCommand:
    """The command for this situation. It computes nothing."""
    if situation.train == "own":
        return _own(situation)
    if situation.train == "network":
        return _network(situation)
    if situation.publish == "rounds":
        return _rounds(situation)
    if situation.how == "sklearn":
        return _minimiser(situation)
    if situation.publish == "all":
        return _seen_before(situation)
    return _noisy_steps(situation)


def _target(situation: Situation) -> str:
    return f"--epsilon {situation.epsilon:.12g} --delta {situation.delta:.12g}"


def _own(situation: Situation) -> FirstCommand:
    return FirstCommand(
        f"forgetproof audit MODULE:OBJECT {_target(situation)}",
        "samples can refute the claim of an algorithm of your own; none can prove it",
    )


def _network(situation: Situation) -> FirstCommand:
    """No further step of a network is known to forget."""
    if situation.how == "opacus":
        return FirstCommand(
            "forgetproof privacy dp-sgd --accountant training --sigma SIGMA "
            f"--delta {situation.delta:.12g} --n N --batch-size B --steps STEPS --step-size 1 "
            f"--smoothness 1 --rows {situation.removed}",
            "no further steps are proved to forget in a network: retrain (epsilon 0), or keep "
            "this epsilon, that of the training itself",
        )
    return FirstCommand(
        f"forgetproof noise clipped {_target(situation)} --n N --clip 1 --step-size ETA "
        "--learn-epochs EPOCHS",
        "of any model only full batches of clipped gradients are covered, at much noise: retrain "
        "(epsilon 0) unless that is too dear",
    )


def _rounds(situation: Situation) -> FirstCommand:
    options = "--data FILE --target-column COLUMN --loss logistic --regularisation 0.01"
    # The slope of squares has no bound that follows from rows alone.
    if situation.train == "ridge":
        options = "--n N --lipschitz SLOPE --strong-convexity RIDGE --smoothness L"
    return FirstCommand(
        f"forgetproof noise tracking {options} --size {situation.removed} {_target(situation)}",
        "gradient steps from the last model in every round, then noise that shrinks with the error",
    )


def _minimiser(situation: Situation) -> FirstCommand:
    reason = "Newton steps on the rows that stay, a certificate, and a public noise of 0.001"
    if situation.publish == "all":
        reason = "it covers the new model; nothing takes back what the earlier one shows"
    loss = "" if situation.train == "logistic" else f" --loss {situation.train}"
    return FirstCommand(
        f"forgetproof forget --data FILE --target COLUMN{loss} --removed 0:{situation.removed} "
        f"{_target(situation)}",
        reason,
    )


def _seen_before(situation: Situation) -> FirstCommand:
    return FirstCommand(
        "forgetproof privacy dp-sgd --published all --sigma SIGMA "
        f"--delta {situation.delta:.12g} --n N --batch-size B --steps STEPS --step-size ETA "
        f"--smoothness L --ridge LAMBDA --rows {situation.removed}",
        "unlearning takes nothing back of a model that was published: this is the epsilon of both",
    )


def _noisy_steps(situation: Situation) -> FirstCommand:
    if situation.how == "opacus":
        return FirstCommand(
            "forgetproof.opacus_plan(engine, model, optimizer, loader, "
            f"removed=range({situation.removed}), epsilon={situation.epsilon:.12g}, "
            f"delta={situation.delta:.12g})",
            "it reads what was trained, and says how many noisy steps on the rows that stay are "
            "enough, or in a line why to retrain",
            python=True,
        )
    return FirstCommand(
        f"forgetproof noise dp-sgd --sigma SIGMA {_target(situation)} --n N --batch-size B "
        f"--steps STEPS --step-size ETA --smoothness L --ridge LAMBDA --rows {situation.removed}",
        "how many noisy steps on the rows that stay are enough at the noise that you trained with",
    )

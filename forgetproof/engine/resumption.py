"""Going on from a ledger: its past, and the state of its last line, put into a run."""

from forgetproof.certificates import Ledger
from forgetproof.engine.planning import Interval
from forgetproof.engine.refusals import EngineRefusal
from forgetproof.engine.run import RecordedTraining
from forgetproof.engine.states import StateFolder


def resume(run: RecordedTraining, ledger: Ledger, states: StateFolder) -> None:
    """Puts a past into a run that has made no step; rows of a pending request are gone already.

    Raises EngineRefusal for other rows or ids than those of the ledger, and for an older state.
    """
    events, table = ledger.events(), run.table
    training = next(each for each in events if each["event"] == "train")
    if training["rows_digest"] != ledger.digest(table.digest()):
        raise EngineRefusal("rows must be those of the training, in its order, got others")
    left = set(ledger.history.left)
    gone = [name for name in table.ids if ledger.digest(name) in left]
    if len(gone) != len(left):
        raise EngineRefusal("ids must be those of the training, got none for a row that left")
    if gone:
        table.remove(table.positions(gone))
    rows = 0
    for each in events:
        if each["event"] == "train":
            run.intervals.append(Interval(each["steps"]))
        elif each["event"] == "request":
            rows = len(each["rows"])
        elif each["event"] == "unlearned":
            run.intervals.append(Interval(each["steps"], rows))
        elif each["event"] == "release":
            run.releases.append(run.executed)
    last = [each["state"] for each in events if "state" in each][-1]
    run.steps.restore(states.load(last))

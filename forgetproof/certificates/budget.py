"""What may be spent on one model: a filter, which refuses an event before it is written.

The limits stand in the settings that a ledger was opened with, so that every process has the same
ones, and the ledger asks the filter while it holds its lock: two processes never spend one unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from forgetproof.certificates.history import History, whole


class BudgetExceeded(ValueError):
    """An event that would spend more than there is; nothing was written."""


@dataclass(frozen=True, kw_only=True)
class DeletionBudget:
    """The most of each that one ledger allows; None: no limit.

    Attributes:
        requests: deletion requests.
        rows: rows that leave, in all requests together.
        steps: unlearning steps, in all requests together.
        request_steps: unlearning steps of one request.
        releases: models that are released.
    """

    requests: int | None = None
    rows: int | None = None
    steps: int | None = None
    request_steps: int | None = None
    releases: int | None = None

    def __post_init__(self) -> None:
        for name, limit in vars(self).items():
            if limit is not None:
                whole(f"budget.{name}", limit)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> DeletionBudget:
        """The limits under "budget" of a ledger's settings; ValueError for what is none."""
        limits = settings.get("budget", {})
        names = [each.name for each in fields(cls)]
        if not isinstance(limits, dict) or not set(limits) <= set(names):
            raise ValueError(f"budget must be an object of {', '.join(names)}, got {limits!r}")
        return cls(**limits)

    def spent(self, history: History) -> dict[str, int]:
        """How much of each is spent; `request_steps` is the largest of all requests."""
        steps = [each.steps for each in history.requests]
        return {
            "requests": len(history.requests),
            "rows": len(history.left),
            "steps": sum(steps),
            "request_steps": max(steps, default=0),
            "releases": len(history.releases),
        }

    def remaining(self, history: History) -> dict[str, int | None]:
        """How much of each is left, None without a limit; `request_steps` is the limit itself."""
        amounts: dict[str, int | None] = {}
        for name, used in self.spent(history).items():
            limit = getattr(self, name)
            per_request = name == "request_steps"
            amounts[name] = limit if limit is None or per_request else limit - used
        return amounts

    def insist(self, history: History, event: str, fields: Mapping[str, Any]) -> None:
        """BudgetExceeded, naming the limit, where the event would spend more than is left."""
        costs: dict[str, int] = {}
        if event == "request":
            steps, rows = fields["steps"], len(fields["rows"])
            costs = {"requests": 1, "rows": rows, "steps": steps, "request_steps": steps}
        elif event == "release":
            costs = {"releases": 1}
        remaining = self.remaining(history)
        for name, cost in costs.items():
            amount = remaining[name]
            if amount is not None and cost > amount:
                limit = getattr(self, name)
                raise BudgetExceeded(f"{name} must be <= {amount}, left of {limit}, got {cost}")

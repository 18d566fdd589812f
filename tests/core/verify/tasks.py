"""Tasks for processes of their own, in a module that takes no time to import."""

import os
import signal
from dataclasses import dataclass


@dataclass(frozen=True)
class Owner:
    """Work behind a check: whose process makes it."""

    id: str
    code: str = "of all machines"

    def __call__(self):
        return os.getpid()

    def code_hash(self):
        return self.code or str(os.getpid())


def die(id, marker, last):
    """Ends its process the first time that it runs for this id; else the id in capital letters."""
    if id == last and not marker.exists():
        marker.touch()
        die_always(id)
    return id.upper()


def die_always(id):
    os.kill(os.getpid(), signal.SIGKILL)


def whose(id):
    return os.getpid()

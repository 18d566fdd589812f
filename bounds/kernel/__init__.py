"""A checker of proofs that read like proofs on paper. It uses the standard library alone.

A proof is text (`bounds.kernel.reading`): hypotheses, lines, a goal. Each line follows from others
by one of four rules (`bounds.kernel.rules`) down to the named theorems of `theorems.txt`; nothing
is searched for, so multipliers stand in the text. Terms (`bounds.kernel.algebra`) are numbers,
vectors of any dimension, and laws, maps and sets, which are opaque; how they are read and which
signs are seen is said in `bounds.kernel.scope`.
"""

from bounds.kernel.algebra import ProofRejected
from bounds.kernel.reading import Proved, check, settings, theorems

__all__ = ["ProofRejected", "Proved", "check", "settings", "theorems"]

"""Table 2 of olu: steps of active unlearning at a deletion, and their gradients."""

from math import log

gamma = (2 - 1) / (2 + 1)  # beta = 2 mu
for tau in (10**3, 10**6):
    steps = log(2 * tau) / log(1 / gamma)
    print(f"tau = {tau}: {steps:.1f} steps of {tau} gradients each; retraining takes {tau}")
    assert steps * tau > tau
assert log(2 * 10**6) > 1.5 * log(2 * 10**3)

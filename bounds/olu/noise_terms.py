"""What the strongly convex regret of olu asks of the times of the requests."""

import numpy as np

from bounds import Hypothesis

enough = Hypothesis(
    "tau_i >= i + 1 (i different rounds are over by then)",
    lambda tau: np.all(np.asarray(tau) >= np.arange(np.size(tau)) + 2),
)

"""Equation (1) of olu shows the learner f_t before z_t: its regret is never positive.

Losses s_t z with signs s_t on K = [-1, 1]; the leader plays z_t = argmin f_1 + ... + f_t. A learner
that cannot see f_t has expected loss 0 on fair coins, hence expected regret E|s_1 + ... + s_T|.
"""

from fractions import Fraction as F
from itertools import product

T = 8
leader = fair = F(0)
for signs in product((-1, 1), repeat=T):
    total = loss = 0
    for s in signs:
        total += s
        loss += s * (-1 if total > 0 else 1)  # sees s before it plays
    leader += F(loss + abs(sum(signs)), 2**T)
    fair += F(abs(sum(signs)), 2**T)
print(f"expected regret {leader} = {float(leader):.4f} of the leader; of causal learners {fair}")
assert leader < fair

"""(41) of olu without tau_{i-1} <= u_i: the maps of request 1 differ by u_2 already.

K = [0, 1], f_t = (z - x_t)^2/2, beta = 9 declared, x = (0, -2, 3); request 1 deletes loss 1,
request 2 later deletes loss 3. One step 2/(beta + mu) on the average of the losses kept, z = 1/2.
"""

from fractions import Fraction as F

x, z, eta = (F(0), F(-2), F(3)), F(1, 2), F(2, 10)


def request_1(kept):
    next_point = z - eta * (z - sum(x[t - 1] for t in kept) / F(len(kept)))
    return max(F(0), min(F(1), next_point))


apart = abs(request_1((2, 3)) - request_1((2,)))
same = abs(request_1((2, 3)) - request_1((2, 3)))
print(f"distance in the run without both {apart}, by deleting u_1 only {same}")
assert apart > same

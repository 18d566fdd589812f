"""Algorithm 3 of olu steps away: means of x = (0, 0, 0, 1), the 1 is deleted.

f_t(z) = (z - x_t)^2/2, zhat = 1/4, H = 1, i = 1 of tau = 4 losses: the kept mean is 0.
"""

from fractions import Fraction as F

x, i = [F(0), F(0), F(0), F(1)], 1
zhat = sum(x) / 4
gradient = zhat - x[3]
printed = zhat - gradient / (4 - i)
corrected = zhat + gradient / (4 - i)
print(f"printed step ends at {printed}, with a plus at {corrected}, the kept mean is 0")
assert corrected == 0 and printed != 0

"""olu (7): against the run without all deleted losses e_4 is not 0."""

from fractions import Fraction

gamma = Fraction(1, 2)
Delta = [1, 1]
u = [2, 3]
tau = [4, 6]
e = Fraction(0)
for t in range(1, tau[0] + 1):
    paid = sum(gamma ** (tau[i] - u[i]) * Delta[i] for i in range(2) if t == tau[i])
    e = gamma * e + sum(Delta[i] for i in range(2) if t == u[i]) - paid
print(f"e_4 = {e}, promised: 0")
assert e > 0

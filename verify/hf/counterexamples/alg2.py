"""Algorithm 2 of hf: n = 5 quadratics (w - c)^2/2, one full-batch step of repair."""

eta = 0.3
n = 5
c = [1.0, -0.25, -0.25, -0.25, -0.25]
w = 0.5
a = -0.2
with_u = w - eta / n * sum(w - x for x in c)
v = w + a
without_u = v - eta / n * sum(v - x for x in c[1:])
printed = eta / n * a  # M a, and the sum from e = 1 is empty
print(f"repaired without u minus with u: {without_u - with_u}; Algorithm 2: {printed}")
assert abs(without_u - with_u - printed) > 0.1

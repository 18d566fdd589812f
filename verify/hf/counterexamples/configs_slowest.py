"""Logistic regression of hf, lam = 1e-6, eta = .05: the slowest direction."""

kept = 1.0
for _ in range(50):
    kept *= 1 - 0.05 * 1e-6
print(f"rho^50 = {kept:.9f}; a decay worth the name would leave less than {0.5}")
assert kept > 0.5

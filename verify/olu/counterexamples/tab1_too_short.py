"""olu Table 1: regret bounds, noise (2i - 1) eta^2 L^2/(2 eps) at deletion i."""

from math import sqrt

T, k, d, eps, L, D, w = 10_000, 5, 10, 1.0, 1.0, 1.0, 1.2


def regret(eta):
    noise = sum(d * (2 * i - 1) * eta**2 * L**2 / (2 * eps) / (2 * eta) for i in range(1, k + 1))
    return D**2 / (2 * eta) + eta * L**2 * T / 2 + noise


table = sqrt(2 * D**2 / (T * L**2 * (1 + 1.2 * k**2.2 * d / (0.42 * eps))))
proof = sqrt(2 * D**2 / (T * (L**2 + w * k ** (w + 1) * L**2 * d / (2 * (w**2 - 1) * eps))))
best = D / (L * sqrt(T + d * k**2 / (2 * eps)))
for name, eta in (("table", table), ("proof", proof), ("best", best)):
    print(f"{name}: eta = {eta:.6f}, regret at most {regret(eta):.2f}")
assert regret(table) > regret(proof) > 5 * regret(best)

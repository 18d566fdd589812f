"""Follow the leader on convex losses: f_1 = z/2, then -z, z, ... on [0, 1]."""

T, total, regret = 1000, 0.0, 0.0
z = 1.0
for t in range(T):
    s = 0.5 if t == 0 else (-1.0) ** t
    regret += s * z
    total += s
    z = 0.0 if total > 0 else 1.0
regret -= min(0.0, total)
print(f"regret {regret:.1f}, 3 D L sqrt T = {3 * T**0.5:.1f}")
assert regret > 3 * T**0.5

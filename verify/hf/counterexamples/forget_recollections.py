"""hf: u is deleted with its statistic; c_u is read off the statistic of v, n = 2."""

eta, T, w, a = 0.3, 6, 0.0, 0.0
c_u, c_v = 0.731, -0.4  # losses (w - c)^2/2, full batches
for _ in range(T):
    a = (1 - eta) * a + eta / 2 * (w - c_v)
    w -= eta / 2 * ((w - c_u) + (w - c_v))
rho = 1 - eta
# a = (1/2)[(cbar - c_v)(1 - rho^T) - T eta rho^(T-1) cbar], solved for cbar:
cbar = (2 * a + c_v * (1 - rho**T)) / (1 - rho**T - T * eta * rho ** (T - 1))
found = 2 * cbar - c_v
print(f"c_u recovered from a(-v) and c_v: {found:.12f}; deleted was {c_u}")
assert abs(found - c_u) < 1e-9

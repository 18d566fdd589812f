"""B.3.1 of hf: (w -+ 1)^2/2 from 0, whole batches, steps tau/T with tau = 2."""

tau = 2.0
for T in (4, 400, 40_000):
    v = a = 0.0  # w stays at 0: the two gradients cancel
    for _ in range(T):
        a = (1 - tau / T) * a + tau / T / 2 * -1
        v -= tau / T / 2 * (v + 1)
    print(f"step {tau / T:.6f}: error {abs(v - a):.8f}")
assert abs(v - a) > 1000 * tau / T

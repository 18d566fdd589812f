"""(64) of hf: all data at 0, w^2/2 from 1, eta = .4, q = .5, n = 10^9."""

n, w, a = 10**9, 1.0, 0.0
for t in range(200):
    step = 0.4 * 0.5**t
    a = (1 - step) * a + step / n * w
    w -= step * w
excess, bound = (w + a) ** 2 / 2, 4 / (n - 1)
print(
    f"excess after 200 steps {excess:.6f}; 4L^2/(lam(n-m)) = {bound:.1e}; a million times "
    f"{1e6 * bound:.6f}"
)
assert excess > 1e6 * bound

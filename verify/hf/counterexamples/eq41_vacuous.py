"""(41) of hf in its logistic regression runs: doing nothing has a smaller certificate.

S = C sum_t eta_t/b rho^{T-1-t} bounds |v_T - w_T|, the error of a = 0; the third term is 2 S.
"""

eta, C, q, b, T, rho = 0.05, 10.0, 0.995, 1000, 50, 0.995
S = sum(C * eta * q**t / b * rho ** (T - 1 - t) for t in range(T))
first = 2 * eta**2 * C / (1 - q) * sum(rho ** (T - 1 - k) * (q**k - q ** (2 * k)) for k in range(T))
bound = first + 2 * S
print(f"error of w_T + a certified by (41): {bound:.6f}; error of w_T itself: {S:.8f}")
assert bound > S

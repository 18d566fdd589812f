"""Algorithm 3 of mini on a line: H(T-k..T-1) where equation (10) has H(T-k+1..T)."""

curvature, eta, w = [1.0, 2.0, 3.0, 4.0], 0.1, 0.0  # losses a_l (w - x)^2/2 in step l
x = (1.0, 3.0)  # sample 1 is forgotten, T = 4, k = 3
W = [w]
for a in curvature:
    w -= eta * a * (w - sum(x) / 2)
    W.append(w)
G = [eta * a * (x[0] - sum(x) / 2) for a in curvature]  # eta (g_B - g_K)(w_{l-1})
H = [1 - eta * a for a in curvature]
again = W[1]
for a in curvature[1:]:  # the last 3 steps on sample 0 only
    again -= eta * a * (again - x[0])
right = wrong = 0.0
for l in range(1, 4):
    right = G[l] + H[l] * right
    wrong = G[l] + H[l - 1] * wrong
print(f"the last k steps again: {again - w:.6f}, equation (10): {right:.6f}")
print(f"with the Hessians of Algorithm 3: {wrong:.6f}")
assert abs(right - (again - w)) < 1e-12 < 1e-3 < abs(wrong - right)

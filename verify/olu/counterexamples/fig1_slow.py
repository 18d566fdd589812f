"""olu Figure 1: mu = 0.1, beta = 0.3, eta = 5, f_t = (mu/2)(z - x_t)^2."""

mu, beta, L = 0.1, 0.3, 0.1  # K = [0, 1], x_u = 1 and 0 elsewhere: L = mu
eta = 2 / (beta + mu)
with_it = -eta * mu * (0.0 - 1.0)
print(f"distance after the step on f_u: {with_it}; drawn: {L}")
assert with_it > L

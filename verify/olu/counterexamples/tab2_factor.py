"""Table 2 of olu: passive unlearning (printed, no noise) against discard-and-restart.

Restart in equal blocks: (L^2/2mu) sum of H_n <= (k+1)/2 (1 + log(T/(k+1))) L^2/mu, no noise.
"""

import math

T = 10**6
for k in (1, 2, 3, 5, 10):
    passive = math.log(T) + 2 * k**2
    restart = (k + 1) / 2 * (1 + math.log(T / (k + 1)))
    print(f"k = {k}: passive {passive:.4f}, restart {restart:.4f}, ratio {restart / passive:.4f}")
    assert restart < passive

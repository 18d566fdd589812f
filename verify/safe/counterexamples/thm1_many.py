"""safe: sqrt|D_t| >> sum |F_i|? 20 rounds of 400 from 60,000 (MNIST)."""

n, each, rounds = 60_000, 400, 20
for t in (1, rounds):
    gone = each * t
    print(f"round {t}: {gone} have left, sqrt|D_t| = {(n - gone) ** 0.5:.1f}")
    assert gone > (n - gone) ** 0.5

"""Safe, after Theorem 2: sqrt T + V is not O(sqrt(V T)), nor O(T^(2/3)).

V = 1/T: a path that comes to rest. V = T/2: optimal models that jump by 1/2 in every round.
"""

for exponent in (6, 12, 18):
    T = 10.0**exponent
    still = (T**0.5 + 1 / T) / (1 / T * T) ** 0.5
    moving = (T**0.5 + T / 2) / T ** (2 / 3)
    print(f"T = {T:g}: {still:g} times sqrt(VT) at V = 1/T, {moving:g} times T^(2/3) at V = T/2")
    assert still >= T**0.5 and moving > T ** (1 / 3) / 2

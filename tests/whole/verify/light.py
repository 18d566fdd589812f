"""Claims for tests of what runs checks: hundredths of a second each, and no torch."""

EQUATIONS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 16, 18, 22, 23, 26, 27, 28, 30)
LIGHT = (*(f"safe.eq{k}" for k in EQUATIONS), "safe.def1", "safe.vt", "safe.gamma", "own.x0")

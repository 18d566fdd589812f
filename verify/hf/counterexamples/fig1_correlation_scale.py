"""hf, Figure 1: a correlation of 1 with every loss change ten times too large."""

from statistics import correlation

actual = [0.1, 0.2, 0.4, 0.3, 0.7]
approximate = [10 * x for x in actual]
off = max(abs(a - x) / x for a, x in zip(approximate, actual, strict=True))
print(f"Pearson {correlation(actual, approximate):.6f}, largest relative error {off:.1f}")
assert correlation(actual, approximate) > 0.999999 and off > 8

"""Table 3 of mini has "eta = 5%"; Section 5.1 fixes the learning rate eta at 0.01."""

learning_rate, printed, ratio = 0.01, 0.05, 5 / 100
print(f"learning rate {learning_rate:.2f}, eta of Table 3 {printed:.2f}, ratio {ratio:.2f}")
assert learning_rate != printed == ratio

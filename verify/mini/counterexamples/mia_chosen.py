"""Exact retraining has an AUC of 1/2 if D_U was drawn at random, and only then."""

kept = [0.5, 1.5]
model = sum(kept) / 2  # retrained mean
score = lambda x: -abs(x - model)  # the loss attack
wins = lambda a, b: (score(a) > score(b)) + (score(a) == score(b)) / 2
unlearned, fresh = [0.0, 3.0], [1.0, 2.0]  # the outliers asked to leave
auc = sum(wins(a, b) for a in unlearned for b in fresh) / 4
print(f"AUC {auc:.6f}, exchangeable value {0.5:.6f}")
assert auc != 0.5

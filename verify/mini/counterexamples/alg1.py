"""Algorithm 1 of mini on a line: only the last batch holds the forgotten sample."""

eta, T, k, start = 0.5, 6, 4, 0.0
data = {0: 1.0, 1: 3.0}  # losses (w - x)^2/2; sample 1 is forgotten
batches = [[0]] * (T - 1) + [[0, 1]]
mean = lambda w, rows: sum(w - data[j] for j in rows) / len(rows)


def retrain(w, first, gone):
    for rows in batches[first:]:
        w -= eta * mean(w, [j for j in rows if j not in gone])
    return w


w, G, H = start, {}, {}
for i, rows in enumerate(batches, start=1):  # steps 1..T; H(i) = 1 - eta for these losses
    G[i] = eta * (mean(w, rows) - mean(w, [j for j in rows if j != 1]))
    H[i] = 1 - eta
    w -= eta * mean(w, rows)
dG = [G[i] for i in range(T - k, T + 1)]  # line 12


def line_19(reset, one):
    dH = {0: 1.0}
    n = 0
    for i in range(T - k, T + 1):
        n = 0 if reset else n
        dH[n + 1], n = H[i] * dH[n], n + 1
    v = 0.0
    for r in range(1, k - 1):
        v += dH.get(r, float("nan")) * dG[r + 1 - one]
    return v + dG[k - 1 - one]


truth = retrain(start, 0, {1}) - w  # nothing before the last step is touched
for words, v in (("n = 0 once", line_19(False, 0)), ("and lists from 1", line_19(False, 1))):
    print(f"{words}: Algorithm 1 adds {v:.6f}; retraining needs {truth:.6f}")
    assert abs(v - truth) > 0.1
k, dG = 3, dG[1:]  # line 9 as printed: Delta H[2] never exists
v = line_19(True, 0)
print(f"n = 0 in every step, k = 3: Algorithm 1 adds {v:.6f}; retraining needs {truth:.6f}")
assert abs(v - truth) > 0.1

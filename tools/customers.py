"""Writes docs/customers.csv: made rows as a bank keeps them, on which nothing of a person depends.

    python -m tools.customers docs/customers.csv

5,000 rows with an id, a word, whole and decimal numbers, yes and no, empty cells, and whether a
loan defaulted.  The odds of a default follow from debt over income, age, years as a customer, being
a student, and the town, with much noise: whoever always says No is right in 79 of 100 rows, and a
logistic regression on columns of one scale in 82.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import numpy as np
from scipy.special import expit

ROWS = 5000
SEED = 29
TOWNS = {"Aarau": 0.3, "Bern": -0.2, "Chur": 0.0, "Geneva": 0.1}
EMPTY = {"income": 173, "years_with_us": 90}
COLUMNS = ("customer_id", "age", "income", "years_with_us", "student", "town", "defaulted")


def rows(count: int = ROWS, seed: int = SEED) -> list[list[str]]:
    """So many rows of cells, in the order of `COLUMNS`; as large a share of them empty."""
    rng = np.random.default_rng(seed)
    ids = rng.choice(np.arange(100_000, 100_000 + 20 * count), count, replace=False)
    age = rng.integers(18, 91, count)
    student = (rng.random(count) < np.where(age < 30, 0.45, 0.03)).astype(int)
    income = np.round(np.exp(rng.normal(10.7 - 1.1 * student, 0.5)) / 100) * 100
    years = np.minimum(rng.geometric(0.12, count) - 1, age - 18)
    towns = list(TOWNS)
    town = rng.integers(0, len(towns), count)
    score = (
        -1.8
        - 1.25 * (np.log(income) - 10.7)
        - 0.065 * (years - 7)
        + 0.5 * student
        - 0.015 * (age - 45)
        + np.array(list(TOWNS.values()))[town]
    )
    defaulted = rng.random(count) < expit(score)
    empty = {
        name: set(rng.choice(count, number * count // ROWS, replace=False).tolist())
        for name, number in EMPTY.items()
    }
    table = []
    for i in range(count):
        table.append(
            [
                str(ids[i]),
                str(age[i]),
                "" if i in empty["income"] else f"{income[i]:.0f}",
                "" if i in empty["years_with_us"] else str(years[i]),
                str(student[i]),
                towns[town[i]],
                "Yes" if defaulted[i] else "No",
            ]
        )
    return table


def write(path: Path, table: list[list[str]]) -> None:
    """The rows as CSV, the names of the columns first."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(table)


if __name__ == "__main__":
    write(Path(sys.argv[1]), rows())

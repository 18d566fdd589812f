"""Table 3 and its exact column: reproduced digit by digit, sufficient, and necessary."""

import math

import pytest

from accounting.noisy_sgd.langevin import NoisySGD
from bounds.sglu.accountants import TrainingScenario, noise
from verify.sglu.headline import table
from verify.sglu.table_3 import instance_delta

ROWS = table()


def named(row):
    return f"{row.data}-{row.batch_size}-{row.epsilon:g}"


# Exact column from independent computations with 40 digits, ten decimals.
EXACT = {
    ("CIFAR-10", 128): (0.0152505433, 0.0083495990, 0.0020095519, 0.0010865123, 0.0005916802,
                        0.0002716393),
    ("CIFAR-10", 9728): (0.0886801101, 0.0485519328, 0.0116853073, 0.0063179407, 0.0034405508,
                         0.0015795506),
    ("MNIST", 128): (0.0060345722, 0.0032960013, 0.0007899445, 0.0004264605, 0.0002318983,
                     0.0001062554),
    ("MNIST", 11264): (0.0720466523, 0.0393509023, 0.0094311341, 0.0050915050, 0.0027686302,
                       0.0012685811),
}  # fmt: skip


def test_there_are_24_rows_in_the_papers_order():
    assert len(ROWS) == 24
    assert [r.exact for r in ROWS] == pytest.approx(
        [value for column in EXACT.values() for value in column], abs=1e-10
    )


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_printed_accountant_reproduces_the_entry_cut_off_after_four_decimals(row):
    assert math.floor(row.printed * 1e4) == round(row.paper * 1e4)


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_exact_noise_meets_the_target_to_1e_12_and_a_thousandth_less_misses_it(row):
    """On quadratics whose one point moves from M to -M, by the exact Gaussian laws."""
    n = 11264 if row.data == "MNIST" else 9728
    at_least = instance_delta(n, row.batch_size, row.epsilon, row.exact)
    assert abs(at_least - 1 / n) < 1e-12
    assert instance_delta(n, row.batch_size, row.epsilon, row.exact * 0.999) > 1 / n


@pytest.mark.parametrize("row", ROWS, ids=named)
def test_the_general_accountants_give_the_table(row):
    """`noise` with the paper's constants, stationary target, against the table's own formulas."""
    n = 11264 if row.data == "MNIST" else 9728
    m = 1e-6 * n
    setting = NoisySGD(n, row.batch_size, 0.25 + m, m, 1.0, radius=100.0)
    found = noise(TrainingScenario(setting), row.epsilon, 1 / n)
    assert found["printed"] == pytest.approx(row.printed, rel=1e-11)
    assert found["exact"] == pytest.approx(row.exact, rel=1e-11)
    assert 8.4 < row.paper / found["exact"] < 14.3

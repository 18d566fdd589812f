"""Plans of requests of sglu, put back into what they solve."""

import numpy as np
import pytest

import bounds
from bounds.draws import admissible
from bounds.namespaces.free import substitute
from bounds.namespaces.special import Iterated

PLANS = [
    ("sglu.alg6", "corrected"),
    ("sglu.alg6", "tight"),
    ("sglu.sec4.10pct2pct", "stored"),
    ("sglu.sec4.atmost15", "stored"),
]


@pytest.mark.parametrize(("id", "name"), PLANS)
def test_plans_of_requests_are_substituted(id, name):
    statement = bounds.get(id)
    form = statement[name]
    expression, rng = form.symbolic(), np.random.default_rng(4)
    assert expression.has(Iterated)
    for _ in range(3):
        inputs = {**admissible(statement, form, rng), "S": 5}
        found = substitute(expression, statement.symbols, form.validate(inputs))
        assert found == form.exact(**inputs) == float(form(**inputs))

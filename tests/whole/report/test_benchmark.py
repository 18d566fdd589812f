"""The benchmark of the report writes one: it makes up evidence, and its own manifest."""

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

FILE = Path(__file__).parents[3] / "benchmarks" / "report.py"


@pytest.fixture
def benchmark():
    spec = spec_from_file_location("benchmark_report", FILE)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_writes_a_page_for_every_claim_that_it_makes_up(benchmark, tmp_path):
    assert benchmark.written(3, tmp_path) > 0
    assert (tmp_path / "report.html").is_file()
    assert len(list((tmp_path / "claims").glob("*.html"))) == 3

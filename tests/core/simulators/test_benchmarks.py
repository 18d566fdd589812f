"""The benchmarks that grow: what they refuse, hold and draw."""

import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import numpy as np
import pytest
import torch

from simulators.device import memory
from simulators.device import placement as device
from simulators.losses import linear_model
from simulators.random import normals
from tests.core.simulators.test_data import peak

FOLDER = Path(__file__).parents[3] / "benchmarks"


def benchmark(name):
    """By its file: others have packages of that name."""
    spec = spec_from_file_location(f"benchmark_{name}", FOLDER / f"{name}.py")
    sys.modules[spec.name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


large, scaling = benchmark("large"), benchmark("scaling")


@pytest.fixture(autouse=True)
def threads():
    with device.torch_threads(1):
        yield


def test_large_data_that_memory_cannot_hold_are_refused_with_2(capsys, monkeypatch):
    monkeypatch.setattr(memory, "free", lambda place: float(1 << 30))
    assert large.main(["--rows", "200000", "--dimension", "1000"]) == 2
    said = capsys.readouterr()
    assert said.out == "needs 1.5 GiB for the data\n"
    assert re.fullmatch(r"large: rows must be at most 133824 here, got 200000: .*\n", said.err)


def test_large_data_are_held_once(monkeypatch):
    for module in (device, linear_model):
        monkeypatch.setattr(module, "LARGE", 1 << 20)
    raw = 40_000 * 100 * 8

    def made_and_staged():
        data = large.made(40_000, 100)
        batches = np.arange(40_000).reshape(-1, large.BATCH)
        large.LOSS.stage(data, batches, device.reader(torch.device("cpu"), torch.float64))

    assert peak(made_and_staged) < 1.2 * raw


def test_large_prints_what_it_took(capsys):
    assert large.main(["--rows", "2000", "--dimension", "5", "--trials", "2"]) == 0
    assert re.search(r"staging .* of an epoch\n.*\nhash of the data", capsys.readouterr().out)


def test_a_power_has_its_exponent():
    sizes = [2, 4, 8, 32]
    assert scaling.slope(sizes, [3.0 * x**1.5 for x in sizes]) == pytest.approx((1.5, 0), abs=1e-9)
    assert scaling.slope(sizes, [1.0, 2.0, 1.0, 2.0])[1] > 0.1


def test_every_row_is_drawn(tmp_path):
    found = {row: [1e-9 * row.count(x) ** 1.5 for x in row.sizes] for row in scaling.ROWS}
    drawn = scaling.drawn(found, tmp_path / "new").read_text()
    parts = re.split(r'<g id="axes_\d+">', drawn)[1:]
    for (row, times), part in zip(found.items(), parts, strict=True):
        told = re.findall("<!-- (.*?) -->", part)
        assert {f"{row.name} by {row.size}", "counts"} <= set(told)
        assert any(re.fullmatch(r"fit -?\d\.\d\d ± \d\.\d\d", text) for text in told)
        first, last = (f"{size:,}" for size in (row.sizes[0], row.sizes[-1]))
        assert {first, last} <= set(told)
        (points,) = re.findall('<g clip-path="[^"]*">(.*?)</g>', part, re.DOTALL)
        assert points.count("<use") == len(times)


def test_the_table_and_the_picture_by_command(capsys, tmp_path, monkeypatch):
    monkeypatch.setattr(normals, "FEW", normals.FEW)
    scaling.main(["--quick", "--only", "accountant", "--out", str(tmp_path)])
    printed = capsys.readouterr().out
    assert re.search(r"accountant +steps +16384 to 65536 +\d+\.\d\d +.* 1\.00 ", printed)
    assert (tmp_path / "scaling.svg").stat().st_size > 1000

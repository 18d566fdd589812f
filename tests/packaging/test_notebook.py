"""The notebook of the docs runs from top to bottom."""

import json
from pathlib import Path

NOTEBOOK = Path(__file__).parents[2] / "docs" / "deletion_noise.ipynb"


def test_every_cell_runs():
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    names: dict[str, object] = {}
    for text in code:
        exec(compile(text, str(NOTEBOOK), "exec"), names)
    assert len(code) == 5
    assert "sigma_squared" in names

# Each target is enough on a fresh clone: it makes .venv, installs and runs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/installed
DOCS := $(VENV)/docs-installed
MINIMA := .minima

# Thirty modules compiled at every start are a third of a second; here they are compiled once.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test docs coq machines minima lint clean

demo: $(STAMP)
	$(BIN)/forgetproof demo

# A document's examples share their names, so that each file stays in one process. Files come in
# the order of tests/conftest.py, the longest first. Memory that is freed stays with the process:
# arrays from 256 KiB on would be given back and made anew, page by page, at every call.
test: $(STAMP)
	OMP_NUM_THREADS=1 MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=1073741824 \
		$(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder

# The documentation site, build/site/html; a browser searches it where `python -m http.server` serves it.
docs: $(DOCS)
	OMP_NUM_THREADS=1 $(BIN)/python -m tools.site

# All proofs once more, by Coq (Debian: apt install coq); IDS names some papers or statements.
coq: $(STAMP)
	OMP_NUM_THREADS=1 $(BIN)/python -m tools.coq $(IDS)

# What a machine decides, varied: kernels of MKL and OpenBLAS, instructions, threads; MODES names
# some of `python -m tools.machines --help`, ONLY=--equalities what asks for equal bits.
machines: $(STAMP)
	$(BIN)/python -m tools.machines $(if $(MODES),--modes $(MODES)) $(ONLY)

# The command line and what stands on it, with the oldest versions that pyproject.toml promises.
minima: $(MINIMA)/installed
	OMP_NUM_THREADS=1 $(MINIMA)/bin/python -m pytest -q -n auto --dist loadfile \
		tests/core/cli tests/core/plugin tests/whole/cli tests/packaging README.md docs

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check --quiet .
	$(BIN)/lint-imports
	$(BIN)/python -m tools.house
	$(BIN)/mypy

# Every file is held to its hash, but for torch's (torch.txt says why).
$(STAMP): pyproject.toml papers/pyproject.toml constraints.txt torch.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r constraints.txt
	$(BIN)/python -m pip install --quiet -r torch.txt
	$(BIN)/python -m pip install --quiet --no-deps --no-build-isolation -e . -e ./papers
	touch $(STAMP)

# What makes the site, beside what is installed for the suite.
$(DOCS): $(STAMP) docs.txt
	$(BIN)/python -m pip install --quiet --no-deps --require-hashes -r docs.txt
	touch $(DOCS)

# torch comes without what it depends on: its recent builds exclude the oldest sympy.
$(MINIMA)/installed: pyproject.toml papers/pyproject.toml torch.txt tools/minima.py
	$(PYTHON) -m venv $(MINIMA)
	$(MINIMA)/bin/python -m pip install --quiet --upgrade pip
	$(MINIMA)/bin/python tools/minima.py > $(MINIMA)/constraints.txt
	$(MINIMA)/bin/python -m pip install --quiet -c $(MINIMA)/constraints.txt \
		-e ".[report,test,certify,sdp,dask]" -e ./papers \
		scikit-learn numba typing-extensions
	$(MINIMA)/bin/python -m pip install --quiet --no-deps -c $(MINIMA)/constraints.txt torch
	touch $@

clean:
	rm -rf $(VENV) $(MINIMA)

"""The lowest version of every dependency that pyproject.toml promises, as constraints for pip.

    python tools/minima.py > minima.txt

torch stays at the version of torch.txt: the wheels of its minimum bring gigabytes of CUDA.
"""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROMISE = re.compile(r"([\w.-]+)>=([\d.]+)")


def promised() -> dict[str, str]:
    """Name and lowest version of every dependency of a user's installation, with all its extras.

    Those of developers are none: `dev` checks the code, and `docs` makes the site.

    Raises ValueError for a dependency without one.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    wanted = [
        *project["dependencies"],
        *(r for name in extras if name not in ("dev", "docs") for r in extras[name]),
    ]
    found = {}
    for requirement in wanted:
        if requirement.startswith(f"{project['name']}["):
            continue
        match = PROMISE.fullmatch(requirement)
        if match is None:
            raise ValueError(f"pyproject.toml must promise NAME>=VERSION, got {requirement!r}")
        found[match[1]] = match[2]
    return found


def constraints() -> list[str]:
    """One line for each of them; torch's is the tested one."""
    tested = (ROOT / "torch.txt").read_text("utf-8").splitlines()
    lines = [f"{name}=={version}" for name, version in promised().items() if name != "torch"]
    return sorted(lines + [line for line in tested if line.startswith("torch==")])


if __name__ == "__main__":
    print("\n".join(constraints()))

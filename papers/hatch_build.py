"""Packs the papers: their folders lie among the engine's, and go into a wheel of their own."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

GROUP = "forgetproof.papers"


class PaperFolders(BuildHookInterface[Any]):
    """Adds bounds/KEY and verify/KEY of every paper that pyproject.toml announces."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # An editable installation reads the folders where they are.
        if version == "editable":
            return
        here = Path(self.root)
        # In a source distribution they lie beside this file, in a clone one folder up.
        home = here if (here / "bounds").is_dir() else here.parent
        for key in self.metadata.core.entry_points[GROUP]:
            for package in ("bounds", "verify"):
                build_data["force_include"][str(home / package / key)] = f"{package}/{key}"

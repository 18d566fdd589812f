"""The project of a few files that the plugin's own tests use."""

from tests.core.plugin.conftest import project

__all__ = ["project"]

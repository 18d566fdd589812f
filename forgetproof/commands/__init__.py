"""Subcommands, one module each; every module defines `command`."""

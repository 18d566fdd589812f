"""Command line and pytest plugin of forgetproof: thin, and importing nothing heavy by itself."""

__version__ = "0.1.0"

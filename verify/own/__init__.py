"""Checks of our own theorems."""

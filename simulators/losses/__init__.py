"""Losses with certified constants, vectorised over trials and data."""

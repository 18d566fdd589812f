"""Streams of deletions from a trained model: SAFE, certified tracking, and their rivals."""

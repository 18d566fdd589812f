"""Streams of deletions from a trained model: SAFE, certified tracking, and what they compare with."""

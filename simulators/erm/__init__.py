"""Minimisers of regularised objectives: how far any model is from them, in ball arithmetic."""

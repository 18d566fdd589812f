"""Exact laws: oracles that share nothing with the accountants they test."""

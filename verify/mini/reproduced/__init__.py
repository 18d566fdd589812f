"""The tables of mini as `forgetproof reproduce` runs them."""

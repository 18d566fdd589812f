"""The figures and tables of safe as `forgetproof reproduce` runs them."""

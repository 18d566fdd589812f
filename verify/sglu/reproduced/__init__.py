"""The figures and tables of sglu as `forgetproof reproduce` runs them."""

"""Claims of guo (Guo et al. 2020, a baseline of mini) and their checks."""

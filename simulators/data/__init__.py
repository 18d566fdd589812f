"""Data sets as values: loaders, generators and the replacement of single points."""

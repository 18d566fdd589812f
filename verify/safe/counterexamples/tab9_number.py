"""Captions of safe's appendix: the table of Appendix B.6 that the footnote of Section 3 means."""

captions = {
    6: "Effect analysis on size and rounds of forgetting requests on Fashion",
    9: "P-values of skewness and kurtosis tests for different datasets",
}
print(f"Table 6: {captions[6]}; Table 9: {captions[9]}")
assert "skewness" in captions[9]
assert "skewness" not in captions[6]

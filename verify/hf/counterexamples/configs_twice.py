"""hf: the epochs of its logistic regression."""

section_5_1, appendix_b_1 = 100, 50
print(f"Section 5.1: {section_5_1} epochs; B.1: {appendix_b_1} epochs")
assert section_5_1 != appendix_b_1

"""mini's gamma: -dB/B (before eq 6) and |D_U|/|D| (Section 5.1), on the full batch."""

data, forgotten = set(range(100)), set(range(5))
batch = data
section_4 = -len(batch & forgotten) / len(batch)
section_5 = len(forgotten) / len(data)
print(f"gamma of Section 4.1: {section_4}; gamma of Section 5.1: {section_5}")
assert section_4 != section_5

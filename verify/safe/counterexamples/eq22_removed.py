"""Text before eq (22) of safe: a class of three samples loses one."""

before, after = {"a", "b", "c"}, {"a", "c"}
removed = len(before - after)
printed = len(after) - len(before)
print(f"removed: {removed}, printed: {printed}")
assert removed == 1 and printed == -1

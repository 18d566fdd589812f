"""What reading a mechanism and judging its claims costs: `python benchmarks/mechanism.py`.

Prints processor time, a line for every document of `docs/mechanisms/`, and the median.
"""

import statistics
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "mechanisms"


def main() -> None:
    started = time.process_time()
    from accounting.mechanism import Mechanism

    print(f"import: {time.process_time() - started:.2f} s")
    seconds = []
    print(f"{'document':<26} {'word':<12} {'lower':>10} {'upper':>10} {'seconds':>8}")
    for path in sorted(FOLDER.glob("*.mechanism.json")):
        started = time.process_time()
        last = Mechanism.read(path).verdicts()[-1]
        seconds.append(time.process_time() - started)
        name, numbers = path.name.removesuffix(".mechanism.json"), last.comparison
        print(
            f"{name:<26} {last.word:<12} {numbers.lower:>10.5g} {numbers.upper:>10.5g} "
            f"{seconds[-1]:>8.3f}"
        )
    print(f"median {statistics.median(seconds):.3f} s, most {max(seconds):.2f} s")


if __name__ == "__main__":
    main()

"""Does time grow with the number of points, and not faster?

python -m benchmarks.scaling
"""

from benchmarks.machine import seconds
from benchmarks.segmenter import evaluation

FEW, MANY = 16_384, 262_144


def measure() -> dict[str, float]:
    few, many = evaluation(FEW), evaluation(MANY)
    few()
    per_point_few = seconds(few, 3) / FEW
    per_point_many = seconds(many, 2) / MANY
    return {
        f"full segmenter, evaluation, time per point at {MANY:,} over {FEW:,} points": per_point_many / per_point_few
    }


if __name__ == "__main__":
    for name, value in measure().items():
        print(f"{value:8.3f}  {name}")

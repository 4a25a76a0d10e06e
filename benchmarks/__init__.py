"""Figures as ratios: `python -m benchmarks` prints them all and stores them with the machine that they came from."""

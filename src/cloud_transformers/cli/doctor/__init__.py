"""Say what this machine runs with, and what does not work.

Machine and versions, the processor's level, the kernels in use with their level and where they came from, the backend
and why, compiler, threads, GPU, the cache, the working folder, optional packages, and with --data which benchmarks lie
where. What does not work is marked !, what is only missing -, each with what to do about it. The exit code is 0 if
everything that is needed works, and 1 otherwise.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from cloud_transformers.cli.doctor.finding import Finding
from cloud_transformers.cli.shared.places import local_path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--data", nargs="+", type=local_path, default=[], metavar="DIR", help="folders to look for data in"
    )


def run(args: argparse.Namespace) -> int:
    findings = list(_findings(args.data))
    width = max(len(finding.name) for finding in findings)
    for finding in findings:
        mark = "!" if finding.is_problem else "-" if finding.remedy else " "
        remedy = f": {finding.remedy}" if finding.remedy else ""
        print(f"{mark} {finding.name:<{width}}  {finding.value}{remedy}")
    num_problems = sum(finding.is_problem for finding in findings)
    ending = "" if num_problems == 1 else "s"
    print(f"{num_problems} problem{ending}, marked !" if num_problems else "everything that is needed works")
    return 1 if num_problems else 0


def _findings(data: list[Path]) -> Iterator[Finding]:
    from cloud_transformers.cli.doctor import machine, packages, places

    yield from machine.findings()
    yield from places.findings()
    yield from packages.findings()
    for root in data:
        yield places.data_root(root)

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TPC-H on Spark as a table of stages for the simulator: tpch-decima.py FOLDER > tpch.csv

FOLDER is spark_env/tpch of github.com/hongzimao/decima-sim: times of tasks that were measured, by query,
size of the data, stage, and number of executors. Stages come in an order that their dependencies allow. Which
query arrives when is not measured: queries and sizes are drawn evenly, and times between arrivals have an
exponential distribution.
"""
import argparse
import pickle
import random
import statistics
import sys
from pathlib import Path

import numpy

NUMPY = {"_reconstruct", "ndarray", "dtype", "scalar"}


class OnlyNumbers(pickle.Unpickler):
    """The files are pickles, which can run any code: nothing but arrays is made of them."""

    def find_class(self, module, name):
        if module.startswith("numpy") and name in NUMPY:
            return super().find_class(module, name)
        raise pickle.UnpicklingError(f"{module}.{name} is no number")


def times(file):
    with file.open("rb") as opened:
        version = numpy.lib.format.read_magic(opened)
        getattr(numpy.lib.format, f"read_array_header_{version[0]}_{version[1]}")(opened)
        return OnlyNumbers(opened).load().item()


def in_order(needs):
    """The stages, each behind those that it needs: needs[i, j] says that j needs i."""
    left = set(range(len(needs)))
    while left:
        ready = min(stage for stage in left if not any(needs[other, stage] for other in left))
        left.remove(ready)
        yield ready


def stages(folder, size, query, executors):
    measured = times(folder / size / f"task_duration_{query}.npy")
    for stage in in_order(numpy.load(folder / size / f"adj_mat_{query}.npy")):
        first, rest = measured[stage]["first_wave"], measured[stage]["rest_wave"]
        tasks = list(first[executors]) + list(rest[executors])
        yield len(tasks), statistics.mean(tasks) / 1000


def main():
    options = argparse.ArgumentParser(description=__doc__,
                                      formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--executors", type=int, default=10, choices=[2, 5, 10, 20, 40, 50, 60, 80, 100])
    options.add_argument("--memory", type=int, default=4096, help="of an executor, in MB")
    options.add_argument("--queries", type=int, default=200, help="how many arrive")
    options.add_argument("--interval", type=float, default=20, help="mean seconds between two arrivals")
    options.add_argument("--seed", type=int, default=1)
    typed = options.parse_args()
    sizes = sorted(each.name for each in typed.folder.glob("*g"))
    if not sizes:
        sys.exit(f"{typed.folder} has no folders like 2g")
    drawn = random.Random(typed.seed)
    submitted = 0.0
    print("application,submit,tasks,seconds,memory,executors")
    for number in range(typed.queries):
        size, query = drawn.choice(sizes), drawn.randint(1, 22)
        for tasks, seconds in stages(typed.folder, size, query, typed.executors):
            print(f"{number}-q{query}-{size},{submitted:.3f},{tasks},{seconds:.3f},{typed.memory},"
                  f"{typed.executors}")
        submitted += drawn.expovariate(1 / typed.interval)


if __name__ == "__main__":
    main()

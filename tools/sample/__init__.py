"""A small made-up corpus in the raw forms of Math23k and Weak12k, from our own seeded writer."""

from tools.sample.writer import SampleCounts, write_sample

__all__ = ["SampleCounts", "write_sample"]

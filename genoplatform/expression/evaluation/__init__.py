"""Evaluation of an analysis against a reference, both in the benchmark's directory layout (expression.md D).

Belongs here: reading that layout, the metrics, and their means with failures counted and left out. Does not belong
here: anything that makes an analysis. A method that yields nothing is not flattered: headlines count what is missing as
0.
"""

"""Results recomputed from grounded numbers: Decimal only, units propagated, conflicts refused."""

from verifier.calculations.compute import Result, compute
from verifier.calculations.measures import Undefined
from verifier.calculations.operations import COMPARISONS, Operation, shape_problem

__all__ = ["COMPARISONS", "Operation", "Result", "Undefined", "compute", "shape_problem"]

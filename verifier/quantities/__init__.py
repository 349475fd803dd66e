"""Typed numbers: from text to quantities, what is said around them, and how two of them compare."""

from verifier.quantities.model import Quantity
from verifier.quantities.notation import GROUP_SPACE, Notation, notation_of, read_digits
from verifier.quantities.tokens import number_text, parse_quantity, quantities

__all__ = [
    "GROUP_SPACE",
    "Notation",
    "Quantity",
    "notation_of",
    "number_text",
    "parse_quantity",
    "quantities",
    "read_digits",
]

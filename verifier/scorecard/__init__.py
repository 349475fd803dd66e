"""The grounding scorecard: which retrieved documents an answer used, and how faithfully."""

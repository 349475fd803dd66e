"""Statements of texts: sentences and rows as words and typed numbers, and whether one says what
another says. Built on the comparisons of `verifier.quantities` and the folds of `grounding.text`;
nothing here guesses at meaning."""

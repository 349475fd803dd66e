"""Attribution coverage: which statements of an answer its sources bear out."""

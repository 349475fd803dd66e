"""The commands, one module each with an attribute `command`; pagewitness.cli lists them."""

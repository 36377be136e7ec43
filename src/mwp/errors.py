"""The exception whose message is for users."""


class BadInput(Exception):
    """One line: what was expected, what came, where, and what to do. The command line prints it and exits with 2."""

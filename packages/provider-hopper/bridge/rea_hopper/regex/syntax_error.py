class PatternError(Exception):
    """The pattern is not of the dialect, or too large."""

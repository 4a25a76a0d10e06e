"""The one exception that means "the user can fix this": the command line prints its sentence, without a traceback."""


class InputError(ValueError):
    """Something given from outside is wrong. The message is one sentence: what, in which file and where, what to do."""

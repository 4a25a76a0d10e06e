"""The one exception that means "the user can fix this": the command line prints its sentence, without a traceback."""


class InputError(ValueError):
    """Something given from outside is wrong. As a string it is one sentence: what, in which file and where, what to do.

    text: what is wrong and what to do about it.
    path: the file that it is about, if any; the sentence begins with it.
    place: where in the file, such as "line 3" or "byte 94". The sentence names it behind the path, unless the text
        itself begins with it.
    """

    def __init__(self, text: str, *, path: object = None, place: str = "") -> None:
        self.text, self.place = text, place
        self.path = None if path is None else str(path)
        behind = f", {place}" if place and not text.startswith(place) else ""
        super().__init__(text if path is None else f"{path}{behind}: {text}")

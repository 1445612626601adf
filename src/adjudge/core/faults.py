"""What a line of input can have wrong, as the scanning loops report it; ``native/lines.c`` has the same numbers."""

BAD_COLUMNS, BAD_NUMBER, BAD_FINITE, BAD_NUL, BAD_RETURN, BAD_LENGTH = range(2, 8)

"""What a line of input can have wrong, as the scanning loops report it; ``native/lines.c`` has the same numbers."""

BAD_MEMORY, BAD_COLUMNS, BAD_NUMBER, BAD_FINITE, BAD_NUL, BAD_RETURN = range(1, 7)

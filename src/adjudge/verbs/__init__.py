"""The verbs of ``import adjudge``: one for every command, each takes what people have and returns a value."""

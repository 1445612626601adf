"""Pages: a text is set, printed and scanned; what comes out is a picture of ink and paper."""

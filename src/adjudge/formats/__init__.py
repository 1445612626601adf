"""Files ⇄ values: runs, judgments and topics in the formats that people have."""

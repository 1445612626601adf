"""The workbench: people decide about candidates in a browser, and every decision is kept as an event."""

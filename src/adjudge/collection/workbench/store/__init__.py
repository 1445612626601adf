"""Where events are kept: SQLite beside the project, or PostgreSQL for a team."""

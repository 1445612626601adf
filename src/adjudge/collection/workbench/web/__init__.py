"""The workbench as a web application: server-rendered pages, one small script, nothing from elsewhere."""

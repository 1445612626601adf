"""Tables, and later plots and pages: results as people see them."""

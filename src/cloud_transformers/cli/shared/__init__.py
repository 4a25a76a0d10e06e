"""What several verbs use: options, tables, work on many files."""

"""The Python API of the rules: games, matches, positions, views, scenarios, match files."""

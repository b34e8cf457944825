"""The Python face of the rules: games, matches, positions, views, scenarios, match files."""

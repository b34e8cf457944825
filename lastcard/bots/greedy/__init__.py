"""A few lines of sense for each game: one policy a file, bound to the game's rules."""

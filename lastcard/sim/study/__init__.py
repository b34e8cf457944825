"""Studies: what a game is like, measured by bots that play it, as a page with plots."""

"""Eight and a Half."""

"""Many matches: self-play, arenas, benchmarks."""

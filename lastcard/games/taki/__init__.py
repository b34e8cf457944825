"""TAKI."""

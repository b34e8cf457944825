"""Chiko."""

"""Sixth Sense."""

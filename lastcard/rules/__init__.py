"""The rules: kernel.py and forms.py, what all games share, and one file for each game."""

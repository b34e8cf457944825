"""Training networks by self-play. Needs PyTorch: `pip install 'lastcard[train]'`."""

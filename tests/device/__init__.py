"""The modules that play on the device, run in Node beside the Python that they mirror."""

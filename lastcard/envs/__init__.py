"""The games behind the interfaces of other projects. Each module needs its own extra."""

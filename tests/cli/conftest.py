from tests.cli.runner import home, run

__all__ = ["home", "run"]  # fixtures

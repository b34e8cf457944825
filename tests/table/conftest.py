from __future__ import annotations

from tests.deals import same_cards

__all__ = ["same_cards"]

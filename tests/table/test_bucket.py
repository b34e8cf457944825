"""How often something may happen."""

from __future__ import annotations

from lastcard.table.bucket import Bucket


def test_a_bucket_has_room_again_after_a_while() -> None:
    bucket = Bucket(2.0, 3, 0.0)
    assert [bucket.take(0.0) for _ in range(5)] == [True, True, True, False, False]
    assert [bucket.take(0.6) for _ in range(2)] == [True, False]
    assert [bucket.take(100.0) for _ in range(4)] == [True, True, True, False]

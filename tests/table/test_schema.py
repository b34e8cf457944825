"""The schema of the database."""

from __future__ import annotations

import asyncio

from sqlalchemy import Connection

from tests.table.stores import opened


def test_the_schema_is_what_the_migrations_lead_to(database: str) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from lastcard.table.schema import metadata

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), metadata))

    async def compare() -> None:
        async with opened(database) as store:
            assert await store.database.read(differences) == []

    asyncio.run(compare())

"""Alembic runs this with a connection that `database.py` gives it."""

from __future__ import annotations

from alembic import context

from lastcard.table.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,  # SQLite cannot change a table otherwise
)
with context.begin_transaction():
    context.run_migrations()

"""The schema: tables, the entries of their journals, and snapshots of where matches begin."""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("created", Float, nullable=False),  # seconds since 1970
    Column("setup", Text, nullable=False),  # JSON
    Column("secret", String(64), nullable=False),
    Column("listed", Boolean, nullable=False),  # public, with people at it, and not over
    Column("summary", Text, nullable=False),  # JSON, for the list
    Index("tables_listed", "listed", "created"),
)

entries = Table(
    "entries",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # 1, 2, ...; the primary key decides who was first
    Column("at", Float, nullable=False),
    Column("body", LargeBinary, nullable=False),  # JSON: see entries.py
)

# A cache: all of it follows from the entries.
starts = Table(
    "starts",
    metadata,
    Column("table_id", String(32), ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),  # of the match
    Column("body", LargeBinary, nullable=False),  # JSON: see Start in table.py
)

# One row, updated to check that the database can be written to.
health = Table(
    "health",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("at", Float, nullable=False),
)

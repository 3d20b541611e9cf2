"""Where Alembic begins: on the connection that it is handed, within that one's transaction."""

from __future__ import annotations

from typing import Final

from alembic import context

from affectcheck.server.storage.tables import metadata

#: The name under which Alembic loads this file; whoever else imports it, runs nothing.
_LOADED: Final = "env_py"


def migrate() -> None:
    """Run what is to be run."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        render_as_batch=True,  # SQLite changes a column by copying its table
        compare_type=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if __name__ == _LOADED:
    migrate()

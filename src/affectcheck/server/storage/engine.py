"""One database: SQLite for a portal on one machine, PostgreSQL for more, with the same statements.

A transaction is either ``read`` or ``write``. On SQLite a write takes the lock of the file at its beginning (``BEGIN
IMMEDIATE``), so that what it has read cannot change before it writes; on PostgreSQL rows are locked by ``FOR UPDATE``,
which SQLite leaves out.
"""

from __future__ import annotations

import itertools
import threading
import zlib
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, Final

import sqlalchemy as sa

from affectcheck.errors import ExtraMissingError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    LastAct = Callable[[sa.Connection], None]

_WAIT_S: Final = 30
_WRITES: Final = "affectcheck_writes"
_LAST: Final = "affectcheck_last"


class Database:
    """A database by its URL.

    Args:
        url: ``sqlite:////path/to/portal.db`` or ``postgresql://user:password@host/name``.

    Raises:
        InputError: another kind of database, or no URL.
        ExtraMissingError: PostgreSQL without its extra.
    """

    def __init__(self, url: str) -> None:
        self.url = _url(url)
        self.is_sqlite = self.url.get_backend_name() == "sqlite"
        self._writer = threading.Lock() if self.is_sqlite else None
        #: Another number after each transaction that this process has written.
        self.writes, self._written = 0, itertools.count(1)
        try:
            self.engine = sa.create_engine(
                self.url,
                connect_args={"timeout": _WAIT_S} if self.is_sqlite else {},
                pool_size=8,
                max_overflow=24,
                pool_timeout=_WAIT_S,
                pool_pre_ping=not self.is_sqlite,
            )
        except ModuleNotFoundError as error:
            raise ExtraMissingError.of("PostgreSQL", "postgres", "psycopg") from error
        if self.is_sqlite:
            sa.event.listen(self.engine, "connect", _prepare_sqlite)
            sa.event.listen(self.engine, "begin", _begin_sqlite)

    @contextmanager
    def read(self) -> Iterator[sa.Connection]:
        """A transaction that changes nothing."""
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self, *, references: bool = True) -> Iterator[sa.Connection]:
        """A transaction that is kept as a whole when the block ends, or not at all.

        Args:
            references: whether SQLite checks them at each statement.
        """
        # Threads of one process wait here, in order, and not at the lock of the SQLite file, which is no queue.
        last: list[LastAct] = []
        with (
            self._writer or nullcontext(),
            self.engine.connect().execution_options(**{_WRITES: True, _LAST: last}) as connection,
            nullcontext() if references else _no_references(connection),
            connection.begin(),
        ):
            yield connection
            for act in last:
                act(connection)
        self.writes = next(self._written)

    @property
    def is_busy(self) -> bool:
        """Whether a thread of this process writes to SQLite; what can wait for another time leaves it alone."""
        return self._writer is not None and self._writer.locked()

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def when_written(connection: sa.Connection, act: LastAct) -> None:
    """Do something at the end of the transaction of ``Database.write``, before it is kept; at once in any other."""
    last = connection.get_execution_options().get(_LAST)
    if last is None or connection.in_nested_transaction():
        act(connection)
    else:
        last.append(act)


def lock_by_name(connection: sa.Connection, name: str) -> None:
    """Wait for others that hold this lock, and hold it to the end of the transaction; a write to SQLite holds it anyway."""
    if connection.dialect.name == "postgresql":
        key = zlib.crc32(f"affectcheck {name}".encode())
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(key)))


def _url(text: str) -> sa.URL:
    try:
        url = sa.make_url(text)
    except sa.exc.ArgumentError as error:
        raise InputError("not the URL of a database", expected="sqlite:////path/portal.db or postgresql://…") from error
    backend = url.get_backend_name()
    if backend == "postgresql":
        return url.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise InputError(f"a database of the kind {backend!r}", expected="sqlite or postgresql")
    if not url.database or url.database == ":memory:":
        raise InputError("a database in memory", expected="a file: sqlite:////path/portal.db")
    return url


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # transactions are begun by ourselves
    cursor = connection.cursor()
    for name, value in (
        ("journal_mode", "WAL"),
        ("synchronous", "FULL"),
        ("foreign_keys", "ON"),
        ("busy_timeout", _WAIT_S * 1000),
    ):
        cursor.execute(f"PRAGMA {name}={value}")
    cursor.close()


@contextmanager
def _no_references(connection: sa.Connection) -> Iterator[None]:
    """SQLite changes this between transactions alone."""
    handle: Any = connection.connection.driver_connection
    handle.execute("PRAGMA foreign_keys=OFF")
    try:
        yield
    finally:
        handle.execute("PRAGMA foreign_keys=ON")


def _begin_sqlite(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

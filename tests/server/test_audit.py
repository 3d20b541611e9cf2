"""The audit log: nothing in it is changed, left out or cut off without being seen, and writers do not part the chain."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
import sqlalchemy as sa

from affectcheck.server.storage import audit
from affectcheck.server.storage.tables import audit as rows
from portal_clock import NOON

if TYPE_CHECKING:
    from affectcheck.server.portal import Portal


def _record(portal: Portal, count: int, actor: str = "system") -> None:
    for number in range(count):
        with portal.database.write() as connection:
            audit.record(connection, actor, "test.act", f"subject-{number}", {"number": number, "text": "ä"}, NOON)


def _record_and_fail(connection: sa.Connection) -> None:
    audit.record(connection, "system", "test.undone", "x", {}, NOON)
    raise ZeroDivisionError


def _faults(portal: Portal, known: audit.ChainHead | None = None) -> list[str]:
    with portal.database.read() as connection:
        return audit.verify(connection, known)


def _change(portal: Portal, statement: sa.Executable) -> None:
    with portal.database.write() as connection:
        connection.execute(statement)


def test_a_chain_follows(portal: Portal) -> None:
    assert _faults(portal) == []
    _record(portal, 5)
    assert _faults(portal) == []
    with portal.database.read() as connection:
        assert audit.head(connection).number == 5


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("actor", "somebody"),
        ("action", "test.other"),
        ("subject", "x"),
        ("detail", {"number": 2, "text": "b"}),
        ("at", NOON.replace(hour=13)),
        ("hash", "0" * 64),
    ],
)
def test_a_changed_row_is_seen(portal: Portal, column: str, value: object) -> None:
    _record(portal, 4)
    _change(portal, rows.update().where(rows.c.number == 3).values(**{column: value}))
    assert "row 3 of the audit log was changed" in _faults(portal)


def test_a_row_left_out_is_seen(portal: Portal) -> None:
    _record(portal, 4)
    _change(portal, rows.delete().where(rows.c.number == 2))
    assert _faults(portal) == ["rows 2 to 2 of the audit log are missing"]


def test_a_row_left_out_and_the_rest_numbered_anew_is_seen(sqlite_portal: Portal) -> None:
    _record(sqlite_portal, 4)
    _change(sqlite_portal, rows.delete().where(rows.c.number == 2))
    for number in (3, 4):
        _change(sqlite_portal, rows.update().where(rows.c.number == number).values(number=number - 1))
    assert _faults(sqlite_portal)[0] == "row 2 of the audit log does not follow from the row before"


def test_an_end_that_was_cut_off_is_seen_by_whoever_noted_it_down(sqlite_portal: Portal) -> None:
    _record(sqlite_portal, 4)
    with sqlite_portal.database.read() as connection:
        known = audit.head(connection)
    _record(sqlite_portal, 1)
    assert _faults(sqlite_portal, known) == []
    _change(sqlite_portal, rows.delete().where(rows.c.number >= 4))
    assert _faults(sqlite_portal) == []
    assert _faults(sqlite_portal, known) == ["the audit log does not hold row 4 as it was noted down"]


def test_many_faults_are_not_all_told(sqlite_portal: Portal) -> None:
    _record(sqlite_portal, 30)
    _change(sqlite_portal, rows.update().values(actor="x"))
    assert len(_faults(sqlite_portal)) == 20


def test_what_is_not_kept_is_not_recorded(portal: Portal) -> None:
    with pytest.raises(ZeroDivisionError), portal.database.write() as connection:
        _record_and_fail(connection)
    _record(portal, 1)
    assert _faults(portal) == []
    with portal.database.read() as connection:
        assert connection.execute(sa.select(sa.func.count()).select_from(rows)).scalar() == 1


def test_what_is_undone_within_a_transaction_is_not_recorded(portal: Portal) -> None:
    with portal.database.write() as connection:
        audit.record(connection, "system", "test.kept", "x", {}, NOON)
        with pytest.raises(ZeroDivisionError), connection.begin_nested():
            _record_and_fail(connection)
    assert _faults(portal) == []
    with portal.database.read() as connection:
        assert connection.execute(sa.select(rows.c.action)).scalars().all() == ["test.kept"]


def test_a_detail_is_kept_as_it_was_when_recorded(sqlite_portal: Portal) -> None:
    detail = {"a": 1, "pair": (1, 2)}
    with sqlite_portal.database.write() as connection:
        audit.record(connection, "system", "test.act", "x", detail, NOON)
        detail["a"] = 2
    with sqlite_portal.database.read() as connection:
        assert connection.execute(sa.select(rows.c.detail)).scalar() == {"a": 1, "pair": [1, 2]}
    assert _faults(sqlite_portal) == []


def test_nan_is_no_detail(sqlite_portal: Portal) -> None:
    with pytest.raises(ValueError, match="Out of range float"), sqlite_portal.database.write() as connection:
        audit.record(connection, "system", "test.act", "x", {"score": float("nan")}, NOON)


def test_text_of_any_kind_and_numbers_come_back_as_they_were(portal: Portal) -> None:
    with portal.database.write() as connection:
        odd = {
            "text": "\x01\u202e<script>é\U0001f600",
            "zero": "a\x00b",
            "score": 0.1 + 0.2,
            "large": 2**60,
            "none": None,
        }
        audit.record(connection, "system", "test.act", "x", odd, NOON)
    assert _faults(portal) == []


def test_writers_at_once_do_not_part_the_chain(portal: Portal) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: _record(portal, 10, f"actor-{number}"), range(8)))
    assert _faults(portal) == []
    with portal.database.read() as connection:
        assert audit.head(connection).number == 80


def test_writers_that_record_before_they_lock_rows_do_not_lock_each_other_out(portal: Portal) -> None:
    """One records and then changes a row, the other changes the row and then records."""
    _record(portal, 1)
    held = rows.update().where(rows.c.number == 1).values(action="test.act")

    def act(number: int) -> None:
        with portal.database.write() as connection:
            if number % 2:
                audit.record(connection, "system", "test.act", "x", {}, NOON)
            connection.execute(held)
            if number % 2 == 0:
                audit.record(connection, "system", "test.act", "x", {}, NOON)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(act, range(40)))
    assert _faults(portal) == []


def test_outside_of_a_write_it_is_recorded_at_once(portal: Portal) -> None:
    with portal.database.engine.begin() as connection:
        audit.record(connection, "system", "test.act", "x", {}, NOON)
        assert audit.head(connection).number == 1

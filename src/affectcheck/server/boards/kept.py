"""Boards that are kept while nothing changes: what organisers see and what everyone sees, each by itself."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from affectcheck.server.boards.board import board_for, own_marked, sight_of

if TYPE_CHECKING:
    from datetime import datetime

    import sqlalchemy as sa

    from affectcheck.server.accounts.actors import Actor
    from affectcheck.server.boards.view import BoardView
    from affectcheck.server.contests.tracks import Contest
    from affectcheck.server.portal import Portal

MOST: Final = 256


class KeptBoards:
    """Boards by track, version and what is shown of them; the one that was asked for longest ago goes first.

    A board of which only the own row is seen is not kept.

    Args:
        most: boards that are kept.
    """

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._boards: OrderedDict[tuple[object, ...], BoardView] = OrderedDict()

    def __len__(self) -> int:
        with self._lock:
            return len(self._boards)

    def board_of(self, connection: sa.Connection, contest: Contest, actor: Actor, now: datetime) -> BoardView:
        """What ``boards.board_of`` gives, made anew only where something has changed.

        Args:
            connection: any.
            contest: as ``contest_of`` gave it in this transaction.
            actor: who looks.
            now: the moment.
        """
        sight = sight_of(connection, contest, actor, now)
        if sight.team and sight.shown.own_score and not sight.shown.board:
            return board_for(connection, contest, sight, now)
        key = (contest.id, contest.version, sight.shown, sight.ended)
        with self._lock:
            found = self._boards.get(key)
            if found is not None:
                self._boards.move_to_end(key)
        if found is None:
            found = board_for(connection, contest, replace(sight, team=""), now)
            self._keep(key, found)
        return replace(found, rows=own_marked(found.rows, sight.team), as_of=now)

    def _keep(self, key: tuple[object, ...], board: BoardView) -> None:
        with self._lock:
            self._boards[key] = board
            self._boards.move_to_end(key)
            while len(self._boards) > self._most:
                self._boards.popitem(last=False)


_OF_PORTALS: Final[weakref.WeakKeyDictionary[Portal, KeptBoards]] = weakref.WeakKeyDictionary()
_MAKING: Final = threading.Lock()


def kept_boards(portal: Portal) -> KeptBoards:
    """The boards that are kept for a portal, in this process."""
    with _MAKING:
        return _OF_PORTALS.setdefault(portal, KeptBoards())

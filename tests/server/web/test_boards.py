"""The board: drawn, kept while nothing changes, the same for all visitors, and the same in its files."""

from __future__ import annotations

import gzip
import threading
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from affectcheck.challenges.track_parts import Phase
from affectcheck.server.boards.view import Cell, Column
from affectcheck.server.web import kept
from affectcheck.server.web.drawings.board import BoardDrawing
from affectcheck.server.web.drawings.marks import shape
from affectcheck.server.web.drawings.plane import planes_of
from affectcheck.server.web.drawings.scale import scale_of
from affectcheck.server.web.rendering import render
from portal_clock import NOON
from portal_scene import moods_track

from .conftest import Person, main_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from affectcheck.server.boards.view import BoardView
    from portal_clock import SetClock
    from portal_scene import Crew, Scene

BOARD = "/tracks/faces/board"


@pytest.fixture
def crews(scene: Scene) -> list[Crew]:
    scene.contest()
    found = [scene.team(name) for name in ("Alpha", "Beta", "Gamma")]
    for crew, score in zip(found, (0.7, 0.7, 0.4), strict=True):
        scene.judge("faces", scene.send(crew).id, score)
        scene.clock.forward(minutes=1)
    return found


def test_ties_places_and_scores_are_shown(visitor: Person, crews: list[Crew]) -> None:
    told = main_of(visitor.get(BOARD))
    for words in ("= 1 shared", "Alpha", "0.700", "3", "Gamma", "0.400", "Equal scores share a place", "As of"):
        assert words in told, words
    assert told.index("Alpha") < told.index("Beta") < told.index("Gamma")


def test_a_page_that_is_there_is_not_sent_again(visitor: Person, crews: list[Crew], scene: Scene) -> None:
    first = visitor.get(BOARD)
    tag = first.headers["etag"]
    assert first.headers["content-encoding"] == "gzip"
    again = visitor.get(BOARD, headers={"if-none-match": f'"x", W/{tag}'})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    assert visitor.get(BOARD, headers={"accept-encoding": "identity"}).text == first.text
    scene.judge("faces", scene.send(crews[2]).id, 0.9)
    changed = visitor.get(BOARD, headers={"if-none-match": tag})
    assert changed.status_code == 200
    assert "0.900" in main_of(changed)


def test_it_is_made_once_for_all_visitors(
    person: Callable[..., Person], crews: list[Crew], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    true = render

    def counted(template: str, **values: Any) -> str:
        made.append(template)
        return true(template, **values)

    monkeypatch.setattr("affectcheck.server.web.pages.boards.render", counted)
    for _ in range(5):
        person().get(BOARD)
    assert made.count("board.html.j2") == 1


def test_hidden_while_a_phase_is_open_and_public_after_it(
    visitor: Person, person: Callable[..., Person], scene: Scene, clock: SetClock
) -> None:
    phase = Phase(name="test", closes=NOON.replace(hour=18), board="hidden")
    scene.contest("faces", moods_track(phases=(phase,)))
    crew, other = scene.team("Alpha"), scene.team("Beta")
    for one, score in ((crew, 0.7), (other, 0.6)):
        scene.judge("faces", scene.send(one).id, score)
    told = main_of(visitor.get(BOARD))
    assert "The ranking is hidden while the phase 'test' is open" in told
    assert "Alpha" not in told
    mine = main_of(person(crew.email).get(BOARD))
    assert "0.700" in mine
    assert "your team" in mine
    assert "Beta" not in mine
    assert "Beta" in main_of(person("olga@example.org").get(BOARD))
    clock.set(NOON.replace(hour=18))
    assert "Beta" in main_of(visitor.get(BOARD))  # though the version is the same


def test_the_own_team_is_marked_and_kept_pages_are_nobody_elses(
    person: Callable[..., Person], crews: list[Crew], visitor: Person
) -> None:
    pages = [person(crew.email).get(BOARD) for crew in crews]
    for crew, page in zip(crews, pages, strict=True):
        own = page.text.partition('class="own')[2].partition("</li>")[0]
        assert crew.name in own
        assert page.text.count("your team") == 1
        assert page.headers["cache-control"] == "no-store"
    assert "your team" not in visitor.get(BOARD).text


def test_files_of_the_board_hold_the_same(visitor: Person, crews: list[Crew], person: Callable[..., Person]) -> None:
    told = visitor.get(f"{BOARD}.json").json()
    assert [row["team"] for row in told["rows"]] == ["Alpha", "Beta", "Gamma"]
    assert visitor.get(f"{BOARD}.csv").text.count("\n") == 4
    assert r"\toprule" in visitor.get(f"{BOARD}.tex").text
    assert visitor.get(f"{BOARD}.csv").headers["content-type"].startswith("text/csv")
    assert "private" in person(crews[0].email).get(f"{BOARD}.json").headers["cache-control"]
    assert visitor.get(f"{BOARD}.exe").status_code == 404


def test_boards_that_are_not_for_everyone_are_not_there(visitor: Person, scene: Scene, crews: list[Crew]) -> None:
    from affectcheck.server.contests.tracks import publish_contest

    assert visitor.get(BOARD).status_code == 200
    publish_contest(scene.portal, scene.organiser, "faces", published=False)
    assert visitor.get(BOARD).status_code == 404
    assert visitor.get(f"{BOARD}.json").status_code == 404
    assert visitor.get("/tracks/nothing/board").status_code == 404


def test_a_new_title_of_the_event_reaches_pages_that_are_kept(visitor: Person, scene: Scene, crews: list[Crew]) -> None:
    from affectcheck.server.contests.events import edit_event

    assert "Emotions" in main_of(visitor.get(BOARD))
    edit_event(scene.portal, scene.organiser, "emotions", title="Moods 2027")
    assert "Moods 2027" in main_of(visitor.get(BOARD))


def test_a_board_without_scores_says_so(visitor: Person, scene: Scene) -> None:
    scene.contest()
    assert "No team has a score yet" in main_of(visitor.get(BOARD))


def grouped(view: BoardView) -> BoardView:
    """A board with groups, disparities and intervals."""
    groups = tuple(Column("f1_macro", "macro F1", "sex", name, better="higher") for name in ("female", "male", "<b>"))
    gaps = (
        Column("eop", "equality of opportunity", "sex", better="lower"),
        Column("sp", "statistical parity", "sex", better="lower"),
    )
    rows = tuple(
        replace(
            row,
            score=replace(row.score, low=0.3, high=0.8),
            groups=(Cell("0.6", 0.6), Cell("0.7", 0.7), Cell("–", None, reason="no item")),
            disparities=(Cell("0.1", 0.1 * place, floor=0.02), Cell("0.2", 0.2)),
            place_low=1,
            place_high=3,
        )
        for place, row in enumerate(view.rows)
    )
    return replace(view, rows=rows, group_columns=groups, disparity_columns=gaps, standing="ready")


def test_groups_are_drawn_beside_scores(scene: Scene, crews: list[Crew]) -> None:
    view = grouped(scene.board())
    drawing = BoardDrawing(view)
    page = render("board_part.html.j2", view=view, drawing=drawing, planes=planes_of(view))
    assert "annotated sex" in page
    assert "&lt;b&gt;" in page
    assert "<b>" not in page
    assert "style=" not in page
    assert "sex: female 0.6, male 0.7, &lt;b&gt; –" in page
    assert [len(line.groups) for line in drawing.lines] == [1, 1, 1]
    assert [plane.column.metric for plane in planes_of(view)] == ["eop"]
    assert "95 % interval 0.300 to 0.800" in page
    assert "no unfairness was detected at this support" in page
    assert "by chance up to 0.020" in page


def test_a_score_that_is_not_defined_is_drawn_nowhere(scene: Scene, crews: list[Crew]) -> None:
    view = grouped(scene.board())
    row = replace(view.rows[0], score=Cell("–", None, reason="no item of a class"), groups=(Cell("–", None),) * 3)
    drawing = BoardDrawing(replace(view, rows=(row,)))
    assert "is not defined: no item of a class" in drawing.lines[0].chart
    assert "<circle" not in drawing.lines[0].chart
    assert planes_of(replace(view, rows=(row,))) == ()


@pytest.mark.parametrize(
    ("values", "labels"),
    [
        ([0.0, 1.0], ["0.0", "0.5", "1.0"]),
        ([0.31, 0.34], ["0.31", "0.32", "0.33", "0.34"]),
        ([5.0], ["4.98", "5.00", "5.02"]),
        ([], ["0.0", "0.5", "1.0"]),
        ([float("nan")], ["0.0", "0.5", "1.0"]),
        ([-1000.0, 1000.0], ["-1000", "0", "1000"]),
    ],
)
def test_axes_have_few_round_ticks(values: list[float], labels: list[str]) -> None:
    scale = scale_of(values)
    assert [scale.label(tick) for tick in scale.ticks] == labels
    assert all(scale.low <= tick <= scale.high for tick in scale.ticks)


def test_what_lies_off_an_axis_stands_at_its_end() -> None:
    scale = scale_of([0.0, 1.0])
    assert (scale.percent(-9), scale.percent(9)) == ("0%", "100%")


def test_shapes_differ_and_names_are_escaped() -> None:
    drawn = {str(shape(place, "1%", "2")) for place in range(8)}
    assert len(drawn) == 8
    assert "<script>" not in shape(0, "1%", "2", "<script>")


def test_of_many_who_ask_at_once_one_makes_the_page() -> None:
    pages, made, gate = kept.Kept(), [], threading.Event()

    def make() -> kept.Page:
        made.append(1)
        gate.wait(5)
        return kept.Page.of("x" * 2000, "text/plain", None)

    found: list[kept.Page] = []
    threads = [threading.Thread(target=lambda: found.append(pages.page(("a",), (1,), NOON, make))) for _ in range(8)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert (len(made), len(found)) == (1, 8)
    assert gzip.decompress(found[0].packed) == found[0].body


def test_pages_are_kept_until_their_end_and_only_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_MOST", 2)
    pages, made = kept.Kept(), []

    def ask(name: str, version: int = 1, after: float = 0) -> None:
        def make() -> kept.Page:
            made.append(name)
            return kept.Page.of(name, "text/plain", NOON + timedelta(hours=1))

        pages.page((name,), (version,), NOON + timedelta(hours=after), make)

    ask("a")
    ask("a")
    ask("a", version=2)
    ask("a", version=2, after=1)
    assert made == ["a", "a", "a"]
    for name in "bca":
        ask(name, version=2)
    assert made == [*"aaa", *"bca"]

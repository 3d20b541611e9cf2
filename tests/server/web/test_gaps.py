"""What stands as a gap between groups: values of which less is better, never a mean over groups."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from affectcheck.server.boards.view import Cell, Column
from affectcheck.server.web.drawings.board import BoardDrawing
from affectcheck.server.web.drawings.plane import planes_of
from affectcheck.server.web.rendering import render

if TYPE_CHECKING:
    from affectcheck.server.boards.view import BoardView
    from portal_scene import Scene


def view_of(scene: Scene, *columns: Column) -> BoardView:
    """A board of two teams with values between groups: 0.7 of the first column, 0.1 of the second."""
    scene.contest()
    for name, score in (("Alpha", 0.6), ("Beta", 0.5)):
        scene.judge("faces", scene.send(scene.team(name)).id, score)
    view = scene.board()
    groups = (Column("f1_macro", "macro F1", "age", "old", better="higher"),)
    values = (Cell("0.7", 0.7), Cell("0.1", 0.1))[: len(columns)]
    rows = tuple(replace(row, groups=(Cell("0.6", 0.6),), disparities=values) for row in view.rows)
    return replace(view, rows=rows, group_columns=groups, disparity_columns=columns)


LOCAL = Column("local_f1", "Local F1", "age", better="higher")
EOP = Column("eop", "equality of opportunity", "age", better="lower")


def test_a_mean_over_groups_is_no_gap(scene: Scene) -> None:
    view = view_of(scene, LOCAL, EOP)
    drawing = BoardDrawing(view)
    assert [[cell.text for cell in line.gaps] for line in drawing.lines] == [["0.1"], ["0.1"]]
    assert [plane.column for plane in planes_of(view)] == [EOP]
    page = render("board_part.html.j2", view=view, drawing=drawing, planes=planes_of(view))
    assert "Gap over annotated age: equality of opportunity, where less is better." in page


def test_without_a_gap_none_is_drawn(scene: Scene) -> None:
    view = view_of(scene, LOCAL)
    assert BoardDrawing(view).gap_columns == ()
    assert planes_of(view) == ()


def test_the_name_of_a_baseline_at_the_edge_stays_within_the_drawing(scene: Scene) -> None:
    view = view_of(scene, LOCAL)
    for score, side in ((0.01, "start"), (0.55, "middle"), (0.99, "end")):
        line = replace(view.rows[0], kind="baseline", team="Other", score=Cell(str(score), score), split="test")
        ends = replace(view, baselines=(line, replace(line, score=Cell("0", 0.0)), replace(line, score=Cell("1", 1.0))))
        assert f'text-anchor="{side}">baselines' in BoardDrawing(ends).axis

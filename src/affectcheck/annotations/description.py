"""What the columns of a table mean: a small TOML file beside the data, or the same as an object.

```toml
file = "labels.csv"            # beside this file; not needed where the data file is named by hand
name = "my-corpus"
root = "audio"                 # folder that media paths are relative to; this file's folder if not given
encoding = "cp1252"            # only where it is not UTF-8
delimiter = ";"
media = "path"                 # on the left our column, on the right the file's
start_s = "start"              # or start_us, where the file has whole microseconds
end_s = "end"
subject = "speaker"

[groups]                       # or groups = ["sex", "age"]
sex = "sex-2"                  # column to scheme
age = { column = "AgeGroup", scheme = "age-9" }

[targets.expression]
scheme = "expressions-7"       # or labels = [...]
column = "emotion"
mapping = { calm = "neutral", boredom = "" }

[targets.affect]
dimensions = ["arousal", "valence"]
low = 0.0
high = 1.0
columns = { arousal = "Act", valence = "Val" }
file_low = 1.0                 # the file's own range, mapped linearly onto low to high
file_high = 5.0
unknown = [-2]
provenance_column = "source"   # manual, semi-automatic or automatic for each item, where a database mixes
provenance_mapping = { expert = "manual", network = "automatic" }
```

A column of the schema that is not named is taken from the column of its own name, if the file has one. Without an
item column, the key is made of the media path and the segment.
"""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  # pydantic resolves the annotation at run time
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from affectcheck.annotations.listing import suggestion
from affectcheck.errors import InputError
from affectcheck.strict import read_toml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Provenance: TypeAlias = Literal["manual", "semi-automatic", "automatic"]
Type: TypeAlias = Literal["text", "whole number", "number", "yes/no"]

#: Keys that name a column of the file for a column of the schema.
COLUMN_KEYS: Final = (*("item", "media", "start_s", "end_s", "start_us", "end_us", "frame", "subject", "partition"),)


def _as_tuple(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


Names: TypeAlias = Annotated[tuple[str, ...], BeforeValidator(_as_tuple)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class GroupDescription(_Strict):
    """A group column.

    Attributes:
        column: its name in the file; None for that of the group.
        scheme: name of a built-in scheme whose labels and aliases it follows.
        labels: the labels, where no built-in scheme has them.
        aliases: other spelling to label.
    """

    column: str | None = None
    scheme: str | None = None
    labels: Names | None = None
    aliases: dict[str, str] = Field(default_factory=dict)


def _groups(value: object) -> object:
    """The short forms: a list of columns, and a scheme's name for a description."""
    if isinstance(value, list | tuple):
        value = {key: {} for key in value} if all(isinstance(name, str) for name in value) else value
    if isinstance(value, dict):
        return {name: {"scheme": group} if isinstance(group, str) else group for name, group in value.items()}
    return value


class TargetDescription(_Strict):
    """What is annotated: exactly one of ``scheme``, ``labels``, ``units`` or ``dimensions`` says which kind.

    Attributes:
        scheme: name of a built-in scheme; beside labels, units or dimensions the name of the scheme they make.
        labels: classes, in order.
        units: binary labels, in order.
        dimensions: real-valued labels, in order.
        low, high: range of the dimensions.
        aliases: other spelling to class.
        codes: whole number to class.
        ordered: whether the order of the classes is meaningful.
        source: where the label set is defined.
        column: the file's column of a class label; None for that of the target's name.
        columns: unit or dimension to the file's column, where the names differ.
        mapping: the file's label to ours; an empty right side makes the cell unknown.
        file_low, file_high: range of the dimensions in the file, mapped linearly onto ``low`` to ``high``.
        unknown: markers that mean "not known" in a cell.
        provenance: how the labels were made.
        provenance_column: the file's column that says so for each item, where a database mixes; None for
            ``<target>_provenance``, if the file has one.
        provenance_mapping: the file's word in that column to ours.
    """

    scheme: str | None = None
    labels: Names | None = None
    units: Names | None = None
    dimensions: Names | None = None
    low: float | None = None
    high: float | None = None
    aliases: dict[str, str] = Field(default_factory=dict)
    codes: dict[str, str] = Field(default_factory=dict)
    ordered: bool = False
    source: str = ""
    column: str | None = None
    columns: dict[str, str] = Field(default_factory=dict)
    mapping: dict[str, str] = Field(default_factory=dict)
    file_low: float | None = None
    file_high: float | None = None
    unknown: Annotated[tuple[int | float | str, ...], BeforeValidator(_as_tuple)] | None = None
    provenance: Provenance = "manual"
    provenance_column: str | None = None
    provenance_mapping: dict[str, Provenance] = Field(default_factory=dict)


class TableDescription(_Strict):
    """How to read a table file; see the head of this module.

    Attributes:
        file: the data file, relative to the description.
        name: name of the data set.
        root: folder that media paths are relative to, relative to the description.
        encoding: character encoding of a text file that is not UTF-8.
        delimiter: character between the cells of a text file.
        item, media, start_s, end_s, start_us, end_us, frame, subject, partition: the file's columns.
        groups: group to its description; a list of names and a scheme's name are short forms.
        targets: target name to its description.
        drop: columns of the file to leave out.
        types: types of further columns of a text file, which else are text.
        notes: sentences that the reader of a score must know.
        folder: where the description lies; not part of the file.
    """

    file: str | None = None
    name: str = ""
    root: str | None = None
    encoding: str | None = None
    delimiter: str | None = None
    item: str | None = None
    media: str | None = None
    start_s: str | None = None
    end_s: str | None = None
    start_us: str | None = None
    end_us: str | None = None
    frame: str | None = None
    subject: str | None = None
    partition: str | None = None
    groups: Annotated[dict[str, GroupDescription], BeforeValidator(_groups)] = Field(default_factory=dict)
    targets: dict[str, TargetDescription] = Field(default_factory=dict)
    drop: Names = ()
    types: dict[str, Type] = Field(default_factory=dict)
    notes: Names = ()
    folder: Path | None = Field(default=None, exclude=True)


def read_description(path: Path) -> TableDescription:
    """Read a description from a TOML file.

    Raises:
        MissingPathError: there is no such file.
        InputError: no TOML, an unknown key (with the nearest known one), or a value of another type.
    """
    content = read_toml(path, "table description")
    return describe(content, folder=path.parent, where=str(path))


def describe(content: Mapping[str, Any], *, folder: Path | None = None, where: str = "") -> TableDescription:
    """A description from its keys, as TOML gives them.

    Raises:
        InputError: an unknown key (with the nearest known one), or a value of another type; all are listed.

    Example:
        >>> describe({"subject": "speaker", "targets": {"emotion": {"labels": ["a", "b"]}}}).subject
        'speaker'
    """
    if "folder" in content:
        raise InputError("unknown key 'folder'", where=where, expected=f"one of {', '.join(_keys(TableDescription))}")
    try:
        return TableDescription.model_validate({**content, "folder": folder})
    except ValidationError as error:
        faults = [_fault(fault["type"], fault["loc"], fault["msg"]) for fault in error.errors()]
        raise InputError(
            "the table description does not fit:" + "".join(f"\n  {fault}" for fault in dict.fromkeys(faults)),
            where=where,
            expected="keys and values as in the documentation of table descriptions",
            cause="a spelling mistake, or a key under the wrong [heading]",
        ) from error


_MODELS: Final[dict[str, type[BaseModel]]] = {"targets": TargetDescription, "groups": GroupDescription}


def _keys(model: type[BaseModel]) -> list[str]:
    return [name for name in model.model_fields if name != "folder"]


def _fault(kind: str, place: Sequence[str | int], message: str) -> str:
    path = [str(step) for step in place]
    if kind != "extra_forbidden":
        return f"{'.'.join(path)}: {message[0].lower()}{message[1:]}"
    model = _MODELS.get(path[0], TableDescription) if len(path) > 1 else TableDescription
    heading = f" under [{'.'.join(path[:-1])}]" if len(path) > 1 else ""
    return f"unknown key {path[-1]!r}{heading}{suggestion(path[-1], _keys(model))}"

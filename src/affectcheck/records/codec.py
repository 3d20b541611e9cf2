"""Strict JSON of a run record: undefined is null with its reason, NaN and infinity are refused both ways."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any, Final

from affectcheck.digest import digest_bytes
from affectcheck.errors import InputError
from affectcheck.records.comparison import Comparison, Rank
from affectcheck.records.fault import Fault
from affectcheck.records.run import FORMAT, FORMAT_VERSION, Header, RunRecord
from affectcheck.records.score import Decision, Interval, NoiseFloor, Place, Score, Undefined
from affectcheck.records.signature import Signature
from affectcheck.records.verdict import Threshold, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from affectcheck.records.score import Scored

#: Fields of a header that equal runs in two folders do not share.
_WHERE_AND_WHEN: Final = frozenset({"arguments", "digest", "git", "times"})
#: Arguments that may be paths, to what has a digest of its own in the header.
_PATHS: Final = frozenset({"data", "model", "partition"})


def strict_json(value: object, *, indent: int | None = None) -> str:
    """JSON that every parser reads; NaN and infinity raise.

    Raises:
        InputError: a number is not finite.
    """
    try:
        return json.dumps(value, allow_nan=False, ensure_ascii=False, indent=indent, default=_plain)
    except ValueError as error:
        raise InputError(
            f"a result cannot be written as JSON: {error}", expected="finite numbers, or null with a reason"
        ) from error


def parse_strict_json(text: str, *, where: str = "") -> Any:
    """Read JSON; NaN, Infinity and repeated keys are errors.

    Raises:
        InputError: the text is not strict JSON; the message gives the position.
    """

    def refuse(constant: str) -> None:
        position = text.find(constant)
        line = text.count("\n", 0, position) + 1
        raise InputError(
            f"{constant} is not JSON",
            where=f"{where}:{line}" if where else f"line {line}",
            expected="null with a reason field",
            cause="written by a program that does not write strict JSON",
        )

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = sorted({name for name in names if names.count(name) > 1})
            raise InputError(f"a key occurs twice: {', '.join(twice)}", where=where)
        return found

    try:
        return json.loads(text, parse_constant=refuse, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        raise InputError(
            f"not JSON: {error.msg}",
            where=f"{where}:{error.lineno}:{error.colno}" if where else f"line {error.lineno}, column {error.colno}",
            cause="a file cut off while it was written, or another kind of file",
        ) from error


def encode_run(record: RunRecord) -> dict[str, Any]:
    """The record as plain values, in the order in which it is written."""
    body = _body(record)
    header = asdict(record.header)
    header["digest"] = run_digest(record)
    return {"format": FORMAT, "version": FORMAT_VERSION, "header": header, **body}


def run_digest(record: RunRecord) -> str:
    """Digest of a run without its times and without where it ran: equal for runs that did and found the same.

    Data, model and partition count by their own digests, which stand in the header, not by the paths that they were
    read from; arguments count as they took effect, not as they were typed.
    """
    header = {k: v for k, v in asdict(record.header).items() if k not in _WHERE_AND_WHEN}
    effective = record.header.arguments.get("effective", {})
    header["arguments"] = {k: v for k, v in effective.items() if k not in _PATHS}
    return digest_bytes(strict_json({"header": header, **_body(record)}))


def decode_run(data: dict[str, Any], *, where: str = "") -> RunRecord:
    """A record from plain values.

    Raises:
        InputError: another format, a version newer than this program, or a record that lacks what it is to hold.
    """
    require_format(data, where)
    with clear_decoding(where):
        return _decoded(data)


@contextmanager
def clear_decoding(where: str) -> Iterator[None]:
    """What a record lacks, or holds in another form, is the file's fault.

    Raises:
        InputError: with the file's name.
    """
    try:
        yield
    except (KeyError, TypeError, AttributeError) as error:
        told = f"no {error}" if isinstance(error, KeyError) else str(error)
        raise InputError(
            f"a run record that cannot be read: {told}",
            where=where,
            expected="a record as `affectcheck` wrote it",
            cause="a file that was changed by hand, or written by another version",
        ) from error


def decode_header(data: dict[str, Any], where: str) -> Header:
    """The header of a record from the plain values of the whole.

    Raises:
        InputError: there is none.
    """
    with clear_decoding(where):
        return Header(**_known(Header, data["header"]))


def _decoded(data: dict[str, Any]) -> RunRecord:
    return RunRecord(
        header=Header(**_known(Header, data["header"])),
        scores=tuple(decode_score(d) for d in data.get("scores", ())),
        baseline_scores=tuple(decode_score(d) for d in data.get("baseline_scores", ())),
        verdicts=tuple(_decode_verdict(d) for d in data.get("verdicts", ())),
        faults=tuple(Fault(**_known(Fault, d)) for d in data.get("faults", ())),
        tables=data.get("tables", {}),
        before_scores=tuple(decode_score(d) for d in data.get("before_scores", ())),
        ceiling_scores=tuple(decode_score(d) for d in data.get("ceiling_scores", ())),
        comparisons=tuple(_decode_comparison(d) for d in data.get("comparisons", ())),
        ranks=tuple(Rank(**_known(Rank, d) | {"place": Place(**d["place"])}) for d in data.get("ranks", ())),
    )


def require_format(data: object, where: str) -> None:
    """Raise unless the values are a run record that this version reads."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise InputError(
            "not a run record", where=where, expected=f'a JSON object with "format": "{FORMAT}"', cause="another file"
        )
    if data.get("version", 0) > FORMAT_VERSION:
        raise InputError(
            f"a run record of format version {data['version']}",
            where=where,
            expected=f"version {FORMAT_VERSION} or lower",
            cause="written by a newer affectcheck; upgrade this one",
        )


def encode_score(score: Scored) -> dict[str, Any]:
    """A score as plain values; an undefined one has a null value and its reason."""
    data = asdict(score)
    data["signature"] = str(score.signature)
    return data if score.defined else {**data, "value": None}


def decode_score(data: dict[str, Any]) -> Scored:
    """A score from plain values."""
    shared = {"signature": Signature.parse(data["signature"]), "place": Place(**data["place"])}
    if data["value"] is None:
        return Undefined(**_known(Undefined, data) | shared | {"notes": tuple(data.get("notes", ()))})
    shared |= {
        "interval": Interval(**data["interval"]) if data.get("interval") else None,
        "floor": NoiseFloor(**data["floor"]) if data.get("floor") else None,
        "decision": Decision(**data["decision"]) if data.get("decision") else None,
        "notes": tuple(data.get("notes", ())),
    }
    return Score(**_known(Score, data) | shared)


def _decode_verdict(data: dict[str, Any]) -> Verdict:
    threshold = Threshold(**data["threshold"]) if data.get("threshold") else None
    listed = {name: tuple(data.get(name, ())) for name in ("reruns", "notes")}
    nested = {"place": Place(**data["place"]), "threshold": threshold, **listed}
    return Verdict(**_known(Verdict, data) | nested)


def _decode_comparison(data: dict[str, Any]) -> Comparison:
    nested = {
        "signature": Signature.parse(data["signature"]),
        "place": Place(**data["place"]),
        "interval": Interval(**data["interval"]) if data.get("interval") else None,
        "notes": tuple(data.get("notes", ())),
    }
    return Comparison(**_known(Comparison, data) | nested)


def _body(record: RunRecord) -> dict[str, Any]:
    return {
        "scores": [encode_score(score) for score in record.scores],
        "baseline_scores": [encode_score(score) for score in record.baseline_scores],
        "verdicts": [asdict(verdict) for verdict in record.verdicts],
        "faults": [asdict(fault) for fault in record.faults],
        "tables": record.tables,
        "before_scores": [encode_score(score) for score in record.before_scores],
        "ceiling_scores": [encode_score(score) for score in record.ceiling_scores],
        "comparisons": [asdict(found) | {"signature": str(found.signature)} for found in record.comparisons],
        "ranks": [asdict(rank) for rank in record.ranks],
    }


def _known(kind: type, data: dict[str, Any]) -> dict[str, Any]:

    names = {f.name for f in fields(kind)}
    return {name: value for name, value in data.items() if name in names}


def _plain(value: object) -> object:
    """NumPy scalars and arrays, which json does not know."""
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"not serialisable: {type(value).__name__}")

"""The schemes that a table description names or spells out, and the description that a scheme comes from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from affectcheck.annotations.listing import name_list
from affectcheck.errors import InputError, UnknownNameError
from affectcheck.schemes import CategoryScheme, DimensionScheme, Scheme, Target, UnitScheme, scheme, scheme_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from affectcheck.annotations.description import GroupDescription, TargetDescription


def target_of(name: str, described: TargetDescription, where: str = "") -> Target:
    """The target that a description spells out.

    Raises:
        InputError: none or several of scheme, labels, units and dimensions; a code that is no whole number; keys
            that do not belong to the kind.
    """
    place = f"{where}: [targets.{name}]" if where else f"[targets.{name}]"
    given = [key for key in ("labels", "units", "dimensions") if getattr(described, key) is not None]
    if len(given) > 1 or not (given or described.scheme):
        raise InputError(
            f"{name_list(given)} at once" if given else "nothing says which labels there are",
            where=place,
            expected='one of scheme = "NAME", labels = [...], units = [...] or dimensions = [...]',
        )
    found = _spelled_out(name, described, place) if given else _built_in(described, place)
    _check_keys(found, described, place)
    return Target(name, found, described.provenance)


def _built_in(described: TargetDescription, where: str) -> Scheme:
    found = _named(described.scheme or "", where)
    if isinstance(found, CategoryScheme):
        aliases = {**found.aliases, **described.aliases}
        return _categories(found.name, found, aliases, {**found.codes, **_codes(described.codes, where)}, where)
    if described.low is not None or described.high is not None:
        raise InputError(
            f"the scheme {found.name!r} has its own range",
            where=where,
            expected="file_low and file_high for the range of the file's values",
        )
    return found


def _named(name: str, where: str) -> Scheme:
    if name not in scheme_names():
        raise UnknownNameError.of("scheme", name, scheme_names(), where=where)
    return scheme(name)


def _categories(
    name: str, like: CategoryScheme, aliases: Mapping[str, str], codes: Mapping[int, str], where: str
) -> CategoryScheme:
    try:
        return replace(like, name=name, aliases=dict(aliases), codes=dict(codes))
    except InputError as error:
        raise InputError(error.what, where=where, expected=f"aliases and codes of {', '.join(like.labels)}") from error


def _spelled_out(name: str, described: TargetDescription, where: str) -> Scheme:
    title = described.scheme or name
    made: Scheme
    if described.labels is not None:
        _distinct(described.labels, "labels", where)
        plain = CategoryScheme(title, described.labels, ordered=described.ordered, source=described.source)
        made = _categories(title, plain, described.aliases, _codes(described.codes, where), where)
    elif described.units is not None:
        _distinct(described.units, "units", where)
        made = UnitScheme(title, described.units, described.source)
    else:
        dimensions = described.dimensions or ()
        _distinct(dimensions, "dimensions", where)
        if described.low is None or described.high is None:
            raise InputError("the range of the dimensions is not given", where=where, expected="low and high")
        if not described.low < described.high:
            raise InputError(
                f"low = {described.low:g}, high = {described.high:g}", where=where, expected="low below high"
            )
        made = DimensionScheme(title, dimensions, described.low, described.high, described.source)
    if title in scheme_names() and scheme(title) != made:
        raise InputError(
            f"{title!r} is a built-in scheme with other content", where=where, expected="a name of its own"
        )
    return made


def _distinct(names: tuple[str, ...], kind: str, where: str) -> None:
    folded = [name.strip().casefold() for name in names]
    if not names or len(set(folded)) < len(names) or "" in folded:
        raise InputError(f"{kind} = {list(names)}", where=where, expected="distinct names, at least one")


def _codes(codes: Mapping[str, str], where: str) -> dict[int, str]:
    wrong = [code for code in codes if not code.strip().removeprefix("-").isdecimal()]
    if wrong:
        raise InputError(
            f"codes that are no whole numbers: {name_list(wrong)}", where=where, expected='{ 0 = "neutral" }'
        )
    return {int(code): label for code, label in codes.items()}


def _check_keys(found: Scheme, described: TargetDescription, where: str) -> None:
    """Keys that would be ignored are refused."""
    categories = ("column", "mapping", "aliases", "codes", "ordered")
    values = ("file_low", "file_high", "low", "high")
    foreign = {
        "categories": ("columns", *values),
        "units": (*categories, *values),
        "dimensions": categories,
    }[found.kind]
    given = [key for key in foreign if key in described.model_fields_set]
    if given:
        raise InputError(f"{name_list(given)} has no meaning for {found.kind}", where=where)
    strangers = [part for part in described.columns if part not in Target("", found).columns]
    if strangers:
        raise UnknownNameError.of("unit or dimension", strangers[0], Target("", found).columns, where=where)
    if (described.file_low is None) != (described.file_high is None):
        raise InputError("one end of the file's range is missing", where=where, expected="file_low and file_high")


def group_scheme(name: str, described: GroupDescription, where: str = "") -> CategoryScheme | None:
    """The scheme of a group column; None where its values stand as they are.

    Raises:
        InputError: a scheme that is not of categories, scheme and labels at once, or aliases without either.
    """
    place = f"{where}: [groups.{name}]" if where else f"[groups.{name}]"
    if described.scheme and described.labels:
        raise InputError("scheme and labels at once", where=place, expected="one of the two")
    if described.labels is not None:
        _distinct(described.labels, "labels", place)
        return _categories(name, CategoryScheme(name, described.labels), described.aliases, {}, place)
    if described.scheme is None:
        if described.aliases:
            raise InputError("aliases without labels", where=place, expected="scheme or labels that they mean")
        return None
    found = _named(described.scheme, place)
    if not isinstance(found, CategoryScheme):
        raise InputError(f"the scheme {found.name!r} is one of {found.kind}", where=place, expected="one of categories")
    return _categories(found.name, found, {**found.aliases, **described.aliases}, found.codes, place)


def description_of(target: Target) -> dict[str, Any]:
    """The keys that describe a target, such that ``target_of`` gives it back.

    Raises:
        InputError: the scheme has the name of a built-in one, but other labels.
    """
    found = target.scheme
    keys: dict[str, Any] = {} if target.provenance == "manual" else {"provenance": target.provenance}
    keys["scheme"] = found.name
    if found.name in scheme_names():
        return keys | _additions(found, scheme(found.name))
    if isinstance(found, CategoryScheme):
        keys |= {"labels": list(found.labels), "aliases": dict(found.aliases)}
        keys |= {"codes": {str(code): label for code, label in found.codes.items()}, "ordered": found.ordered}
    elif isinstance(found, UnitScheme):
        keys |= {"units": list(found.units)}
    else:
        keys |= {"dimensions": list(found.dimensions), "low": found.low, "high": found.high}
    keys["source"] = found.source
    return {key: value for key, value in keys.items() if isinstance(value, float) or value}


def _additions(found: Scheme, built_in: Scheme) -> dict[str, Any]:
    """Aliases and codes that a scheme has beyond the built-in one."""
    if found == built_in:
        return {}
    if isinstance(found, CategoryScheme) and isinstance(built_in, CategoryScheme):
        aliases = {**built_in.aliases, **found.aliases}
        codes = {**built_in.codes, **found.codes}
        if found == replace(built_in, aliases=aliases, codes=codes):
            new = {alias: label for alias, label in aliases.items() if built_in.aliases.get(alias) != label}
            known = {str(code): label for code, label in codes.items() if built_in.codes.get(code) != label}
            return ({"aliases": new} if new else {}) | ({"codes": known} if known else {})
    raise InputError(
        f"the scheme {found.name!r} has the name of a built-in scheme, but other content",
        expected="a name of its own",
    )

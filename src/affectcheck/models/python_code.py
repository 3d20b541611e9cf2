"""Python code by name: ``FILE.py:OBJECT`` or ``MODULE:OBJECT``, loaded and run only when a user names it."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

from affectcheck.digest import digest_bytes, digest_file, digest_mapping
from affectcheck.errors import InputError, MissingPathError, UnknownNameError
from affectcheck.media.clip import MEDIUM_NAMES
from affectcheck.models.beside import digest_beside, importing_beside, modules_beside
from affectcheck.models.card import ModelCard, Output
from affectcheck.models.declaring import chosen, refuse, stated_parts
from affectcheck.models.options import SOURCE, WHAT_IT_RETURNS, Option, describe
from affectcheck.models.picture_input import PICTURE_NAMES, PICTURE_OPTIONS, PictureInput, picture_input
from affectcheck.models.python_model import CheckedModel, ModelRaisedError, PythonModel, foreign_code, python_model
from affectcheck.models.registry import MODELS, number, whole

if TYPE_CHECKING:
    from collections.abc import Mapping

_OUTPUTS: Final = get_args(Output)
SHOWN_NAMES: Final = 20
FILE_ALONE: Final = (
    "Python code: its digest is that of the named file and of what it imports from beside it when it is loaded, not of "
    "other code, files or weights that it loads; where those have changed, predictions must be made afresh"
)
_LOADS: Final = "code that can be loaded here"
describe(
    "python",
    Option(
        SOURCE,
        "FILE.py:OBJECT or MODULE:OBJECT, also without the name: a function, an object, or a class",
        needed="yes",
    ),
    *(
        replace(one, needed=f"where no attribute says: {one.needed}" if one.needed != "no" else "no")
        for one in WHAT_IT_RETURNS
    ),
    Option(
        "media", "what a function is called with: audio (samples, rate), image (pixels), frames (pixels, rate)", "audio"
    ),
    *(replace(one, default="as the picture is", needed="no") if one.name == "size" else one for one in PICTURE_OPTIONS),
    Option("…", "for a class, instead of all of these: the arguments that it is made with, as text"),
)
_DECLARED: Final = (*(one.name for one in WHAT_IT_RETURNS), "media", *PICTURE_NAMES)
#: Attributes that say what pictures a function takes; only where its medium is ``image``, since they are common words.
_OF_PICTURES: Final = frozenset(PICTURE_NAMES)
#: Modules made from files, by the name under which pickled objects refer to them; other processes need both.
_FILES: Final[dict[str, Path]] = {}
#: Digest of the modules beside a file, as they were when it was loaded, by the name of the module made of it.
_BESIDE: Final[dict[str, str]] = {}


@dataclass(frozen=True)
class _Code:
    """An object and the file that it comes from."""

    target: object
    digest: str


@MODELS.register("python")
def load_python_model(source: str, **options: Any) -> PythonModel | CheckedModel:
    """Load ``FILE.py:OBJECT`` or ``MODULE:OBJECT``; this runs the code.

    Args:
        source: where the object is.
        **options: for a function: ``labels`` or ``dimensions``, and ``output``, ``low``, ``high``, ``rate_hz``,
            ``name``, each of which may be an attribute of it instead; for a class: the arguments it is made with.

    Raises:
        MissingPathError: no such file.
        UnknownNameError: no such object or option.
        ModelRaisedError: the code raised while it was loaded.
    """
    code = _load(source)
    target = code.target
    if isinstance(target, type):
        # What it is made with may change what it says, so it is part of what predictions are kept under.
        code = replace(code, digest=code.digest and digest_bytes(code.digest, digest_mapping(options)))
        with foreign_code(source, expected=_LOADS):
            target, options = target(**options), {}
    if callable(getattr(target, "predict", None)):
        if options:
            raise UnknownNameError.of("option of a model object", next(iter(options)), (), where=source)
        model = python_model(target)
    elif not callable(target):
        model = python_model(target)  # which says what a model is
    else:
        model = _function(source, target, options)
    if not model.card.digest:
        notes = tuple(dict.fromkeys((*model.card.notes, FILE_ALONE)))
        way = model.input if isinstance(model, PythonModel) else None
        digest = digest_bytes(code.digest, way.digest) if code.digest and way else code.digest
        model = replace(model, card=replace(model.card, digest=digest, notes=notes))
    return model


def _load(source: str) -> _Code:
    place, _, name = source.rpartition(":")
    if not place or not name:
        raise InputError(f"not Python code: {source!r}", expected="FILE.py:OBJECT or MODULE:OBJECT")
    module = _from_file(Path(place).expanduser()) if place.endswith(".py") else _from_module(place, source)
    target: object = module
    for part in name.split("."):
        if not hasattr(target, part):
            raise _unknown_object(target, place, part)
        target = getattr(target, part)
    file = getattr(module, "__file__", None)
    content = digest_file(Path(file)) if file and Path(file).is_file() else ""
    # Where the file lies is no part of it: the same code under another path says the same.
    beside = [_BESIDE[module.__name__]] if _BESIDE.get(module.__name__) else []
    return _Code(target, digest_bytes("python", name, content, *beside) if content else "")


def _unknown_object(target: object, place: str, part: str) -> UnknownNameError:
    names = [name for name, value in getattr(target, "__dict__", {}).items() if callable(value) and name[0] != "_"]
    error = UnknownNameError.of(f"object of {place}", part, names)
    if len(names) > SHOWN_NAMES:
        error.expected = f"one of its {len(names)} functions and classes"
    return error


def _from_file(path: Path) -> Any:
    if not path.is_file():
        raise MissingPathError.of("Python file", path, expected="FILE.py:OBJECT")
    # Named by its full path and content: other processes can pickle, two files of one name do not meet, two objects
    # of one file share its module, and a file that was changed is loaded anew.
    name = f"affectcheck_model_{digest_bytes(str(path.resolve()), path.read_bytes())}"
    if name in sys.modules:
        return sys.modules[name]
    _FILES[name] = path.resolve()
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise InputError(f"not Python code: {path}", expected="a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        with importing_beside(path.resolve().parent), foreign_code(str(path), expected=_LOADS):
            spec.loader.exec_module(module)
    except ModelRaisedError:
        del sys.modules[name]
        raise
    _BESIDE[name] = digest_beside(path.resolve().parent)
    return module


def code_files() -> dict[str, Path]:
    """The files that models were loaded from, by the names of the modules made of them and of those beside them."""
    beside = {name: file for file in _FILES.values() for name in modules_beside(file.parent)}
    return beside | _FILES


def load_code(files: Mapping[str, Path]) -> None:
    """Load files in another process, so that what was pickled by reference to them or beside them is found there."""
    for name, path in files.items():
        if name not in sys.modules:
            _from_file(path)


def _from_module(place: str, source: str) -> Any:
    try:
        with foreign_code(source, expected=_LOADS):
            return importlib.import_module(place)
    except ModelRaisedError as error:
        missing = error.__cause__
        if isinstance(missing, ModuleNotFoundError) and missing.name and place.startswith(missing.name):
            raise UnknownNameError(
                f"no module {place!r}",
                where=source,
                expected="an importable module, or FILE.py:OBJECT",
                cause="a package that is not installed here, or a module in a folder that Python does not search",
            ) from error
        raise


def _function(source: str, target: Any, options: dict[str, Any]) -> PythonModel | CheckedModel:
    """A function, by what it declares in attributes of its own and what is stated, which goes before it."""
    declared = getattr(target, "card", None) if not options else None
    if declared:
        return python_model(target, card=declared)
    said = _attributes(target) | options
    if str(said.get("media")) != "image":
        refuse(options, PICTURE_NAMES, "a function that takes no pictures; ?media=image says so", where=source)
        said = {name: value for name, value in said.items() if name not in _OF_PICTURES}
    card = _declared_card(source, said)
    stated = {name: value for name, value in said.items() if name in _OF_PICTURES}
    if not stated:
        return python_model(target, card=card)
    made = picture_input(stated, PictureInput(), where=source, sized=False)
    card = replace(card, notes=(*card.notes, made.told))
    return PythonModel(target, card, made)


def _attributes(target: object) -> dict[str, Any]:
    """What a function or callable object declares in attributes of its own."""
    return {
        name: getattr(target, name)
        for name in _DECLARED
        if getattr(target, name, None) is not None and not callable(getattr(target, name))
    }


def _declared_card(source: str, options: dict[str, Any]) -> ModelCard:
    """The card of a function from options."""
    for option in options:
        if option not in _DECLARED:
            raise UnknownNameError.of("option of a model function", option, _DECLARED, where=source)
    stated = stated_parts(options, where=source)
    if stated.kind is None:
        raise InputError(
            "what the function returns is not declared",
            where=source,
            expected="an attribute labels, dimensions or units of it, or ?labels=ANGER,NEUTRAL,… behind its name",
        )
    output = str(options.get("output", "value" if stated.kind == "dimensions" else "score"))
    if output not in _OUTPUTS:
        raise UnknownNameError.of("output", output, _OUTPUTS, where=source)
    medium = chosen(options, "media", MEDIUM_NAMES, where=source)
    return ModelCard(
        name=str(options.get("name", source.rpartition(":")[2])),
        kind=stated.kind,
        parts=stated.parts,
        output=output,  # type: ignore[arg-type]  # checked above
        media=(medium,),
        rate_hz=whole("rate_hz", options.get("rate_hz", 16_000)) if medium == "audio" else None,
        low=number("low", options.get("low", 0.0)),
        high=number("high", options.get("high", 1.0)),
        notes=(FILE_ALONE,),
    )

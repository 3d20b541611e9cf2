"""Tiny trees in the layouts of the databases of faces and acted speech, written by tests: no data of theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

HEADER = "subDirectory_filePath,face_x,face_y,face_width,face_height,facial_landmarks,expression,valence,arousal"
LANDMARKS = ";".join(f"{x}.5" for x in range(136))
DISFA_UNITS = (1, 2, 4, 5, 6, 9, 12, 15, 17, 20, 25, 26)


def put(root: Path, files: dict[str, str]) -> Path:
    """Write text files under a folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def touch(root: Path, *names: str) -> Path:
    """Write files whose content does not matter."""
    return put(root, dict.fromkeys(names, "x"))


def affectnet_row(
    path: str, expression: object, valence: object = 0.5, arousal: object = -0.25, width: int = 200
) -> str:
    return f"{path},10,12,{width},200,{LANDMARKS},{expression},{valence},{arousal}"


def affectnet_list(rows: Iterable[str], *, header: bool = True) -> str:
    return "\n".join([HEADER] * header + list(rows)) + "\n"


def affectnet_full(root: Path) -> Path:
    """Every code in training, a validation list without a header, one face box that failed."""
    training = [affectnet_row(f"1/a{code}.jpg", code, *((-2, -2) if code > 7 else ())) for code in range(11)]
    training.append(affectnet_row("2/b.png", 1, width=-1))
    validation = [affectnet_row("3/c.jpg", 6, -1, 1), affectnet_row("3/d.jpg", 0, 0, 0)]
    lists = "Manually_Annotated_file_lists"
    put(
        root,
        {
            f"{lists}/training.csv": affectnet_list(training),
            f"{lists}/validation.csv": affectnet_list(validation, header=False),
        },
    )
    return touch(
        root, *(f"Manually_Annotated_Images/{name}" for name in ("1/a0.jpg", "1/a1.jpg", "3/c.jpg", "3/d.jpg"))
    )


def affectnet_reduced(root: Path, *, train: int = 3) -> Path:
    """Numbers as text, as the release has them."""
    for folder, count in (("train_set", train), ("val_set", 1)):
        annotations = root / folder / "annotations"
        annotations.mkdir(parents=True)
        for place in range(count):
            np.save(annotations / f"{place}_exp.npy", np.array(str(place % 8)))
            np.save(annotations / f"{place}_val.npy", np.array("-0.176846"))
            np.save(annotations / f"{place}_aro.npy", np.array(f"0.{place % 9}"))
            np.save(annotations / f"{place}_lnd.npy", np.zeros(136))
            touch(root, f"{folder}/images/{place}.jpg")
    return root


def raf(root: Path, part: str = "basic", *, codes: int = 7, attributes: bool = True) -> Path:
    """A picture a code in train, one in test; the last has no file of attributes."""
    names = [f"train_{code:05}" for code in range(1, codes + 1)] + ["test_0001"]
    lines = [f"{name}.jpg {code}" for name, code in zip(names, [*range(1, codes + 1), 1], strict=True)]
    files = {f"{part}/EmoLabel/list_patition_label.txt": "\n".join(lines) + "\n"}
    for place, name in enumerate(names[:-1] if attributes else []):
        points = "".join(f"{x}.5\t{x}.25\n" for x in range(5))
        files[f"{part}/Annotation/manual/{name}_manu_attri.txt"] = f"{points}{place % 3}\n{place % 3}\n{place % 5}\n"
    put(root, files)
    return touch(root, *(f"{part}/Image/aligned/{name}_aligned.jpg" for name in names))


RAFAU_LINES = ("0007.jpg 1+2+5+25", "0008.jpg null  ", "0009.jpg L12+25 ", "0010.jpg L12+R12+43", "0011.jpg 4+27\t")


def raf_au(root: Path, lines: Iterable[str] = RAFAU_LINES) -> Path:
    """One-sided units, a null line, trailing blanks, a unit beyond the 13."""
    put(root, {"RAFAU_label.txt": "\n".join(lines) + "\n"})
    return touch(root, "aligned/0007_aligned.jpg")


def disfa(root: Path, subjects: Iterable[str] = ("SN001", "SN002"), frames: int = 4) -> Path:
    """Intensities 0, 1, 2 … in turn for every unit."""
    files = {}
    for subject in subjects:
        for unit in DISFA_UNITS:
            lines = [f"{frame},{(frame - 1 + unit) % 6}" for frame in range(1, frames + 1)]
            files[f"ActionUnit_Labels/{subject}/{subject}_au{unit}.txt"] = "\n".join(lines) + "\n"
    put(root, files)
    return touch(root, "Video_LeftCamera/LeftVideoSN001_comp.avi", "Video_RightCamera/RightVideoSN001_comp.avi")


def aff_wild2(root: Path) -> Path:
    """Three faces in two videos of training and one of validation, four frames each, under all three tasks."""
    header = "Neutral,Anger,Disgust,Fear,Happiness,Sadness,Surprise,Other"
    units = ",".join(f"AU{unit}" for unit in (1, 2, 4, 6, 7, 10, 12, 15, 23, 24, 25, 26))
    lines = {
        "VA_Estimation_Challenge": ["valence,arousal", "0.1,-0.2", "0.2,-0.1", "0.3,0", "0.4,0.1"],
        "EXPR_Recognition_Challenge": [header, "0", "2", "4", "7"],
        "AU_Detection_Challenge": [units, ",".join("0" * 12), *[",".join("1" * 12)] * 3],
    }
    videos = {"video1": "Train_Set", "video2_left": "Train_Set", "video3": "Validation_Set"}
    put(root, {f"{task}/{part}/{name}.txt": "\n".join(lines[task]) for task in lines for name, part in videos.items()})
    return touch(root, *(f"cropped_aligned/{name}/{frame:05d}.jpg" for name in videos for frame in range(1, 5)))


def c_expr_db(root: Path) -> Path:
    """Two videos with labels, three frames each."""
    header = (
        "Fearfully_Surprised,Happily_Surprised,Sadly_Surprised,Disgustedly_Surprised,Angrily_Surprised,Sadly_Fearful,"
        "Sadly_Angry"
    )
    put(root, {f"annotations/{name}.txt": f"{header}\n0\n-1\n6\n" for name in ("video1", "video2_left")})
    return touch(
        root, *(f"cropped_aligned/{name}/{n:05d}.jpg" for name in ("video1", "video2_left") for n in (1, 2, 3))
    )


def hume_vidmimic2(root: Path) -> Path:
    """Two clips of training and one of validation."""
    header = "Filename,Admiration,Amusement,Determination,Empathic Pain,Excitement,Joy"
    put(root, {"train_split.csv": f"{header}\n00001,0,0.1,0.2,0.3,0.4,1\n00002,0.5,0.5,0.5,0.5,0.5,0.5\n"})
    put(root, {"valid_split.csv": f"{header}\n00003,0,0,0,0,0,0.25\n"})
    return touch(root, *(f"raw/0000{clip}.mp4" for clip in (1, 2, 3)))


def emotionet_line(address: str, **units: int) -> str:
    cells = ["999"] * 60
    for unit, value in units.items():
        cells[int(unit.removeprefix("AU")) - 1] = str(value)
    return "\t".join([address, "N_0001/orig.jpg", *cells])


def emotionet(root: Path) -> Path:
    """An automatic file, and one of validation."""
    automatic = [emotionet_line(f"http://x.org/{n}.jpg", AU1=n % 2, AU12=1, AU43=0) for n in range(3)]
    manual = [emotionet_line("http://y.org/a.jpg", AU1=0, AU26=1)]
    folder = "emotioNet_challenge_files"
    return put(
        root, {f"{folder}/dataFile_0001.txt": "\n".join(automatic) + "\n", f"{folder}/val_0001.txt": manual[0] + "\n"}
    )


PROTOCOL = {
    "affectnet-8": ("name,expression,age,gender,race", "1/{n}.jpg,{e},20-29,Female,White"),
    "affectnet-va": ("name,valence,arousal,age,gender,race", "1/{n}.jpg,-0.5,0.25,00-02,Male,Indian"),
    "raf-db": ("name,gender,race,age,expression", "{n}_aligned.jpg,Unsure,Asian,00-03,{e}"),
    "emotionet": (
        "name,AU1,AU2,AU4,AU5,AU6,AU9,AU12,AU17,AU20,AU25,AU26,age,gender,race",
        "{n}.jpg,1,0,-1,-1,0,0,1,0,0,1,0,03-Sep,Female,Black",
    ),
    "disfa": (
        "name,AU26,AU1,AU2,AU4,AU5,AU6,AU9,AU12,AU15,AU17,AU20,AU25,age,gender,race",
        "LeftVideoSN001/{n}.jpg,1,0,0,0,0,0,0,0,0,0,0,0,Oct-19,Male,Asian",
    ),
    "gft": (
        "name,AU1,AU2,AU4,AU5,AU6,AU7,AU9,AU10,AU11,AU12,AU15,AU17,AU23,AU24,age,gender,race",
        "001A/{n}.jpg,1,0,0,0,0,0,0,0,0,0,0,0,0,1,21,Female,Other",
    ),
    "raf-au": (
        "name,AU1,AU2,AU4,AU5,AU6,AU9,AU10,AU12,AU16,AU17,AU25,AU26,AU27,age,gender,race",
        "{n}.jpg,1,0,0,0,0,0,0,0,0,0,0,0,1,0-2,Female,White",
    ),
}


def protocol(root: Path, key: str) -> Path:
    """The three lists of one database, two pictures a list."""
    header, row = PROTOCOL[key]
    files = {}
    for place, name in enumerate(("train.csv", "valid.csv", "test.csv")):
        rows = [row.format(n=f"{place}{n}", e=("Anger", "Surprise")[n]) for n in range(2)]
        files[name] = "\n".join([header, *rows]) + "\n"
    return put(root, files)


VOTES = "Usage,Image name,neutral,happiness,surprise,sadness,anger,disgust,fear,contempt,unknown,NF"
FERPLUS_ROWS = (
    "Training,fer0.png,4,0,0,1,3,2,0,0,0,0",  # neutral, without half of the votes
    "Training,fer1.png,0,9,0,0,0,1,0,0,0,0",  # happiness
    "Training,,0,0,0,0,0,0,0,0,0,10",  # no name
    "PublicTest,fer3.png,4,0,0,4,1,1,0,0,0,0",  # a tie
    "PublicTest,fer4.png,0,0,0,1,0,0,0,0,9,0",  # unknown
    "PrivateTest,fer5.png,0,0,0,0,0,0,0,0,3,7",  # not a face
    "PrivateTest,fer6.png,0,0,0,0,0,0,0,9,0,0",  # contempt, nine votes
)


def ferplus(root: Path, rows: Iterable[str] = FERPLUS_ROWS) -> Path:
    """The file of votes, with one picture."""
    put(root, {"fer2013new.csv": "\n".join([VOTES, *rows]) + "\n"})
    return touch(root, "data/FER2013Train/fer0.png")


def ferplus_folders(root: Path) -> Path:
    """The folder form: no header, a box in quotation marks."""
    box = '"(0, 0, 48, 48)"'
    rows = {"Train": "0,8,0,0,0,0,0,0,2,0", "Valid": "0,0,10,0,0,0,0,0,0,0", "Test": "0,0,0,0,0,0,6,4,0,0"}
    return put(
        root, {f"data/FER2013{part}/label.csv": f"fer{part}.png,{box},{votes}\n" for part, votes in rows.items()}
    )


def fairface(root: Path) -> Path:
    """Both lists; a spreadsheet has been at the ages."""
    header = "file,age,gender,race,service_test"
    put(
        root,
        {
            "fairface_label_train.csv": f"{header}\ntrain/1.jpg,03-Sep,Male,East Asian,False\n"
            "train/2.jpg,more than 70,Female,Latino_Hispanic,True\n",
            "fairface_label_val.csv": f"{header}\nval/1.jpg,0-2,Male,White,True\nval/2.jpg,Oct-19,Female,Indian,False\n",
        },
    )
    return touch(root, "train/1.jpg", "train/2.jpg", "val/1.jpg", "val/2.jpg")


CLIPS = ("1001_IEO_NEU_XX", "1001_IEO_HAP_LO", "1002_IEO_ANG_HI", "1076_MTI_SAD_XX")
_MEANS = ("meanAngerResp", "meanDisgustResp", "meanFearResp", "meanHappyResp", "meanNeutralResp", "meanSadResp")


def crema_d(root: Path, *, counts: bool = True) -> Path:
    """Three actors, four clips; by voice the second is a tie of neutral and sadness."""
    people = ['1001,51,"Male","Caucasian","Not Hispanic"', '1002,21,"Female","African American","Hispanic"']
    people.append('1076,74,"Female","Unknown","Not Hispanic"')
    summary = ['"1","{0}","N","69.1","N","92.22","N","64.78"', '"2","{1}","N:S","50.0:61.0","H","57","H","57.38"']
    summary += ['"3","{2}","A","80","A","81","A","82"', '"4","{3}","S","40","S","41","S","-1"']
    files = {
        "VideoDemographics.csv": '"ActorID","Age","Sex","Race","Ethnicity"\n' + "\n".join(people) + "\n",
        "SentenceFilenames.csv": '"Stimulus_Number","Filename"\n'
        + "".join(f'{place},"{clip}"\n' for place, clip in enumerate(CLIPS, 1)),
        "processedResults/summaryTable.csv": '"","FileName","VoiceVote","VoiceLevel","FaceVote","FaceLevel",'
        '"MultiModalVote","MultiModalLevel"\n' + "\n".join(summary).format(*CLIPS) + "\n",
    }
    if counts:
        rows = []
        for block in (1, 2, 3):
            votes = [(0, 0, 0, 1, 9, 0), (0, 0, 0, 0, 5, 5) if block == 1 else (0, 0, 0, 8, 2, 0)]
            votes += [(10, 0, 0, 0, 0, 0), (0, 1, 0, 0, 0, 9)]
            for place, (clip, cells) in enumerate(zip(CLIPS, votes, strict=True), 1):
                means = [50 if cell else -1 for cell in cells]
                rows.append(f'"{block}{place:05}",{",".join(map(str, cells))},"{clip}",{",".join(map(str, means))}')
        head = '"","A","D","F","H","N","S","fileName",' + ",".join(f'"{name}"' for name in _MEANS)
        files["processedResults/tabulatedVotes.csv"] = "\n".join([head, *rows]) + "\n"
    put(root, files)
    return touch(root, "AudioWAV/1001_IEO_NEU_XX.wav")

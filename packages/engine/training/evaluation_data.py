"""Images of the evaluation, made once: `python3 evaluation_data.py --videos FOLDER --art FOLDER --work WORK`.

WORK gets the indexed frames of the videos, two a second; 130 other frames of them, each with every edit of `evaluation_edits.py`;
and frames of other works: collages of ART, which must not be the art of the training, and drawn scenes of other seeds.
"""
import argparse
import random
import subprocess
from pathlib import Path

import numpy as np
from PIL import Image

import collages
from evaluation_edits import EDITS, edit
from scenes import draw_pair

SIZE = 224
INDEX_RATE = 2
QUERIES = 130
# Frames with a lower mean deviation of their channels (0..255) are nearly blank.
LEAST_DEVIATION = 22
COLLAGES, DRAWN_PAIRS = 1500, 1000
# A part of drawn scenes that no training uses.
DRAWN_PART = 900


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--videos", required=True, help="folder of videos that no training uses")
    parser.add_argument("--art", required=True, help="folder of drawings that no training uses")
    parser.add_argument("--work", required=True)
    options = parser.parse_args()
    work = Path(options.work)
    work.mkdir(parents=True, exist_ok=True)
    queries = read_videos(Path(options.videos), work)
    edit_queries(queries, work)
    backgrounds, figures = collages.read_art(options.art)
    rng = random.Random(9)
    others = [collages.draw_pair(backgrounds, figures, rng)[0] for _ in range(COLLAGES)]
    np.save(work / "art.npy", np.stack([np.asarray(Image.fromarray(one).resize((SIZE, SIZE), Image.BICUBIC)) for one in others]))
    np.save(work / "drawn.npy", np.stack([draw_pair(DRAWN_PART, at) for at in range(DRAWN_PAIRS)]))


def read_videos(folder, work):
    """Writes films.npz and returns the query frames: (video, seconds, pixels), as many per video as its share of the usable frames."""
    videos = sorted(folder.iterdir())
    parts = [decode(video, SIZE, SIZE, f"fps={INDEX_RATE},") for video in videos]
    usable = [[at for at in range(2, len(part) - 2) if part[at].reshape(-1, 3).std(0).mean() > LEAST_DEVIATION] for part in parts]
    total = sum(len(one) ** 0.5 for one in usable)
    rng = np.random.default_rng(77)
    queries = []
    for number, (video, choices) in enumerate(zip(videos, usable)):
        count = round(QUERIES * len(choices) ** 0.5 / total)
        for slot in range(count):
            seconds = choices[int((slot + rng.random()) * len(choices) / count)] / INDEX_RATE + float(rng.uniform(0.1, 0.4))
            width, height = shape_of(video)
            queries.append((number, seconds, decode(video, width, height, "", seconds)[0]))
    np.savez(
        work / "films.npz",
        frames=np.concatenate(parts),
        film=np.concatenate([np.full(len(part), number) for number, part in enumerate(parts)]),
        at=np.concatenate([np.arange(len(part)) / INDEX_RATE for part in parts]),
    )
    return queries


def decode(video, width, height, filters, seconds=None):
    command = ["ffmpeg", "-v", "error", "-threads", "1", *(["-ss", f"{seconds:.3f}"] if seconds is not None else []), "-i", str(video)]
    command += [*(["-frames:v", "1"] if seconds is not None else []), "-vf", f"{filters}scale={width}:{height}:flags=area"]
    raw = subprocess.run([*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.uint8).reshape(-1, height, width, 3)


def shape_of(video):
    """640 pixels wide, in the shape of the video."""
    command = ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height", "-of", "csv=p=0", str(video)]
    width, height = map(int, subprocess.run(command, capture_output=True, check=True, text=True).stdout.strip().split(",")[:2])
    return 640, round(640 * height / width / 2) * 2


def edit_queries(queries, work):
    """Writes edited.npy, uint8 [edits, queries, SIZE, SIZE, 3], and edited.npz with names, aspect ratios and origins."""
    frames = [Image.fromarray(pixels) for _, _, pixels in queries]
    out = np.lib.format.open_memmap(work / "edited.npy", "w+", np.uint8, (len(EDITS), len(frames), SIZE, SIZE, 3))
    aspect = np.zeros((len(EDITS), len(frames)), np.float32)
    for row, name in enumerate(EDITS):
        for at in range(len(frames)):
            image = edit(name, frames, at)
            aspect[row, at] = image.width / image.height
            least = min(image.size)
            out[row, at] = np.asarray(image.resize((SIZE, SIZE), Image.BOX if least > 2 * SIZE else Image.HAMMING if least > SIZE else Image.LANCZOS))
    np.savez(
        work / "edited_meta.npz", names=np.array(list(EDITS)), aspect=aspect,
        film=np.array([film for film, _, _ in queries]), at=np.array([seconds for _, seconds, _ in queries]),
    )


if __name__ == "__main__":
    main()

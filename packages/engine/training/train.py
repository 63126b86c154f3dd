"""Trains the descriptor: `python3 train.py --out runs/first --scenes FOLDER --fonts FOLDER --start model.onnx --minutes 600`.

Self-supervised copy detection after SSCD (Pizzi et al., CVPR 2022): the batch contains each scene nearly clean and heavily edited.
InfoNCE attracts the two and separates them from all others of the batch, and a KoLeo term (Sablayrolles et al., ICLR 2019) spreads
the descriptors. A batch contains scenes in pairs of siblings (same background, other characters or framing), which are as similar
as many shots of a library. An edited view that shows a part is also attracted to the descriptor of this part of the clean frame,
pooled from one pass over a larger image, as in R-MAC (Tolias et al., ICLR 2016); and the part of a page that shows a frame, pooled
in the same way, to the frame. The output is the running mean of the weights (Polyak and Juditsky 1992).

It continues from its last checkpoint and stops when the output folder has a file named `stop`. A file named `rate` there has a
factor of the learning rate, which can change without a new start.
"""
import argparse
import copy
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from edits import Editor
from geometry import shifted
from net import Net, start_from
from scenes import HEIGHT, WIDTH

SEED = 1
TEMPERATURE = 0.05
KOLEO_WEIGHT = 0.3
REAL_PER_BATCH = 8
# Images of a batch whose parts are described from one pass, and pages that are.
WINDOWED, POSTED = 20, 6
# A view that shows less of a frame than the first share is not attracted to the whole frame; from the second on it is fully.
PART_FROM, WHOLE_FROM = 0.2, 0.4
# Each side of a pooled part differs from the side of the edited part by at most this share of its width or height.
MOST_SHIFT = 0.12
# Root mean square difference of miniatures (0..1) below which two clean scenes are the same.
ALIKE_BELOW = 0.03
# Two images whose identities are closer than this show the same scene (frames of a clip: 5 s).
SAME_WITHIN = 100
CLIP_RATE = 4
MEAN_DECAY = 0.999
CHECKPOINT_STEPS = 50
REPORT_STEPS = 25


def main():
    options = read_options()
    torch.set_num_threads(options.threads)
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    net, editor = Net(), Editor(options.size, seed=5, fonts=options.fonts)
    if options.start:
        start_from(net, options.start)
    net = net.to(memory_format=torch.channels_last)
    mean = copy.deepcopy(net).requires_grad_(False)
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-4)
    state = {"step": 0, "minutes": 0.0}
    checkpoint = out / "last.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        net.load_state_dict(saved["net"])
        mean.load_state_dict(saved["mean"])
        optimiser.load_state_dict(saved["optimiser"])
        state = saved["state"]
    torch.manual_seed(SEED + state["step"])
    editor.g = np.random.default_rng(SEED + state["step"])
    random = np.random.default_rng(SEED + state["step"])
    frames = Clips(options.clips) if options.clips else None
    found, losses = None, None
    started = time.process_time() / 60
    before = state["minutes"]
    while state["minutes"] < options.minutes and not (out / "stop").exists():
        if state["step"] % 200 == 0 or found is None:
            scenes = read_scenes(options.scenes)
            print(f"{sum(map(len, scenes))} scenes, {len(frames.images) if frames else 0} frames", flush=True)
        set_rate(optimiser, options.rate * rate_factor(out), state["step"])
        clean, moved, identity = take_batch(scenes, frames, options.pairs, random)
        loss, accuracy = train_step(net, editor, clean, moved, identity, random, options.size)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimiser.step()
        state["step"] += 1
        follow(mean, net, min(MEAN_DECAY, 1 - 1 / (1 + state["step"])))
        state["minutes"] = before + time.process_time() / 60 - started
        found = accuracy if found is None else 0.98 * found + 0.02 * accuracy
        losses = loss.item() if losses is None else 0.98 * losses + 0.02 * loss.item()
        if state["step"] % REPORT_STEPS == 0:
            shares = " ".join(f"{share:.3f}" for share in found)
            print(f"{time.strftime('%H:%M')} step {state['step']}, {state['minutes']:.1f} min, loss {losses:.3f}, found {shares}", flush=True)
        if state["step"] % CHECKPOINT_STEPS == 0:
            save(checkpoint, net, mean, optimiser, state)
    save(checkpoint, net, mean, optimiser, state)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="folder for checkpoints")
    parser.add_argument("--scenes", required=True, help="folder of parts that scenes.py and collages.py write")
    parser.add_argument("--fonts", required=True, help="folder of fonts for captions")
    parser.add_argument("--clips", help="folder of openly licensed drawn clips")
    parser.add_argument("--start", help="exported model with the same trunk whose weights are the first ones")
    parser.add_argument("--minutes", type=float, default=600, help="processor minutes")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=64, help="scenes of a batch, siblings included")
    parser.add_argument("--size", type=int, default=112, help="input width and height")
    parser.add_argument("--rate", type=float, default=5e-4)
    return parser.parse_args()


def set_rate(optimiser, rate, step):
    """Linear warm-up over 200 steps, then constant: the running mean stands for a decrease."""
    for group in optimiser.param_groups:
        group["lr"] = rate * min(1, (step + 1) / 200)


def rate_factor(out):
    file = out / "rate"
    return float(file.read_text()) if file.exists() else 1.0


def read_scenes(folder):
    """Parts of uint8 [count, 2, HEIGHT, WIDTH, 3]: scenes and their siblings."""
    return [np.load(file, mmap_mode="r") for file in sorted(Path(folder).glob("*.npy"))]


class Clips:
    """Frames of clips, CLIP_RATE a second, without flat ones; the next frame of each shows the same shot."""

    def __init__(self, folder):
        images, following, identity = [], [], []
        for number, clip in enumerate(sorted(Path(folder).iterdir()), 1):
            command = ["ffmpeg", "-v", "error", "-i", str(clip), "-vf", f"fps={CLIP_RATE},scale={WIDTH}:{HEIGHT}:flags=area"]
            raw = subprocess.run([*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True)
            all_ = np.frombuffer(raw.stdout, np.uint8).reshape(-1, HEIGHT, WIDTH, 3)
            small = all_[:, ::16, ::16].astype(np.float32) / 255
            for at in np.where(all_.reshape(len(all_), -1).std(1) > 12)[0]:
                after = min(at + 1, len(all_) - 1)
                is_cut = ((small[at] - small[after]) ** 2).mean() ** 0.5 > 0.12
                images.append(all_[at])
                following.append(all_[at if is_cut else after])
                identity.append(at * SAME_WITHIN // (5 * CLIP_RATE) - number * 1_000_000)
        self.images, self.following = np.stack(images), np.stack(following)
        self.identity = np.array(identity, np.int64)


@dataclass
class Shown:
    """Content of n images: identity [n], integers that differ by SAME_WITHIN or more unless alike; and clean miniatures [n, 432]."""

    identity: torch.Tensor
    tiny: torch.Tensor

    def alike(self):
        """bool [n, n]: pairs of images that show the same scene."""
        near = (self.identity[:, None] - self.identity[None]).abs() < SAME_WITHIN
        return near | (torch.cdist(self.tiny, self.tiny) / self.tiny.shape[1] ** 0.5 < ALIKE_BELOW)


def take_batch(scenes, frames, pairs, random):
    """Two frames of each shot, float [n, 3, h, w] in 0..1, and identities [n]. Drawn scenes have one frame.

    Four in ten batches show a part of each scene, for more images per drawing.
    """
    real = min(REAL_PER_BATCH, len(frames.images)) if frames else 0
    starts = np.cumsum([0] + [len(part) for part in scenes])
    chosen = np.sort(random.choice(starts[-1], (pairs - real) // 2, replace=False))
    part = np.searchsorted(starts, chosen, side="right") - 1
    drawn = np.concatenate([scenes[p][at - starts[p]] for p, at in zip(part, chosen)])
    first, second = [drawn], [drawn]
    identities = [(chosen[:, None] * 2 + np.arange(2)).reshape(-1) * SAME_WITHIN]
    if real:
        at = random.choice(len(frames.images), real, replace=False)
        first.append(frames.images[at])
        second.append(frames.following[at])
        identities.append(frames.identity[at])
    both = torch.from_numpy(np.stack([np.concatenate(first), np.concatenate(second)])).permute(0, 1, 4, 2, 3).float() / 255
    if random.random() < 0.4:
        zoom = random.uniform(0.55, 1)
        h, w = int(HEIGHT * zoom), int(WIDTH * zoom)
        y, x = random.integers(0, HEIGHT - h + 1), random.integers(0, WIDTH - w + 1)
        both = both[..., y : y + h, x : x + w]
    return both[0], both[1], torch.from_numpy(np.concatenate(identities))


def train_step(net, editor, clean, moved, identity, random, size):
    """The loss of one batch; and the shares of edited wholes, parts and pages that are nearest to their own scene."""
    n = len(clean)
    with torch.no_grad():
        other = clean[torch.from_numpy(random.permutation(n))]
        windowed = torch.from_numpy(random.choice(n, WINDOWED, replace=False))
        posted = torch.from_numpy(random.choice(n, POSTED, replace=False))
        light = editor.light(clean)
        heavy, heavy_boxes = editor.heavy(moved.clone(), other)
        part, part_boxes = editor.parts(moved[windowed].clone(), other[windowed])
        large = editor.light(clean[windowed], 2 * size)
        page, page_boxes = editor.posted(moved[posted].clone(), other[posted], 2 * size)
        alike = Shown(identity, F.interpolate(clean, size=(9, 16), mode="area").flatten(1)).alike()
    net.train()
    small = net(torch.cat([light, heavy, part]).contiguous(memory_format=torch.channels_last))
    lights, heavies, parts = small.split([n, n, WINDOWED])
    # A library has regions at fixed positions, and a search does not know where an image has its frame.
    boxes = shifted(torch.cat([heavy_boxes[windowed], part_boxes, page_boxes]), MOST_SHIFT, random)
    of = torch.cat([torch.arange(WINDOWED).repeat(2), WINDOWED + torch.arange(POSTED)])
    pooled = net.windows(torch.cat([large, page]).contiguous(memory_format=torch.channels_last), boxes, of)
    heavy_windows, part_windows, pages = pooled.split([WINDOWED, WINDOWED, POSTED])

    scene = torch.arange(n)
    whole = wholeness(heavy_boxes)
    part_whole = wholeness(part_boxes)
    queries = torch.cat([heavies, parts, pages, heavies[windowed], parts])
    asked = torch.cat([scene, windowed, posted, windowed, windowed])
    keys = torch.cat([lights, heavy_windows, part_windows])
    shown = torch.cat([scene, windowed, windowed])
    target = torch.cat([scene, windowed, posted, n + torch.arange(WINDOWED), n + WINDOWED + torch.arange(WINDOWED)])
    weight = torch.cat([whole, 0.5 * part_whole, torch.ones(POSTED), torch.ones(2 * WINDOWED)])
    there, hit = contrast(queries, asked, keys, shown, target, weight, alike)
    # The other way each key has the edited view of the same part as its target.
    back, _ = contrast(
        keys, shown, torch.cat([heavies, parts]), torch.cat([scene, windowed]),
        torch.cat([scene, windowed, n + torch.arange(WINDOWED)]), torch.cat([whole, torch.ones(2 * WINDOWED)]), alike,
    )
    everything = torch.cat([lights, heavies, part_windows])
    belongs = torch.cat([scene, scene, windowed])
    cosine = (everything @ everything.T).masked_fill(alike[belongs][:, belongs], -1)
    koleo = -torch.log((2 - 2 * cosine.max(1).values).clamp(min=1e-6).sqrt() + 1e-4).mean()
    shares = np.array([hit[:n][whole > 0.5].mean().item(), hit[n + WINDOWED + POSTED + WINDOWED :].mean().item(), hit[n + WINDOWED : n + WINDOWED + POSTED].mean().item()])
    return 0.5 * (there + back) + KOLEO_WEIGHT * koleo, shares


def wholeness(boxes):
    area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    return ((area - PART_FROM) / (WHOLE_FROM - PART_FROM)).clamp(0, 1)


def contrast(queries, asked, keys, shown, target, weight, alike):
    """InfoNCE of each query with its target among keys and other queries; and which targets are the nearest keys."""
    count = torch.arange(len(queries))
    same = alike[asked][:, shown]
    free = same.clone()
    free[count, target] = False
    across = (queries @ keys.T / TEMPERATURE).masked_fill(free, -1e4)
    among = (queries @ queries.T / TEMPERATURE).masked_fill(alike[asked][:, asked], -1e4)
    loss = F.cross_entropy(torch.cat([across, among], 1), target, reduction="none")
    return (loss * weight).sum() / weight.sum(), (across.argmax(1) == target).float()


def follow(mean, net, decay):
    """Moves the running mean of the weights."""
    with torch.no_grad():
        for kept, new in zip(mean.parameters(), net.parameters()):
            kept.lerp_(new, 1 - decay)


def save(file, net, mean, optimiser, state):
    draft = file.with_suffix(".tmp")
    torch.save({"net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "state": state}, draft)
    os.replace(draft, file)


if __name__ == "__main__":
    main()

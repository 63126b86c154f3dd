"""Trains the descriptor: `python3 train.py --out runs/first --clips FOLDER --minutes 60`. Continues from its last checkpoint.

Self-supervised copy detection after SSCD (Pizzi et al., CVPR 2022): the batch contains each scene nearly clean and
heavily edited. InfoNCE attracts the two and separates them from all others of the batch, and a KoLeo term
(Sablayrolles et al., ICLR 2019) spreads the descriptors. A batch contains scenes in pairs of siblings (same background, other
characters or framing), which are as similar as many shots of a library. The output is the running mean of the weights (Polyak
and Juditsky 1992). One experiment with negatives from earlier batches (cross-batch memory, Wang et al., CVPR 2020) increased
the loss and found fewer scenes within 50 steps; the cause is unknown.
"""
import argparse
import copy
import math
import multiprocessing
import os
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from edits import Editor
from net import Net
from scenes import HEIGHT, WIDTH, draw, new_recipe, sibling

SEED = 1
TEMPERATURE = 0.05
KOLEO_WEIGHT = 0.5
REAL_PER_BATCH = 12
# Root mean square difference of miniatures (0..1) below which two clean scenes are the same.
ALIKE_BELOW = 0.03
# Two images whose identities are closer than this show the same scene (frames of a clip: about 7 s).
SAME_WITHIN = 100
MEAN_DECAY = 0.998
CHECKPOINT_STEPS = 100
REPORT_STEPS = 25


def main():
    options = read_options()
    torch.set_num_threads(options.threads)
    torch.manual_seed(SEED)
    out = Path(options.out)
    out.mkdir(parents=True, exist_ok=True)
    scenes = draw_scenes(out / "scenes.npy", options.scenes)
    frames = read_clips(options.clips) if options.clips else np.empty((0, HEIGHT, WIDTH, 3), np.uint8)
    net, editor = Net().to(memory_format=torch.channels_last), Editor(options.size, seed=5)
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
    print(f"{len(scenes)} scenes, {len(frames)} frames, {sum(p.numel() for p in net.parameters())} parameters", flush=True)
    random = np.random.default_rng(SEED + state["step"])
    found = None
    started = processor_minutes(options.threads)
    before = state["minutes"]
    while state["minutes"] < options.minutes:
        set_rate(optimiser, options.rate, state["step"], state["minutes"] / options.minutes)
        clean, identity = take_batch(scenes, frames, options.pairs, random)
        with torch.no_grad():
            views = torch.cat([editor.light(clean), editor.heavy(clean.clone())])
        net.train()
        with torch.autocast("cpu", dtype=torch.bfloat16):
            descriptors = net(views.contiguous(memory_format=torch.channels_last))
        shown = Shown(identity, F.interpolate(clean, size=(9, 16), mode="area").flatten(1))
        loss, accuracy = copy_loss(descriptors, shown)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        state["step"] += 1
        follow(mean, net, min(MEAN_DECAY, 1 - 1 / (1 + state["step"])))
        state["minutes"] = before + processor_minutes(options.threads) - started
        found = accuracy if found is None else 0.98 * found + 0.02 * accuracy
        if state["step"] % REPORT_STEPS == 0:
            print(f"step {state['step']}, {state['minutes']:.1f} min, loss {loss.item():.3f}, found {found:.3f}", flush=True)
        if state["step"] % CHECKPOINT_STEPS == 0:
            save(checkpoint, net, mean, optimiser, state)
    save(checkpoint, net, mean, optimiser, state)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="folder for scenes and checkpoints")
    parser.add_argument("--clips", help="folder of openly licensed drawn clips; left out: drawn scenes only")
    parser.add_argument("--minutes", type=float, default=60, help="processor minutes per thread")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--scenes", type=int, default=16000, help="drawn scenes, each with a sibling")
    parser.add_argument("--pairs", type=int, default=96, help="scenes of a batch, each seen twice")
    parser.add_argument("--size", type=int, default=112, help="input width and height")
    parser.add_argument("--rate", type=float, default=2e-3)
    return parser.parse_args()


def processor_minutes(threads):
    """Processor time, so that the learning rate decreases with the work and not with the load of the machine."""
    return time.process_time() / 60 / threads


def draw_scenes(file, count):
    """uint8 [count, 2, HEIGHT, WIDTH, 3]: scene and sibling; drawn once and cached."""
    if not file.exists():
        with multiprocessing.Pool() as pool:
            parts = list(pool.imap(draw_part, [(part, 250) for part in range(count // 250)]))
        np.save(file, np.concatenate(parts))
    return np.load(file, mmap_mode="r")


def draw_part(arguments):
    part, count = arguments
    pictures = np.empty((count, 2, HEIGHT, WIDTH, 3), np.uint8)
    for at in range(count):
        recipe = new_recipe(part * 1_000_003 + at)
        pictures[at, 0], pictures[at, 1] = draw(recipe), draw(sibling(recipe, part * 77 + at))
    return pictures


def read_clips(folder):
    """uint8 [n, HEIGHT, WIDTH, 3]: frames of the clips, 1.5 a second, without flat ones."""
    parts = []
    for clip in sorted(Path(folder).iterdir()):
        command = ["ffmpeg", "-v", "error", "-i", str(clip), "-vf", f"fps=1.5,scale={WIDTH}:{HEIGHT}:flags=area"]
        raw = subprocess.run([*command, "-f", "rawvideo", "-pix_fmt", "rgb24", "-"], capture_output=True, check=True)
        parts.append(np.frombuffer(raw.stdout, np.uint8).reshape(-1, HEIGHT, WIDTH, 3))
    frames = np.concatenate(parts)
    return frames[frames.reshape(len(frames), -1).std(1) > 12]


def set_rate(optimiser, rate, step, progress):
    """Linear warm-up over 100 steps, then half a cosine down to 2 %."""
    warm = min(1, (step + 1) / 100)
    for group in optimiser.param_groups:
        group["lr"] = rate * warm * (0.5 * (1 + math.cos(math.pi * min(1, progress))) * 0.98 + 0.02)


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
    """float [n, 3, h, w] in 0..1 and identities [n]; half of the batches show a part of each scene, for more images per drawing."""
    real = min(REAL_PER_BATCH, len(frames))
    chosen = np.sort(random.choice(len(scenes), (pairs - real) // 2, replace=False))
    parts = [torch.from_numpy(np.ascontiguousarray(scenes[chosen])).reshape(-1, HEIGHT, WIDTH, 3)]
    identities = [torch.from_numpy((chosen[:, None] * 2 + np.arange(2)).reshape(-1) * SAME_WITHIN)]
    if real:
        at = random.choice(len(frames), real, replace=False)
        parts.append(torch.from_numpy(frames[at]))
        identities.append(torch.from_numpy(at * (SAME_WITHIN // 10) + len(scenes) * 2 * SAME_WITHIN + SAME_WITHIN))
    batch = torch.cat(parts).permute(0, 3, 1, 2).float() / 255
    if random.random() < 0.5:
        zoom = random.uniform(0.55, 1)
        h, w = int(HEIGHT * zoom), int(WIDTH * zoom)
        y, x = random.integers(0, HEIGHT - h + 1), random.integers(0, WIDTH - w + 1)
        batch = batch[:, :, y : y + h, x : x + w]
    return batch, torch.cat(identities)


def copy_loss(descriptors, shown):
    """InfoNCE both ways plus KoLeo over all descriptors; and the share of edited views nearest to their own scene in the batch."""
    light, heavy = descriptors.chunk(2)
    n = len(light)
    own = torch.eye(n, dtype=torch.bool)
    alike = shown.alike()
    target = torch.arange(n)

    def contrast(one, two):
        across = (one @ two.T / TEMPERATURE).masked_fill(alike & ~own, -1e4)
        among = (one @ one.T / TEMPERATURE).masked_fill(alike, -1e4)
        return F.cross_entropy(torch.cat([across, among], 1), target), across

    there, across = contrast(light, heavy)
    back, _ = contrast(heavy, light)
    cosine = (descriptors @ descriptors.T).masked_fill(alike.repeat(2, 2), -1)
    koleo = -torch.log((2 - 2 * cosine.max(1).values).clamp(min=1e-6).sqrt() + 1e-4).mean()
    found = (across.argmax(1) == target).float().mean().item()
    return 0.5 * (there + back) + KOLEO_WEIGHT * koleo, found


def follow(mean, net, decay):
    """Moves the running mean of the weights and, with them, of the statistics that normalisation uses."""
    with torch.no_grad():
        for kept, new in zip(mean.state_dict().values(), net.state_dict().values()):
            if kept.is_floating_point():
                kept.lerp_(new, 1 - decay)


def save(file, net, mean, optimiser, state):
    draft = file.with_suffix(".tmp")
    torch.save({"net": net.state_dict(), "mean": mean.state_dict(), "optimiser": optimiser.state_dict(), "state": state}, draft)
    os.replace(draft, file)


if __name__ == "__main__":
    main()

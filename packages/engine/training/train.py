"""Trains the descriptor: `python3 train.py --out runs/first --clips FOLDER --minutes 60`. Goes on from its last checkpoint.

Self-supervised copy detection after SSCD (Pizzi et al., CVPR 2022): every scene is seen once nearly clean and once
heavily edited; InfoNCE pulls the two together and apart from all others of the batch, and a KoLeo term (Sablayrolles et al.,
ICLR 2019) spreads the descriptors. A batch holds scenes in pairs of siblings (same place, other characters or framing): the
look-alikes that a library is full of.
"""
import argparse
import math
import multiprocessing
import os
import subprocess
import time
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from edits import Editor
from net import Net
from scenes import HEIGHT, WIDTH, draw, new_recipe, sibling

SEED = 1
TEMPERATURE = 0.06
KOLEO_WEIGHT = 0.5
REAL_PER_BATCH = 12
# Mean absolute difference of tiny pictures (0..1) under which two clean scenes are one and the same.
ALIKE_BELOW = 0.02
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
    net, editor = Net(), Editor(options.size, seed=5)
    optimiser = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-4)
    state = {"step": 0, "minutes": 0.0}
    checkpoint = out / "last.pt"
    if checkpoint.exists():
        saved = torch.load(checkpoint)
        net.load_state_dict(saved["net"])
        optimiser.load_state_dict(saved["optimiser"])
        state = saved["state"]
    print(f"{len(scenes)} scenes, {len(frames)} frames, {sum(p.numel() for p in net.parameters())} parameters", flush=True)
    random = np.random.default_rng(SEED + state["step"])
    found = None
    started = processor_minutes(options.threads)
    before = state["minutes"]
    while state["minutes"] < options.minutes:
        set_rate(optimiser, options.rate, state["step"], state["minutes"] / options.minutes)
        clean = take_batch(scenes, frames, options.pairs, random)
        with torch.no_grad():
            light, heavy = editor.light(clean), editor.heavy(clean.clone())
        net.train()
        loss, accuracy = copy_loss(net(torch.cat([light, heavy]) * 255), clean)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        state["step"] += 1
        state["minutes"] = before + processor_minutes(options.threads) - started
        found = accuracy if found is None else 0.98 * found + 0.02 * accuracy
        if state["step"] % REPORT_STEPS == 0:
            print(f"step {state['step']}, {state['minutes']:.1f} min, loss {loss.item():.3f}, found {found:.3f}", flush=True)
        if state["step"] % CHECKPOINT_STEPS == 0:
            save(checkpoint, net, optimiser, state)
    save(checkpoint, net, optimiser, state)


def read_options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", required=True, help="folder for scenes and checkpoints")
    parser.add_argument("--clips", help="folder of openly licensed drawn clips; left out: drawn scenes only")
    parser.add_argument("--minutes", type=float, default=60, help="processor minutes per thread")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--scenes", type=int, default=9000, help="drawn scenes, each with a sibling")
    parser.add_argument("--pairs", type=int, default=96, help="scenes of a batch, each seen twice")
    parser.add_argument("--size", type=int, default=112, help="input width and height")
    parser.add_argument("--rate", type=float, default=2e-3)
    return parser.parse_args()


def processor_minutes(threads):
    """Time that does not run on while others have the machine, so that the learning rate falls with the work done."""
    return time.process_time() / 60 / threads


def draw_scenes(file, count):
    """uint8 [count, 2, HEIGHT, WIDTH, 3]: scene and sibling; drawn once and kept."""
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
    """uint8 [n, HEIGHT, WIDTH, 3]: frames of the clips, 1.5 a second, flat ones left out."""
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


def take_batch(scenes, frames, pairs, random):
    """float [n, 3, h, w] in 0..1; half of the batches show a part of each scene, for more pictures from one drawing."""
    real = min(REAL_PER_BATCH, len(frames))
    chosen = np.sort(random.choice(len(scenes), (pairs - real) // 2, replace=False))
    parts = [torch.from_numpy(np.ascontiguousarray(scenes[chosen])).reshape(-1, HEIGHT, WIDTH, 3)]
    if real:
        parts.append(torch.from_numpy(frames[random.choice(len(frames), real, replace=False)]))
    batch = torch.cat(parts).permute(0, 3, 1, 2).float() / 255
    if random.random() < 0.5:
        zoom = random.uniform(0.55, 1)
        h, w = int(HEIGHT * zoom), int(WIDTH * zoom)
        y, x = random.integers(0, HEIGHT - h + 1), random.integers(0, WIDTH - w + 1)
        batch = batch[:, :, y : y + h, x : x + w]
    return batch


def copy_loss(descriptors, clean):
    """InfoNCE both ways plus KoLeo over all descriptors; and the share of edited views nearest to their own scene."""
    light, heavy = descriptors.chunk(2)
    n = len(light)
    own = torch.eye(n, dtype=torch.bool)
    with torch.no_grad():
        tiny = F.interpolate(clean, size=(9, 16), mode="area").flatten(1)
        alike = (torch.cdist(tiny, tiny, p=1) / tiny.shape[1] < ALIKE_BELOW) & ~own
    target = torch.arange(n)
    across = (light @ heavy.T / TEMPERATURE).masked_fill(alike, -1e4)
    among_light = (light @ light.T / TEMPERATURE).masked_fill(alike | own, -1e4)
    among_heavy = (heavy @ heavy.T / TEMPERATURE).masked_fill(alike | own, -1e4)
    contrast = 0.5 * (
        F.cross_entropy(torch.cat([across, among_light], 1), target)
        + F.cross_entropy(torch.cat([across.T, among_heavy], 1), target)
    )
    cosine = descriptors @ descriptors.T - 2 * torch.eye(2 * n)
    cosine[target, target + n] = -2
    cosine[target + n, target] = -2
    nearest = cosine.max(1).values
    koleo = -torch.log((2 - 2 * nearest).clamp(min=1e-6).sqrt() + 1e-4).mean()
    return contrast + KOLEO_WEIGHT * koleo, (across.argmax(1) == target).float().mean().item()


def save(file, net, optimiser, state):
    draft = file.with_suffix(".tmp")
    torch.save({"net": net.state_dict(), "optimiser": optimiser.state_dict(), "state": state}, draft)
    os.replace(draft, file)


if __name__ == "__main__":
    main()

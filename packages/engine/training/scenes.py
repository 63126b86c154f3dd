"""Procedural cel-style scenes, unlimited and seeded: `python3 scenes.py OUT PARTS` writes parts of 250 scenes and their siblings.

The scenes have layered backgrounds and flat-shaded characters.
A scene is a recipe (dict of random choices); `draw(recipe)` rasterises it, and `sibling(recipe)` is another
shot of the same setting: same place, other framing, characters and poses. Siblings are the hard negatives.
"""
import math
import os
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from backgrounds import BACKGROUNDS, KINDS, hsv, mix, ridge

WIDTH, HEIGHT = 256, 144
SCALE = 1.5  # drawn larger, then reduced, for smooth edges
PART = 250


def main(out, parts):
    Path(out).mkdir(parents=True, exist_ok=True)
    for part in range(int(parts)):
        write_part(Path(out) / f"part-{part:03d}.npy", lambda: [draw_pair(part, at) for at in range(PART)])


def write_part(file, draw_pairs):
    """Writes uint8 [PART, 2, HEIGHT, WIDTH, 3] unless the file exists."""
    if file.exists():
        return
    draft = file.with_suffix(".tmp")
    with open(draft, "wb") as handle:
        np.save(handle, np.stack(draw_pairs()))
    os.replace(draft, file)


def draw_pair(part, at):
    recipe = new_recipe(part * 1_000_003 + at)
    return np.stack([draw(recipe), draw(sibling(recipe, part * 77 + at))])


def new_recipe(seed):
    rng = random.Random(seed)
    return {
        "place": rng.getrandbits(48),
        "cast": rng.getrandbits(48),
        "framing": rng.getrandbits(48),
        "kind": rng.choice(KINDS),
    }


def sibling(recipe, seed):
    rng = random.Random(seed)
    other = dict(recipe)
    other["cast"] = rng.getrandbits(48)
    if rng.random() < 0.5:
        other["framing"] = rng.getrandbits(48)
    return other


def draw(recipe):
    place = random.Random(recipe["place"])
    cast = random.Random(recipe["cast"])
    framing = random.Random(recipe["framing"])
    w, h = int(WIDTH * SCALE), int(HEIGHT * SCALE)
    # The background is larger than the frame; the framing selects a window of it.
    zoom = framing.choice([1.0, 1.0, 1.2, 1.5, 2.0])
    pw, ph = int(w * 1.5), int(h * 1.3)
    image = Image.new("RGB", (pw, ph))
    BACKGROUNDS[recipe["kind"]](ImageDraw.Draw(image), image, place, pw, ph)
    if place.random() < 0.35:
        image = texture(image, place)
    cw, ch = int(w / zoom), int(h / zoom)
    x, y = framing.randint(0, pw - cw), framing.randint(0, ph - ch)
    image = image.crop((x, y, x + cw, y + ch)).resize((w, h), Image.BILINEAR)
    if zoom >= 1.5 and framing.random() < 0.6:
        image = image.filter(ImageFilter.GaussianBlur(framing.uniform(1, 4)))  # depth of field
    d = ImageDraw.Draw(image)
    count = cast.choices([0, 1, 2, 3, 5], [2, 6, 4, 2, 1])[0]
    close = cast.random() < 0.4
    for _ in range(count):
        size = h * (cast.uniform(0.7, 1.6) if close and count <= 2 else cast.uniform(0.15, 0.6))
        character(d, cast, cast.uniform(0.05, 0.95) * w, h * cast.uniform(0.3, 0.75), size)
    foreground(d, framing, w, h)
    if cast.random() < 0.12:
        lines(d, cast, w, h)
    image = image.resize((WIDTH, HEIGHT), Image.LANCZOS)
    return grade(np.asarray(image), place)


def grade(pixels, rng):
    """Night, sunset, haze: one colour transform for the whole background."""
    if rng.random() < 0.5:
        return pixels
    x = pixels.astype(np.float32) / 255
    tint = np.array([rng.uniform(0.5, 1.15) for _ in range(3)], np.float32)
    x = x * tint * rng.uniform(0.35, 1.1) + rng.choice([0, 0, rng.uniform(0, 0.25)])
    return (np.clip(x, 0, 1) * 255).astype(np.uint8)


def character(d, rng, x, y, size):
    """A head with hair, eyes and mouth on a simple body; outline and flat fills with one shade."""
    skin = hsv(rng, rng.choice([0.07, 0.07, 0.05, 0.3, 0.6]), 0.03, s=(0.1, 0.6), v=(0.4, 1))
    hair, cloth = hsv(rng, rng.random(), s=(0, 0.9), v=(0.05, 0.95)), hsv(rng, rng.random(), s=(0, 0.9), v=(0.1, 0.95))
    ink = mix(cloth, (10, 10, 20), 0.85)
    lw = max(1, int(size * 0.012))
    r = size * rng.uniform(0.16, 0.26)
    tilt, face = rng.gauss(0, 0.12) * size, rng.choice([-1, -0.5, 0, 0.5, 1])
    hx, hy = x + tilt * 0.5, y - size * 0.35
    bw = size * rng.uniform(0.14, 0.32)
    body = [(x - bw * 0.6, hy + r * 0.8), (x + bw * 0.6, hy + r * 0.8), (x + bw - tilt, y + size * 0.6), (x - bw - tilt, y + size * 0.6)]
    for side in (-1, 1):
        ax, ay = x + side * bw * 0.6, hy + r * 1.1
        ang = rng.uniform(-1.4, 1.5)
        ex, ey = ax + side * math.cos(ang) * size * 0.4, ay + math.sin(ang) * size * 0.4
        d.line((ax, ay, ex, ey), fill=ink, width=int(size * 0.1) + 2 * lw)
        d.line((ax, ay, ex, ey), fill=cloth, width=max(1, int(size * 0.1)))
        q = size * 0.05
        d.ellipse((ex - q, ey - q, ex + q, ey + q), fill=skin, outline=ink)
    d.polygon(body, fill=cloth, outline=ink)
    if rng.random() < 0.5:
        d.polygon([body[0], ((body[0][0] + body[1][0]) / 2, body[0][1]), ((body[2][0] + body[3][0]) / 2, body[2][1]), body[3]], fill=mix(cloth, (0, 0, 0), 0.25))
    if rng.random() < 0.5:
        hr = r * rng.uniform(1.1, 1.5)
        d.ellipse((hx - hr, hy - hr, hx + hr, hy + hr * rng.uniform(1, 2.2)), fill=hair, outline=ink, width=lw)
    d.ellipse((hx - r * 0.9, hy - r, hx + r * 0.9, hy + r), fill=skin, outline=ink, width=lw)
    gap, off = r * 0.4, face * r * 0.3
    for side in (-1, 1):
        ex, ey = hx + off + side * gap, hy + r * 0.1
        a, b = r * 0.16, r * rng.choice([0.28, 0.05, 0.22])
        d.ellipse((ex - a * 1.2, ey - b, ex + a * 1.2, ey + b), fill=(245, 245, 245), outline=ink)
        d.ellipse((ex - a * 0.7, ey - b * 0.8, ex + a * 0.7, ey + b * 0.9), fill=mix(hair, (0, 0, 40), 0.4))
    m = r * rng.uniform(0.05, 0.25)
    d.ellipse((hx + off - m, hy + r * 0.5 - m * 0.5, hx + off + m, hy + r * 0.5 + m * 0.5), fill=mix((150, 30, 40), ink, 0.3))
    spikes = rng.randint(4, 9)
    top = [(hx - r, hy + r * 0.1)]
    for i in range(spikes + 1):
        a = math.pi + math.pi * i / spikes
        top.append((hx + r * 1.15 * math.cos(a), hy + r * 1.2 * math.sin(a)))
        b = a + math.pi / spikes / 2
        k = r * rng.uniform(0.5, 1.6)
        top.append((hx + k * math.cos(b), hy + k * math.sin(b)))
    d.polygon(top, fill=hair, outline=ink)


def foreground(d, rng, w, h):
    roll = rng.random()
    if roll < 0.08:
        ridge(d, rng, w, h, h * 0.95, h * 0.3, hsv(rng, rng.random(), v=(0.02, 0.3)))
    elif roll < 0.14:
        x = rng.choice([0, w * 0.75])
        d.rectangle((x, 0, x + w * 0.25, h), fill=hsv(rng, rng.random(), v=(0.02, 0.4)))


def lines(d, rng, w, h):
    """Speed lines from a focus point."""
    cx, cy, c = rng.uniform(0, w), rng.uniform(0, h), rng.choice([(255, 255, 255), (10, 10, 10)])
    for _ in range(rng.randint(20, 60)):
        a, r0 = rng.uniform(0, 6.3), h * rng.uniform(0.3, 0.7)
        d.line((cx + r0 * math.cos(a), cy + r0 * math.sin(a), cx + w * math.cos(a), cy + w * math.sin(a)), fill=c, width=rng.randint(1, 3))


def texture(image, rng):
    """Painterly mottling, as of a gouache background."""
    w, h = image.size
    seed = np.random.default_rng(rng.getrandbits(32))
    n = seed.normal(0, 1, (h // 16 + 2, w // 16 + 2)).astype(np.float32)
    n = np.asarray(Image.fromarray(n).resize((w, h), Image.BICUBIC))
    x = np.asarray(image).astype(np.float32) * (1 + rng.uniform(0.03, 0.2) * n[..., None])
    return Image.fromarray(np.clip(x, 0, 255).astype(np.uint8))


if __name__ == "__main__":
    main(*sys.argv[1:3])

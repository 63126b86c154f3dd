"""Procedural cel-style scenes, unlimited and seeded: `python3 scenes.py OUT PARTS` writes parts of 250 scenes and their siblings.

The scenes have layered backgrounds and flat-shaded characters.
A scene is a recipe (dict of random choices); `draw(recipe)` rasterises it, and `sibling(recipe)` is another
shot of the same setting: same place, other framing, characters and poses. Siblings are the hard negatives.
"""
import colorsys
import math
import os
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

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


def hsv(rng, hue, spread=0.08, s=(0.15, 0.8), v=(0.25, 0.98)):
    h = (hue + rng.uniform(-spread, spread)) % 1
    return tuple(int(255 * c) for c in colorsys.hsv_to_rgb(h, rng.uniform(*s), rng.uniform(*v)))


def mix(a, b, t):
    return tuple(int(x * (1 - t) + y * t) for x, y in zip(a, b))


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


def gradient(image, rng, top, bottom, box=None):
    w, h = image.size
    x0, y0, x1, y1 = box or (0, 0, w, h)
    if x1 <= x0 or y1 <= y0:
        return
    ramp = np.linspace(0, 1, y1 - y0, dtype=np.float32)[:, None, None]
    if rng.random() < 0.2:
        ramp = np.round(ramp * rng.randint(2, 6)) / 6
    a, b = np.array(top, np.float32), np.array(bottom, np.float32)
    block = np.broadcast_to(a * (1 - ramp) + b * ramp, (y1 - y0, x1 - x0, 3)).astype(np.uint8)
    image.paste(Image.fromarray(block), (x0, y0))


def ridge(d, rng, w, h, base, height, colour, steps=None):
    steps = steps or rng.randint(3, 14)
    jag = rng.random() < 0.4
    phases = [(rng.uniform(0, 6.3), rng.uniform(0.5, 4), rng.uniform(0.2, 1)) for _ in range(3)]
    points = [(0, h)]
    for i in range(steps * (1 if jag else 4) + 1):
        t = i / (steps * (1 if jag else 4))
        if jag:
            y = base - height * rng.random()
        else:
            y = base - height * 0.5 * (1 + sum(a * math.sin(p + f * 6.3 * t) for p, f, a in phases) / 2)
        points.append((t * w, y))
    points.append((w, h))
    d.polygon(points, fill=colour)


def sky(d, image, rng, w, h):
    hue = rng.choice([0.55, 0.6, 0.08, 0.95, 0.75, rng.random()])
    gradient(image, rng, hsv(rng, hue), hsv(rng, hue + rng.uniform(-0.15, 0.15)))
    if rng.random() < 0.4:
        r = h * rng.uniform(0.04, 0.2)
        x, y = rng.uniform(0, w), rng.uniform(0, h * 0.5)
        c = hsv(rng, 0.12, s=(0, 0.4), v=(0.8, 1))
        d.ellipse((x - r, y - r, x + r, y + r), fill=c)
    if rng.random() < 0.3:
        for _ in range(rng.randint(20, 90)):
            x, y = rng.uniform(0, w), rng.uniform(0, h * 0.7)
            d.point((x, y), fill=(255, 255, 240))
    for _ in range(rng.choice([0, 2, 4, 8])):
        x, y = rng.uniform(0, w), rng.uniform(0, h * 0.5)
        c = hsv(rng, hue, s=(0, 0.25), v=(0.6, 1))
        for _ in range(rng.randint(3, 7)):
            r = h * rng.uniform(0.02, 0.09)
            ox, oy = rng.gauss(0, w * 0.04), rng.gauss(0, h * 0.015)
            d.ellipse((x + ox - r * 1.6, y + oy - r, x + ox + r * 1.6, y + oy + r), fill=c)


def hills(d, image, rng, w, h):
    sky(d, image, rng, w, h)
    hue, base = rng.choice([0.3, 0.35, 0.25, 0.6, 0.1, rng.random()]), h * rng.uniform(0.4, 0.7)
    for layer in range(rng.randint(1, 4)):
        c = hsv(rng, hue, v=(0.25 + 0.1 * layer, 0.6 + 0.1 * layer))
        ridge(d, rng, w, h, base + layer * h * 0.12, h * rng.uniform(0.05, 0.3), c)
    for _ in range(rng.choice([0, 3, 8, 20])):
        tree(d, rng, rng.uniform(0, w), h * rng.uniform(0.55, 0.95), h * rng.uniform(0.05, 0.35), hue)
    if rng.random() < 0.4:
        house(d, rng, rng.uniform(0, w), h * rng.uniform(0.6, 0.85), h * rng.uniform(0.1, 0.35))


def tree(d, rng, x, y, size, hue):
    c = hsv(rng, hue)
    d.rectangle((x - size * 0.05, y - size * 0.5, x + size * 0.05, y), fill=mix(c, (60, 40, 20), 0.7))
    if rng.random() < 0.5:
        d.polygon([(x - size * 0.3, y - size * 0.3), (x, y - size), (x + size * 0.3, y - size * 0.3)], fill=c)
    else:
        for _ in range(4):
            r = size * rng.uniform(0.15, 0.3)
            ox, oy = rng.gauss(0, size * 0.15), rng.gauss(0, size * 0.1)
            d.ellipse((x + ox - r, y - size * 0.65 + oy - r, x + ox + r, y - size * 0.65 + oy + r), fill=c)


def house(d, rng, x, y, size):
    wall, roof = hsv(rng, rng.random(), s=(0.05, 0.4)), hsv(rng, rng.random())
    d.rectangle((x - size / 2, y - size * 0.6, x + size / 2, y), fill=wall, outline=(20, 20, 20))
    d.polygon([(x - size * 0.6, y - size * 0.6), (x, y - size), (x + size * 0.6, y - size * 0.6)], fill=roof)
    d.rectangle((x - size * 0.1, y - size * 0.3, x + size * 0.1, y), fill=mix(roof, (0, 0, 0), 0.4))


def town(d, image, rng, w, h):
    sky(d, image, rng, w, h)
    hue = rng.random()
    for layer in range(rng.randint(1, 3)):
        x = -rng.uniform(0, 50)
        while x < w:
            bw, bh = w * rng.uniform(0.03, 0.14), h * rng.uniform(0.2, 0.85) * (1 - 0.2 * layer)
            c = hsv(rng, hue, 0.1, s=(0.05, 0.5), v=(0.2 + 0.15 * layer, 0.5 + 0.15 * layer))
            d.rectangle((x, h - bh, x + bw, h), fill=c)
            if rng.random() < 0.7:
                lit = hsv(rng, 0.13, s=(0.1, 0.6), v=(0.3, 1))
                nx, ny = rng.randint(2, 6), rng.randint(3, 14)
                for i in range(nx):
                    for j in range(ny):
                        if rng.random() < 0.7:
                            a, b = x + bw * (i + 0.25) / nx, h - bh + bh * (j + 0.3) / ny
                            d.rectangle((a, b, a + bw * 0.5 / nx, b + bh * 0.4 / ny), fill=lit)
            x += bw * rng.uniform(1.0, 1.6)
    if rng.random() < 0.5:
        d.rectangle((0, h * 0.88, w, h), fill=hsv(rng, hue, s=(0, 0.2), v=(0.2, 0.5)))


def room(d, image, rng, w, h):
    hue = rng.random()
    gradient(image, rng, hsv(rng, hue, s=(0.05, 0.5)), hsv(rng, hue, s=(0.05, 0.5)))
    floor = h * rng.uniform(0.6, 0.85)
    vx = w * rng.uniform(0.2, 0.8)
    c = hsv(rng, rng.choice([0.08, 0.1, hue]), s=(0.1, 0.6), v=(0.25, 0.8))
    d.rectangle((0, floor, w, h), fill=c)
    for i in range(rng.choice([0, 6, 12])):
        t = i / 11
        d.line((vx + (t - 0.5) * w * 0.6, floor, vx + (t - 0.5) * w * 3, h), fill=mix(c, (0, 0, 0), 0.35), width=2)
    for _ in range(rng.randint(1, 3)):
        x, y = rng.uniform(0, w * 0.85), rng.uniform(h * 0.05, h * 0.4)
        ww, hh = w * rng.uniform(0.06, 0.25), h * rng.uniform(0.12, 0.4)
        gradient(image, rng, hsv(rng, 0.58), hsv(rng, 0.55), tuple(int(v) for v in (x, y, x + ww, y + hh)))
        d.rectangle((x, y, x + ww, y + hh), outline=hsv(rng, hue, v=(0.1, 0.9)), width=rng.randint(1, 5))
        if rng.random() < 0.6:
            d.line((x + ww / 2, y, x + ww / 2, y + hh), fill=hsv(rng, hue), width=2)
            d.line((x, y + hh / 2, x + ww, y + hh / 2), fill=hsv(rng, hue), width=2)
    for _ in range(rng.randint(1, 6)):
        x, ww = rng.uniform(0, w), w * rng.uniform(0.05, 0.25)
        hh = h * rng.uniform(0.08, 0.45)
        y = floor + rng.uniform(0, h * 0.15)
        f = hsv(rng, rng.random(), s=(0.1, 0.8))
        d.rectangle((x, y - hh, x + ww, y), fill=f, outline=mix(f, (0, 0, 0), 0.6), width=2)
        for k in range(rng.randint(0, 4)):
            d.line((x, y - hh * k / 4, x + ww, y - hh * k / 4), fill=mix(f, (0, 0, 0), 0.5), width=2)


def forest(d, image, rng, w, h):
    hue = rng.choice([0.3, 0.4, 0.2, 0.1, rng.random()])
    gradient(image, rng, hsv(rng, hue, v=(0.3, 0.9)), hsv(rng, hue, v=(0.1, 0.5)))
    for layer in range(3):
        c = hsv(rng, hue, v=(0.6 - 0.2 * layer, 0.8 - 0.2 * layer))
        for _ in range(rng.randint(2, 9)):
            x, tw = rng.uniform(0, w), w * rng.uniform(0.008, 0.03) * (layer + 1)
            lean = rng.gauss(0, w * 0.03)
            d.polygon([(x - tw, h), (x + tw, h), (x + tw * 0.6 + lean, 0), (x - tw * 0.6 + lean, 0)], fill=c)
        for _ in range(rng.randint(5, 30)):
            r = h * rng.uniform(0.03, 0.14)
            x, y = rng.uniform(0, w), rng.choice([rng.uniform(0, h * 0.35), rng.uniform(h * 0.8, h)])
            d.ellipse((x - r * 1.3, y - r, x + r * 1.3, y + r), fill=mix(c, hsv(rng, hue), 0.5))


def sea(d, image, rng, w, h):
    sky(d, image, rng, w, h)
    y, hue = h * rng.uniform(0.3, 0.75), rng.choice([0.55, 0.5, 0.62])
    gradient(image, rng, hsv(rng, hue), hsv(rng, hue), (0, int(y), w, h))
    for _ in range(rng.randint(5, 50)):
        a, b, l = rng.uniform(0, w), y + (h - y) * rng.random() ** 1.5, w * rng.uniform(0.01, 0.1)
        d.line((a, b, a + l, b), fill=hsv(rng, hue, s=(0, 0.4), v=(0.6, 1)), width=rng.randint(1, 3))
    if rng.random() < 0.6:
        ridge(d, rng, w, int(y), y, h * 0.15, hsv(rng, 0.4))
        gradient(image, rng, hsv(rng, hue), hsv(rng, hue), (0, int(y), w, h))
    for _ in range(rng.randint(0, 2)):
        x, s = rng.uniform(0, w), h * rng.uniform(0.1, 0.4)
        c = hsv(rng, rng.random())
        d.polygon([(x - s, y + 5), (x + s, y + 5), (x + s * 0.7, y + s * 0.4), (x - s * 0.7, y + s * 0.4)], fill=c)
        d.polygon([(x, y), (x, y - s * 1.3), (x + s * 0.7, y - s * 0.1)], fill=hsv(rng, 0.1, s=(0, 0.2), v=(0.8, 1)))


def abstract(d, image, rng, w, h):
    hue = rng.random()
    gradient(image, rng, hsv(rng, hue), hsv(rng, hue + rng.choice([0, 0.5, 0.1])))
    for _ in range(rng.randint(2, 14)):
        c = hsv(rng, hue + rng.choice([0, 0.33, 0.5]), 0.1)
        x, y, r = rng.uniform(0, w), rng.uniform(0, h), h * rng.uniform(0.03, 0.5)
        kind = rng.random()
        if kind < 0.35:
            d.ellipse((x - r, y - r, x + r, y + r), fill=c)
        elif kind < 0.7:
            d.polygon([(x + r * rng.gauss(0, 1), y + r * rng.gauss(0, 1)) for _ in range(rng.randint(3, 7))], fill=c)
        else:
            d.line([(x + r * 2 * rng.gauss(0, 1), y + r * 2 * rng.gauss(0, 1)) for _ in range(4)], fill=c, width=rng.randint(2, 18))
    if rng.random() < 0.4:
        image.paste(image.filter(ImageFilter.GaussianBlur(rng.uniform(2, 8))))


def stones(d, image, rng, w, h):
    hue = rng.choice([0.07, 0.6, rng.random()])
    gradient(image, rng, hsv(rng, hue, s=(0, 0.4), v=(0.2, 0.8)), hsv(rng, hue, s=(0, 0.4), v=(0.1, 0.6)))
    for _ in range(rng.randint(15, 70)):
        x, y, r = rng.uniform(0, w), rng.uniform(0, h), h * rng.uniform(0.03, 0.2)
        c = hsv(rng, hue, s=(0, 0.5), v=(0.15, 0.85))
        pts = [(x + r * rng.uniform(0.6, 1.2) * math.cos(a), y + r * 0.8 * rng.uniform(0.6, 1.2) * math.sin(a)) for a in np.linspace(0, 6.28, 8)[:-1]]
        d.polygon(pts, fill=c, outline=mix(c, (0, 0, 0), 0.5))


# Relative frequency of each kind of background.
BACKGROUNDS = {f.__name__: f for f in (hills, town, room, forest, sea, abstract, stones)}
KINDS = ["hills", "hills", "town", "town", "room", "room", "room", "forest", "sea", "abstract", "abstract", "stones"]


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

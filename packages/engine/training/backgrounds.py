"""Backgrounds of drawn scenes: layers of flat or graded colour, from a generator of random choices."""
import colorsys
import math

import numpy as np
from PIL import Image, ImageFilter


def hsv(rng, hue, spread=0.08, s=(0.15, 0.8), v=(0.25, 0.98)):
    h = (hue + rng.uniform(-spread, spread)) % 1
    return tuple(int(255 * c) for c in colorsys.hsv_to_rgb(h, rng.uniform(*s), rng.uniform(*v)))


def mix(a, b, t):
    return tuple(int(x * (1 - t) + y * t) for x, y in zip(a, b))


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

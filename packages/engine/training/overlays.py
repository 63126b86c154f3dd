"""Images that edits put behind or over a frame: pages and stickers, drawn once with PIL."""
import random

import numpy as np
import torch
from PIL import Image, ImageDraw


def pages(count, seed):
    """Backgrounds of posted images: page with text bars, player with controls, flat, gradient. [n,3,128,128]"""
    rng = random.Random(seed)
    out = []
    for _ in range(count):
        base = rng.choice([(255, 255, 255), (15, 15, 20), (24, 32, 44), (0, 0, 0), tuple(rng.randrange(256) for _ in range(3))])
        im = Image.new("RGB", (128, 128), base)
        d = ImageDraw.Draw(im)
        dark = sum(base) < 380
        for _ in range(rng.choice([0, 3, 10, 25])):
            c = tuple(rng.randrange(120, 256) if dark else rng.randrange(0, 140) for _ in range(3)) if rng.random() < 0.3 else ((200, 200, 200) if dark else (60, 60, 60))
            x, y, w, h = rng.randrange(128), rng.randrange(128), rng.randrange(4, 90), rng.choice([1, 2, 2, 3, 6])
            d.rectangle((x, y, x + w, y + h), fill=c)
        for _ in range(rng.choice([0, 0, 1, 3])):
            x, y, r = rng.randrange(128), rng.randrange(128), rng.randrange(2, 12)
            d.ellipse((x - r, y - r, x + r, y + r), fill=tuple(rng.randrange(256) for _ in range(3)))
        out.append(np.asarray(im))
    return torch.from_numpy(np.stack(out)).permute(0, 3, 1, 2).contiguous()


def stickers(count, seed, size=64):
    """Opaque overlays with an alpha plane: emoji-like discs, boxes, text strips. [n,4,size,size]"""
    rng = random.Random(seed)
    out = []
    for _ in range(count):
        im = Image.new("RGBA", (size, size), (0, 0, 0, 0))
        d = ImageDraw.Draw(im)
        kind = rng.choice(["text", "text", "text", "disc", "box", "logo"])
        c = rng.choice([(255, 255, 255), (255, 255, 0), tuple(rng.randrange(256) for _ in range(3))])
        if kind == "text":
            for line in range(rng.choice([1, 1, 2])):
                x = rng.uniform(0, size * 0.2)
                y = size * (0.2 + 0.4 * line)
                while x < size * rng.uniform(0.7, 1.0):
                    w = rng.uniform(1, 5)
                    d.rectangle((x - 1, y - 1, x + w + 1, y + size * 0.22 + 1), fill=(0, 0, 0, 255))
                    d.rectangle((x, y, x + w * 0.8, y + size * 0.22), fill=c + (255,))
                    x += w + rng.choice([1, 1, 1, 4])
        elif kind == "disc":
            d.ellipse((4, 4, size - 4, size - 4), fill=c + (255,))
            d.ellipse((16, 20, 26, 30), fill=(0, 0, 0, 255))
            d.ellipse((38, 20, 48, 30), fill=(0, 0, 0, 255))
            d.arc((16, 24, 48, 52), 0, 180, fill=(0, 0, 0, 255), width=3)
        elif kind == "box":
            d.rectangle((0, 0, size, size), fill=c + (rng.choice([255, 200]),))
        else:
            d.polygon([(rng.randrange(size), rng.randrange(size)) for _ in range(5)], fill=c + (220,))
        out.append(np.asarray(im))
    return torch.from_numpy(np.stack(out)).permute(0, 3, 1, 2).contiguous()

"""Images that edits place behind or over a frame: pages, stickers and written words, drawn once with PIL."""
import random
from pathlib import Path

import numpy as np
import torch
from PIL import Image, ImageDraw, ImageFont

WORD_WIDTH, WORD_HEIGHT = 224, 80
SYLLABLES = "ka to mi ne ra so bel dor win est ing lo pa vex qui tan shi mo ru ge fan cor".split()


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


def words(count, seed, fonts):
    """Written words with an alpha plane that fill their image: one to three lines, often outlined. [n,4,80,224]

    `fonts` is a folder of font files of any depth.
    """
    rng = random.Random(seed)
    files = sorted(file for file in Path(fonts).rglob("*") if file.suffix.lower() in (".ttf", ".otf"))
    out = []
    while len(out) < count:
        file = rng.choice(files)
        lines = [" ".join(word(rng) for _ in range(rng.choice([1, 1, 2, 3]))) for _ in range(rng.choice([1, 1, 1, 2, 3]))]
        text = "\n".join(lines)
        text = text.upper() if rng.random() < 0.5 else text.capitalize()
        try:
            font = ImageFont.truetype(str(file), 48)
            stroke = rng.choice([0, 2, 4, 6])
            box = ImageDraw.Draw(Image.new("L", (1, 1))).multiline_textbbox((0, 0), text, font=font, stroke_width=stroke, align="center")
        except (OSError, ValueError):  # Symbol fonts and bitmap fonts have no such text.
            continue
        width, height = int(box[2] - box[0]), int(box[3] - box[1])
        if not (8 < width < 4000 and height > 8):
            continue
        image = Image.new("RGBA", (width, height), (0, 0, 0, 0) if rng.random() < 0.85 else rng.choice([(0, 0, 0, 255), (255, 255, 255, 255), (0, 0, 0, 150)]))
        colour = rng.choice([(255, 255, 255), (255, 255, 255), (0, 0, 0), (255, 230, 0), tuple(rng.randrange(256) for _ in range(3))])
        edge = (0, 0, 0) if sum(colour) > 200 else (255, 255, 255)
        ImageDraw.Draw(image).multiline_text((-box[0], -box[1]), text, font=font, fill=colour, stroke_width=stroke, stroke_fill=edge, align="center")
        out.append(np.asarray(image.resize((WORD_WIDTH, WORD_HEIGHT), Image.BILINEAR)))
    return torch.from_numpy(np.stack(out)).permute(0, 3, 1, 2).contiguous()


def word(rng):
    """A pronounceable word, or kana: fonts without them draw boxes, which hide as much."""
    if rng.random() < 0.15:
        return "".join(chr(rng.randrange(0x3042, 0x3094)) for _ in range(rng.randint(2, 6)))
    return "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 3)))

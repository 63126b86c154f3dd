"""Scenes composed of openly licensed drawings: `python3 collages.py ART OUT PARTS`. ART is a folder of images of any depth.

Opaque images are backgrounds, images with transparent areas are figures in front of them. A sibling has the same background with
other figures, or with the same figures elsewhere. The output has the format of `scenes.py`: parts of 250 scenes and siblings.
"""
import random
import sys
from pathlib import Path

import numpy as np
from PIL import Image, ImageEnhance, ImageFilter, ImageOps

from scenes import HEIGHT, PART, WIDTH, draw, new_recipe, write_part

# Longest side of an image in memory.
LARGEST = 640
LEAST_SIDE = 96
# Larger files take seconds to decode.
MOST_PIXELS = 16_000_000


def read_art(folder):
    """Lists (backgrounds as RGB, figures as RGBA cut to their visible area)."""
    backgrounds, figures = [], []
    for file in sorted(Path(folder).rglob("*")):
        if file.suffix.lower() not in (".png", ".jpg", ".jpeg", ".webp"):
            continue
        try:
            image = Image.open(file)
            if min(image.size) < LEAST_SIDE or image.width * image.height > MOST_PIXELS:
                continue
            image.thumbnail((LARGEST, LARGEST))
            image = image.convert("RGBA")
        except Exception as error:  # A damaged file must not stop hours of work.
            print(file, error, file=sys.stderr)
            continue
        alpha = np.asarray(image)[..., 3]
        if (alpha < 128).mean() < 0.02:
            if np.asarray(image.convert("L")).std() > 8:
                backgrounds.append(image.convert("RGB"))
        elif alpha.max() > 200:
            figures.append(image.crop(image.getchannel("A").point(lambda a: 255 * (a > 32)).getbbox()))
    return backgrounds, figures


def window(image, rng):
    """A random part of an image with the shape of a frame."""
    w, h = image.size
    width = min(w, h * WIDTH / HEIGHT) * rng.choice([1, rng.uniform(0.35, 1)])
    height = width * HEIGHT / WIDTH
    x, y = rng.uniform(0, w - width), rng.uniform(0, h - height)
    image = image.resize((WIDTH, HEIGHT), Image.BOX if width > 2 * WIDTH else Image.BILINEAR, box=(x, y, x + width, y + height))
    return ImageOps.mirror(image) if rng.random() < 0.5 else image


def grade(image, rng):
    if rng.random() < 0.5:
        for enhance in (ImageEnhance.Brightness, ImageEnhance.Contrast, ImageEnhance.Color):
            image = enhance(image).enhance(rng.uniform(0.5, 1.5))
    return image


def backdrop(backgrounds, rng):
    if rng.random() < 0.5:
        image = Image.fromarray(draw(new_recipe(rng.getrandbits(40))))
    else:
        image = window(rng.choice(backgrounds), rng)
    if rng.random() < 0.25:
        image = image.filter(ImageFilter.GaussianBlur(rng.uniform(1, 5)))
    return grade(image, rng)


def put(image, figure, rng):
    size = HEIGHT * rng.choice([rng.uniform(0.2, 0.6), rng.uniform(0.6, 1.6)])
    scale = size / max(figure.size)
    figure = figure.resize([max(4, int(side * scale)) for side in figure.size], Image.BILINEAR)
    if rng.random() < 0.3:
        figure = figure.rotate(rng.uniform(-25, 25), Image.BILINEAR, expand=True)
    x, y = rng.uniform(-0.15, 1) * WIDTH - figure.width / 4, rng.uniform(0.1, 1.1) * HEIGHT - figure.height / 2
    image.paste(figure, (int(x), int(y)), figure)


def draw_pair(backgrounds, figures, rng):
    back = backdrop(backgrounds, rng)
    count = rng.choice([0, 1, 1, 2, 2, 3, 5])
    cast = [rng.choice(figures) for _ in range(count)]
    other = cast if count and rng.random() < 0.4 else [rng.choice(figures) for _ in range(max(1, count))]
    images = []
    for chosen in (cast, other):
        image = back.copy()
        for figure in chosen:
            put(image, ImageOps.mirror(figure) if rng.random() < 0.5 else figure, rng)
        images.append(np.asarray(image))
    return np.stack(images)


def main(folder, out, parts):
    backgrounds, figures = read_art(folder)
    print(f"{len(backgrounds)} backgrounds, {len(figures)} figures", flush=True)
    Path(out).mkdir(parents=True, exist_ok=True)
    for part in range(int(parts)):
        rng = random.Random(5_000_000 + part)
        write_part(Path(out) / f"collage-{part:03d}.npy", lambda: [draw_pair(backgrounds, figures, rng) for _ in range(PART)])


if __name__ == "__main__":
    main(*sys.argv[1:4])

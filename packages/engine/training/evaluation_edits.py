"""Edits of the evaluation, written apart from those of the training: with PIL, at the size of the frame, through JPEG.

`edit(name, frames, at)` edits one frame; the same name and index make the same random choices.
"""
import io
import math
import random

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter, ImageOps

from evaluation_captions import BLACK, WHITE, big_word, captioned, font_of, sentence, subtitled, under_banner



def edit(name, frames, at):
    return EDITS[name](frames[at], random.Random(f"{name}-{at}"), frames)


def jpeg(image, quality):
    file = io.BytesIO()
    image.convert("RGB").save(file, "JPEG", quality=quality)
    return Image.open(io.BytesIO(file.getvalue())).convert("RGB")


def crop(image, x, y, w, h):
    return image.crop((int(x), int(y), int(x + w), int(y + h)))


def part(share):
    """A part of this share of the area, anywhere."""

    def cut(image, r, _):
        width, height = image.size
        wide = min(1, math.sqrt(share * math.exp(r.uniform(-0.25, 0.25))))
        tall = min(1, share / wide)
        return jpeg(crop(image, r.random() * (1 - wide) * width, r.random() * (1 - tall) * height, wide * width, tall * height), 85)

    return cut


def half_width(image, r, _):
    width, height = image.size
    return jpeg(crop(image, r.random() * width / 2, 0, width / 2, height), 85)


def avatar(is_round):
    """A square of 55 to 80 % of the height, cut to a circle."""

    def cut(image, r, _):
        width, height = image.size
        side = height * r.uniform(0.55, 0.8)
        square = crop(image, r.uniform(0, width - side), r.uniform(0, height - side), side, side).resize((256, 256), Image.LANCZOS)
        if is_round:
            mask = Image.new("L", (1024, 1024), 0)
            ImageDraw.Draw(mask).ellipse((0, 0, 1023, 1023), fill=255)
            square = Image.composite(square, Image.new("RGB", (256, 256), r.choice([WHITE, BLACK, (54, 57, 63)])), mask.resize((256, 256), Image.LANCZOS))
        return jpeg(square, 85)

    return cut


def toned(image, r):
    for enhance, low, high in ((ImageEnhance.Brightness, 0.55, 1.45), (ImageEnhance.Contrast, 0.55, 1.5), (ImageEnhance.Color, 0.2, 1.9)):
        image = enhance(image).enhance(r.uniform(low, high))
    return image


def split_level(grey):
    """The threshold of Otsu (1979)."""
    share = np.bincount(grey.ravel(), minlength=256) / grey.size
    weight, mean = share.cumsum(), (share * np.arange(256)).cumsum()
    with np.errstate(all="ignore"):
        return int(np.nanargmax((mean[-1] * weight - mean) ** 2 / (weight * (1 - weight))))


def one_bit(image, r, _):
    grey = np.asarray(image.convert("L"))
    level = r.choice([split_level(grey), 128, int(np.median(grey))])
    if not 0.08 < (grey > level).mean() < 0.92:
        level = split_level(grey)
    return Image.fromarray(((grey > level) * 255).astype(np.uint8)).convert("RGB")


def edges(image, r, _):
    """A line drawing."""
    grey = np.asarray(image.convert("L").filter(ImageFilter.GaussianBlur(r.uniform(0.6, 1.6)))).astype(float)
    across, down = np.zeros_like(grey), np.zeros_like(grey)
    across[:, 1:-1], down[1:-1] = grey[:, 2:] - grey[:, :-2], grey[2:] - grey[:-2]
    slope = np.hypot(across, down)
    if r.random() < 0.6:
        lines = (slope > np.quantile(slope, r.uniform(0.86, 0.93))) * 255.0
    else:
        lines = np.clip(slope / np.quantile(slope, 0.985), 0, 1) * 255
    return jpeg(Image.fromarray((255 - lines if r.random() < 0.7 else lines).astype(np.uint8)), 85)


def posterised(image, r, _):
    return jpeg(ImageOps.posterize(image, r.choice([1, 2])), 85)


def four_browns(image, _, __):
    grey = np.asarray(ImageOps.autocontrast(image.convert("L"), 1))
    palette = np.array([[44, 30, 18], [112, 82, 50], [180, 145, 95], [240, 222, 180]], np.uint8)
    return jpeg(Image.fromarray(palette[np.clip(grey // 64, 0, 3)]), 85)


def mixed(image, r, _):
    """Mirrored, cropped, toned, captioned and compressed twice."""
    image = ImageOps.mirror(image)
    (width, height), share = image.size, r.uniform(0.7, 0.85)
    image = toned(crop(image, r.random() * (1 - share) * width, r.random() * (1 - share) * height, width * share, height * share), r)
    image = under_banner(image, r) if r.random() < 0.5 else captioned(image, r, 0.13)
    return jpeg(jpeg(image.resize((int(width * share * 0.6), int(image.height * 0.6)), Image.LANCZOS), 35), 50)


def covered(image, r, _):
    """A box of one colour or a mosaic over a third of the area."""
    image = image.copy()
    width, height = image.size
    wide = r.uniform(0.42, 0.8)
    tall = min(0.85, 0.333 / wide)
    x, y = r.random() * (1 - wide) * width, r.random() * (1 - tall) * height
    box = (int(x), int(y), int(x + wide * width), int(y + tall * height))
    if r.random() < 0.65:
        ImageDraw.Draw(image).rectangle(box, fill=r.choice([BLACK, WHITE, tuple(r.randrange(256) for _ in range(3))]))
    else:
        inner, size = image.crop(box), r.choice([10, 16, 22])
        tiny = inner.resize((max(1, inner.width // size), max(1, inner.height // size)), Image.BOX)
        image.paste(tiny.resize(inner.size, Image.NEAREST), box)
    return jpeg(image, 85)


def stickered(image, r, _):
    image = image.copy()
    draw, (width, height) = ImageDraw.Draw(image), image.size
    for _ in range(r.randint(2, 4)):
        s = height * r.uniform(0.15, 0.3)
        x, y = r.random() * (width - s), r.random() * (height - s)
        draw.ellipse((x, y, x + s, y + s), fill=tuple(r.randrange(256) for _ in range(3)), outline=BLACK, width=2)
        for eye in (0.33, 0.67):
            draw.ellipse((x + s * eye - s * 0.07, y + s * 0.3, x + s * eye + s * 0.07, y + s * 0.5), fill=BLACK)
        draw.arc((x + s * 0.25, y + s * 0.4, x + s * 0.75, y + s * 0.8), 0, 180, fill=BLACK, width=3)
    return jpeg(image, 85)


def on_page(image, r, _):
    width, height = 640, r.choice([360, 480, 800])
    page = Image.new("RGB", (width, height), r.choice([WHITE, (21, 32, 43), (245, 245, 245), (30, 30, 30)]))
    draw = ImageDraw.Draw(page)
    w = int(width * r.uniform(0.5, 0.85))
    h = int(w * image.height / image.width)
    if h > height * 0.8:
        h = int(height * 0.8)
        w = int(h * image.width / image.height)
    for _ in range(r.randint(3, 14)):
        draw.text((r.randrange(width // 2), r.randrange(height)), sentence(r, 2, 6), font=font_of(r, 14), fill=(120, 120, 120))
    page.paste(image.resize((w, h), Image.LANCZOS), (int(r.random() * (width - w)), int(r.random() * (height - h))))
    return jpeg(page, 80)


def in_perspective(image, corners, ground):
    """The image with its corners at these points of the ground."""
    width, height = image.size
    rows, values = [], []
    for (x, y), (u, v) in zip(corners, [(0, 0), (width, 0), (width, height), (0, height)]):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    factors = tuple(np.linalg.solve(np.array(rows, float), np.array(values, float)))
    mask = Image.new("L", image.size, 255).transform(ground.size, Image.PERSPECTIVE, factors)
    return Image.composite(image.transform(ground.size, Image.PERSPECTIVE, factors, Image.BICUBIC), ground, mask)


def photographed(image, r, _):
    """A screen photographed with a phone: slanted, with moire, a reflection, a tint and noise."""
    width, height = 640, 480
    shade = r.randrange(10, 70)
    near = lambda size: r.uniform(-size, size)
    w = width * r.uniform(0.62, 0.85)
    h = w * image.height / image.width
    x, y = (width - w) / 2 + near(30), (height - h) / 2 + near(30)
    corners = [(a + near(25), b + near(25)) for a, b in ((x, y), (x + w, y), (x + w, y + h), (x, y + h))]
    photo = np.asarray(in_perspective(image, corners, Image.new("RGB", (width, height), (shade, shade, shade + 8)))).astype(float)
    down, across = np.mgrid[0:height, 0:width]
    photo = photo * (1 + 0.06 * np.sin(across * 0.9 + down * 0.35))[..., None]
    spot = np.exp(-((across - r.uniform(100, 540)) ** 2 + (down - r.uniform(80, 400)) ** 2) / 60**2)
    photo = (photo + 130 * spot[..., None] * r.random()) * np.array([r.uniform(0.8, 1.1), 1, r.uniform(0.8, 1.1)])
    photo += np.random.default_rng(r.randrange(9999)).normal(0, 9, photo.shape)
    return jpeg(Image.fromarray(np.clip(photo, 0, 255).astype(np.uint8)), 70)


def turned(least, most):
    def turn(image, r, _):
        degrees = r.choice([-1, 1]) * r.uniform(least, most)
        return jpeg(image.rotate(degrees, Image.BICUBIC, expand=r.random() < 0.5, fillcolor=r.choice([BLACK, WHITE])), 80)

    return turn


def blended(image, r, frames):
    """Two exposures: the frame and a weaker other one."""
    other = r.choice(frames)
    while ImageChops.difference(other.resize(image.size), image).convert("L").resize((8, 8)).getextrema()[1] < 40:
        other = r.choice(frames)
    return jpeg(Image.blend(image, other.resize(image.size), r.uniform(0.35, 0.5)), 85)


def upright_video(image, r, _):
    """The frame in the middle of an upright video, with its own blurred middle behind."""
    width, height = 270, 480
    behind = image.resize((int(height * image.width / image.height), height))
    left = (behind.width - width) // 2
    behind = behind.crop((left, 0, left + width, height)).filter(ImageFilter.GaussianBlur(14))
    h = int(width * image.height / image.width)
    behind.paste(image.resize((width, h)), (0, (height - h) // 2))
    return jpeg(behind, 70)


def with_bars(image, r, _):
    bar = int(r.uniform(0.08, 0.2) * image.height)
    out = Image.new("RGB", (image.width, image.height + 2 * bar))
    out.paste(image, (0, bar))
    return jpeg(out, 85)


# Usual edits first, then those of which less is found.
EDITS = {
    "clean-jpeg50": lambda image, r, _: jpeg(image, 50),
    "mirrored": lambda image, r, _: jpeg(ImageOps.mirror(image), 80),
    "tone": lambda image, r, _: jpeg(toned(image, r), 80),
    "grey": lambda image, r, _: image.convert("L").convert("RGB"),
    "subtitle": lambda image, r, _: jpeg(subtitled(image, r), 80),
    "caption": lambda image, r, _: jpeg(captioned(image, r, 0.14), 70),
    "crop-half": part(0.5),
    "half-width": half_width,
    "page": on_page,
    "phone": photographed,
    "rotate-10": turned(5, 12),
    "tiny-jpeg": lambda image, r, _: jpeg(image.resize((120, int(120 * image.height / image.width))), 20),
    "letterbox": with_bars,
    "vertical": upright_video,
    "stickers": stickered,
    "blur": lambda image, r, _: image.filter(ImageFilter.GaussianBlur(r.uniform(4, 9))),
    "avatar-circle": avatar(True),
    "avatar-square": avatar(False),
    "one-bit": one_bit,
    "big-word": lambda image, r, _: jpeg(big_word(image, r), 85),
    "third-area": part(1 / 3),
    "quarter-area": part(0.25),
    "fifth-area": part(0.2),
    "mixed": mixed,
    "quarter-turn": lambda image, r, _: jpeg(image.rotate(90 * r.randint(1, 3), expand=True), 80),
    "rotate-far": turned(18, 40),
    "edges": edges,
    "third-covered": covered,
    "blend": blended,
    "sepia-4": four_browns,
    "posterised": posterised,
    "inverted": lambda image, r, _: jpeg(ImageOps.invert(image), 85),
}

"""Written words of the evaluation: captions, banners, subtitles, a large word. Drawn with PIL at the size of the frame."""
from PIL import Image, ImageDraw, ImageFont

FONT_FOLDER = "/usr/share/fonts/truetype/dejavu/"
FONTS = [FONT_FOLDER + name for name in ("DejaVuSans-Bold.ttf", "DejaVuSerif-Bold.ttf", "DejaVuSansCondensed-Bold.ttf", "DejaVuSans.ttf")]
WORDS = (
    "when monday coffee never again that moment explain please nobody deadline forgot exam winter cat snack tired wow legend mood "
    "friend brother sleep what now help wrong right level boss"
).split()
BLACK, WHITE = (0, 0, 0), (255, 255, 255)


def font_of(r, size):
    return ImageFont.truetype(r.choice(FONTS), max(6, int(size)))


def fitted(draw, text, font, width):
    while draw.textlength(text, font=font) > width and font.size > 7:
        font = font.font_variant(size=int(font.size * 0.9))
    return font


def sentence(r, least, most):
    return " ".join(r.choice(WORDS) for _ in range(r.randint(least, most)))


def big_word(image, r):
    """A word in large letters across the middle."""
    image = image.copy()
    draw, (width, height) = ImageDraw.Draw(image), image.size
    text = r.choice(WORDS).upper()
    font = fitted(draw, text, font_of(r, height * r.uniform(0.28, 0.45)), width * 0.98)
    colour = r.choice([WHITE, (255, 230, 0), (230, 30, 30), BLACK])
    stroke = {"stroke_width": int(font.size / 14) if r.random() < 0.7 else 0, "stroke_fill": BLACK if sum(colour) > 100 else WHITE}
    draw.text((width / 2, height * r.uniform(0.42, 0.58)), text, font=font, fill=colour, anchor="mm", **stroke)
    return image


def captioned(image, r, size):
    """Outlined capitals at the top and at the bottom."""
    image = image.copy()
    draw, (width, height) = ImageDraw.Draw(image), image.size
    for y, anchor in ((height * 0.03, "ma"), (height * 0.97, "md")):
        text = sentence(r, 2, 4).upper()
        font = fitted(draw, text, font_of(r, height * size), width * 0.95)
        draw.text((width / 2, y), text, font=font, fill=WHITE, anchor=anchor, stroke_width=max(1, int(font.size / 12)), stroke_fill=BLACK)
    return image


def under_banner(image, r):
    """A plain bar with text above the frame."""
    width, height = image.size
    bar = int(height * r.uniform(0.15, 0.25))
    ground, ink = r.choice([(WHITE, BLACK), (BLACK, WHITE)])
    out = Image.new("RGB", (width, height + bar), ground)
    out.paste(image, (0, bar))
    draw, text = ImageDraw.Draw(out), sentence(r, 3, 6)
    draw.text((width / 2, bar / 2), text, font=fitted(draw, text, font_of(r, bar * 0.5), width * 0.96), anchor="mm", fill=ink)
    return out


def subtitled(image, r):
    image = image.copy()
    draw, (width, height) = ImageDraw.Draw(image), image.size
    for line in range(r.randint(1, 2)):
        fill = WHITE if r.random() < 0.6 else (255, 255, 60)
        at = (width / 2, height * (0.93 - 0.09 * line))
        draw.text(at, sentence(r, 3, 6), font=font_of(r, height * 0.075), anchor="mm", fill=fill, stroke_width=2, stroke_fill=BLACK)
    return image

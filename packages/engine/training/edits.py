"""Common edits of screenshots as batched tensor operations. Each returns the edited views and what they show."""
import math

import numpy as np
import torch
import torch.nn.functional as F

from overlays import pages, stickers, words
from styles import GREY, blocks, style

ASPECT = 16 / 9
# Sides of the smallest part: a sixth of the area.
LEAST_SIDE = 0.41


class Editor:
    """Edits batches [n, 3, h, w] in 0..1 of frames. Boxes are left, top, right, bottom in 0..1, [n, 4]."""

    def __init__(self, size, seed, fonts):
        self.size = size
        self.pages = pages(512, seed)
        self.stickers = stickers(512, seed + 1)
        self.words = words(1024, seed + 2, fonts)
        self.g = np.random.default_rng(seed)

    def light(self, x, size=None):
        """Nearly clean: shrink, slight crop and shift, mild tone, light noise."""
        g, n = self.g, x.shape[0]
        z = g.uniform(0.95, 1.0, n)
        m = [scaled(one, one, g.uniform(-1, 1) * (1 - one), g.uniform(-1, 1) * (1 - one)) for one in z]
        y, _ = self.warp(x, np.stack(m), size or self.size)
        y = self.tone(y, 0.3, 0.06)
        y = self.blur(y, 0.2)
        return self.noise(y, 0.3, 0.02).clamp(0, 1)

    def heavy(self, x, other):
        """Stacks of edits of any kind. Returns the views and the box of the frame that they show."""
        drawn = [self.part() if self.g.random() < 0.3 else self.geometry() for _ in range(len(x))]
        return self.edited(x, other, drawn)

    def parts(self, x, other):
        """Parts of frames, down to a sixth of the area, with fewer edits. Returns the views and the box of each part."""
        return self.edited(x, other, [self.part() for _ in range(len(x))], strength=0.6)

    def posted(self, x, other, size):
        """Frames upright on a page. Returns the images and the box of the frame in each."""
        g, n = self.g, len(x)
        m, shown = np.zeros((n, 3, 3)), np.tile(np.array([[-1.0, -1], [1, 1]]), (n, 1, 1))
        for i in range(n):
            zx = 1 / g.uniform(0.4, 0.95)
            zy = 1 / g.uniform(0.35, 0.95) if g.random() < 0.6 else zx
            m[i] = scaled(zx, zy, g.uniform(-1, 1) * (zx - 1), g.uniform(-1, 1) * (zy - 1))
        y, inside = self.warp(x, m, size, shown)
        y = y * inside + self.backdrop(x, other, size) * (1 - inside)
        y = self.noise(self.tone(y, 0.5, 0.25), 0.4, 0.04).clamp(0, 1)
        corners = (np.array([[-1.0, -1], [1, 1]])[None] - m[:, :2, 2][:, None]) / m[:, [0, 1], [0, 1]][:, None]
        return y, torch.from_numpy((corners.reshape(n, 4) + 1) / 2).float().clamp(0, 1)

    def edited(self, x, other, drawn, strength=1.0):
        g, n, s = self.g, len(x), self.size
        m, shown = np.stack([one[0] for one in drawn]), np.stack([one[1] for one in drawn])
        y, inside = self.warp(x, m, s, shown)
        boxes = self.visible(m, shown)
        lin = (torch.arange(s) + 0.5) / s * 2 - 1
        circle = (lin[:, None] ** 2 + lin[None] ** 2 <= 1).float()
        inside = torch.where(torch.tensor([one[2] for one in drawn])[:, None, None, None], inside * circle, inside)
        order = g.random()
        if order < 0.35:
            y = self.tone(y, 0.65 * strength, 0.35)
        if order < 0.6:
            y = style(y, 0.22 * strength, g)
        y = self.blend(y, other, 0.07 * strength)
        y = y * inside + self.backdrop(x, other, s) * (1 - inside)
        if order >= 0.35:
            y = self.tone(y, 0.65 * strength, 0.35)
        y = self.cover(y, 0.14 * strength)
        y = self.overlay(y, strength)
        if order >= 0.6:
            y = style(y, 0.22 * strength, g)
        y = self.light_effects(y, strength)
        y = self.blur(y, 0.4 * strength)
        y = blocks(y, 0.3 * strength, g)
        return self.noise(y, 0.5 * strength, 0.06).clamp(0, 1), boxes

    def visible(self, m, shown):
        """The box of the source that the output shows: of its corners, within what remains of the source."""
        corners = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1.0]])
        p = corners @ m.transpose(0, 2, 1)
        p = p[..., :2] / np.clip(p[..., 2:], 1e-3, None)
        low, high = np.maximum(p.min(1), shown[:, 0]), np.minimum(p.max(1), shown[:, 1])
        high = np.maximum(high, low + 0.1)
        return torch.from_numpy((np.concatenate([low, high], 1) + 1) / 2).float().clamp(0, 1)

    def part(self):
        """A part of any shape, or a square avatar, which a circle may cut. Returns the homography, the rest of the source, is round."""
        g = self.g
        is_round = False
        if g.random() < 0.4:
            zy = g.uniform(0.5, 0.95)
            zx = zy / ASPECT * g.uniform(0.9, 1.1)
            is_round = g.random() < 0.5
        else:
            zx, zy = g.uniform(LEAST_SIDE, 1), g.uniform(LEAST_SIDE, 1)
            if g.random() < 0.6:
                zy = np.clip(zx * g.uniform(0.8, 1.25), LEAST_SIDE, 1)
        m = scaled(zx, zy, g.uniform(-1, 1) * (1 - zx), g.uniform(-1, 1) * (1 - zy))
        if g.random() < 0.15:
            m = m @ rotation(g.uniform(-8, 8))
        if g.random() < 0.35:
            m = m @ np.diag([-1.0, 1, 1])
        return m, np.array([[-1.0, -1], [1, 1]]), is_round

    def geometry(self):
        """Output-to-source homography in normalised coordinates, the remaining part of the source: (x, y) from, (x, y) to, is round."""
        g = self.g
        m = np.eye(3)
        shown = np.array([[-1.0, -1], [1, 1]])
        roll = g.random()
        if roll < 0.25:  # crop, down to half of each side
            zx, zy = g.uniform(0.5, 1), g.uniform(0.5, 1)
            if g.random() < 0.45:
                zy = zx
            m = scaled(zx, zy, g.uniform(-1, 1) * (1 - zx), g.uniform(-1, 1) * (1 - zy))
        elif roll < 0.45:  # one side cropped, down to less than half; stretched, or in place with a repeated border
            z, axis = g.uniform(0.4, 0.8), int(g.random() < 0.35)
            off = g.choice([-1, 1, g.uniform(-1, 1)]) * (1 - z)
            if g.random() < 0.4:
                shown[:, axis] = off - z, off + z
            else:
                m = np.eye(3)
                m[axis, axis], m[axis, 2] = z, off
        elif roll < 0.72:  # page: the frame takes 45..100 % of each side
            zx, zy = 1 / g.uniform(0.5, 1.0), 1 / g.uniform(0.45, 1.0)
            wide = g.random()
            zx, zy = (1 / g.uniform(0.92, 1), zy) if wide < 0.4 else (zx, 1 / g.uniform(0.92, 1)) if wide < 0.58 else (zx, zy)
            m = scaled(zx, zy, g.uniform(-1, 1) * (zx - 1), g.uniform(-1, 1) * (zy - 1))
        if g.random() < 0.35:  # rotation in the aspect ratio of the frame
            degrees = g.uniform(-12, 12) if g.random() < 0.8 else g.uniform(-40, 40)
            m = m @ rotation(degrees)
            if g.random() < 0.5:
                s = 1 / (1 + 0.6 * abs(math.sin(math.radians(degrees))))
                m = m @ np.diag([s, s, 1])
        if g.random() < 0.25:  # perspective
            m = m @ np.array([[1, 0, 0], [0, 1, 0], [g.uniform(-0.18, 0.18), g.uniform(-0.18, 0.18), 1]])
        if g.random() < 0.08:  # quarter turns, stretched to the input like every image
            m = m @ np.array(QUARTERS[g.integers(0, 3)])
        if g.random() < 0.45:
            m = m @ np.diag([-1, 1, 1])
        return m, shown, False

    def warp(self, x, m, size, shown=None):
        n, s = x.shape[0], size
        lin = (torch.arange(s, dtype=torch.float32) + 0.5) / s * 2 - 1
        gy, gx = torch.meshgrid(lin, lin, indexing="ij")
        grid = torch.stack([gx, gy, torch.ones_like(gx)], -1).reshape(1, -1, 3)
        p = grid @ torch.from_numpy(np.ascontiguousarray(m)).float().transpose(1, 2)
        p = p[..., :2] / p[..., 2:].clamp(min=1e-3)
        p = p.reshape(n, s, s, 2)
        inside = ((p.abs() <= 1).all(-1)).float()[:, None]
        if shown is not None:
            left = torch.from_numpy(shown).float()[:, :, None, None]
            p = torch.minimum(torch.maximum(p, left[:, 0]), left[:, 1])
        y = F.grid_sample(x, p, mode="bilinear", padding_mode="border", align_corners=False)
        return y, inside

    def backdrop(self, x, other, size):
        """What surrounds a frame: a page, another frame, or the frame itself, blurred."""
        g, n = self.g, len(x)
        page = self.pages[g.integers(0, len(self.pages), n)].float() / 255
        page = F.interpolate(page, size=(size, size), mode="bilinear", align_corners=False)
        use_other = self.chosen(n, 0.2)
        behind = torch.where(use_other, F.interpolate(other, size=(size, size), mode="area"), page)
        own = F.interpolate(F.interpolate(x, size=(12, 12), mode="area"), size=(size, size), mode="bilinear", align_corners=False)
        return torch.where(self.chosen(n, 0.1), own, behind)

    def chosen(self, n, chance):
        return torch.from_numpy(self.g.random(n) < chance)[:, None, None, None]

    def tone(self, x, chance, amount):
        g, n = self.g, x.shape[0]

        def pick(lo, hi, p=chance, neutral=1.0):
            v = np.where(g.random(n) < p, g.uniform(lo, hi, n), neutral)
            return torch.from_numpy(v.astype(np.float32))[:, None, None, None]

        grey = (x * GREY).sum(1, keepdim=True)
        sat = pick(1 - 2.2 * amount, 1 + 2.2 * amount)
        flat = torch.from_numpy((g.random(n) < 0.4 * amount).astype(np.float32))[:, None, None, None]
        sat = sat * (1 - flat)
        x = grey + (x - grey) * sat
        x = (x - 0.5) * pick(1 - 1.4 * amount, 1 + 1.4 * amount) + 0.5 + pick(-0.6 * amount, 0.6 * amount, neutral=0.0)
        x = x.clamp(1e-4, 1) ** pick(1 - amount, 1 + 2.2 * amount)
        tint = 1 + (g.random((n, 3)) - 0.5) * 2 * amount * (g.random(n) < chance * 0.6)[:, None]
        warm = np.where((g.random(n) < 0.3 * amount)[:, None], np.array([[1.0, 0.72, 0.4]]), 1.0)  # night filter
        return (x * torch.from_numpy((tint * warm).astype(np.float32))[:, :, None, None]).clamp(0, 1)

    def blend(self, x, other, chance):
        """Two exposures."""
        t = torch.from_numpy(self.g.uniform(0.3, 0.5, len(x))).float()[:, None, None, None] * self.chosen(len(x), chance)
        return x + (F.interpolate(other, size=x.shape[2:], mode="area") - x) * t if t.any() else x

    def cover(self, x, chance):
        """A box of one colour or a mosaic over 0.1 to 0.45 of the area."""
        g, s = self.g, self.size
        for i in np.where(g.random(len(x)) < chance)[0]:
            area = g.uniform(0.1, 0.45)
            w = g.uniform(max(area, 0.3), 0.95)
            h = min(0.95, area / w)
            w, h = int(w * s), int(h * s)
            a, b = int(g.integers(0, s - w + 1)), int(g.integers(0, s - h + 1))
            part = x[i, :, b : b + h, a : a + w]
            if g.random() < 0.65:
                part[:] = torch.from_numpy(g.random(3) if g.random() < 0.5 else np.full(3, g.choice([0.0, 1.0]))).float()[:, None, None]
            else:
                k = int(g.integers(3, 9))
                tiny = F.adaptive_avg_pool2d(part[None], (max(1, h // k), max(1, w // k)))
                part[:] = F.interpolate(tiny, size=(h, w), mode="nearest")[0]
        return x

    def overlay(self, x, strength=1.0):
        g, n, s = self.g, x.shape[0], self.size
        for i in range(n):
            if g.random() > strength:
                continue
            for _ in range(int(g.choice([0, 0, 1, 1, 2, 4]))):
                w, h = int(s * g.uniform(0.1, 0.8)), int(s * g.uniform(0.08, 0.3))
                if g.random() < 0.4:
                    w = h = int(s * g.uniform(0.08, 0.35))
                a, b = int(g.integers(0, max(1, s - w))), int(g.integers(0, max(1, s - h)))
                if g.random() < 0.45:
                    b = int(s * 0.98 - h)
                self.lay(x[i], self.stickers, a, b, w, h)
            if g.random() < 0.12:  # meme bars
                t, c = int(s * g.uniform(0.08, 0.25)), float(g.choice([0, 1]))
                if g.random() < 0.7:
                    x[i, :, :t] = c
                if g.random() < 0.7:
                    x[i, :, s - t :] = c
            roll = g.random()
            if roll < 0.1:  # a large word across the image
                w, h = int(s * g.uniform(0.6, 1)), int(s * g.uniform(0.2, 0.5))
                self.lay(x[i], self.words, int(g.integers(0, s - w + 1)), int(g.integers(0, s - h + 1)), w, h)
            elif roll < 0.25:  # captions at the top, at the bottom
                for at in ("top", "bottom"):
                    if g.random() < 0.7:
                        w, h = int(s * g.uniform(0.5, 1)), int(s * g.uniform(0.08, 0.25))
                        b = int(s * g.uniform(0, 0.05)) if at == "top" else int(s * g.uniform(0.95, 1) - h)
                        self.lay(x[i], self.words, (s - w) // 2, b, w, h)
        return x

    def lay(self, image, overlays, a, b, w, h):
        over = overlays[self.g.integers(0, len(overlays))][None].float() / 255
        over = F.interpolate(over, size=(h, w), mode="area" if h < over.shape[2] / 2 else "bilinear")[0]
        part = image[:, b : b + h, a : a + w]
        part += (over[:3] - part) * over[3:]

    def light_effects(self, x, strength=1.0):
        g, n, s = self.g, x.shape[0], self.size
        lin = torch.linspace(-1, 1, s)
        gy, gx = torch.meshgrid(lin, lin, indexing="ij")
        for i in range(n):
            roll = g.random() / strength
            if roll < 0.1:
                x[i] *= 1 - g.uniform(0.2, 0.7) * (gx**2 + gy**2).clamp(max=2) / 2
            elif roll < 0.2:
                a, f = g.uniform(0, 6.3), g.uniform(15, 60)
                x[i] *= 1 + g.uniform(0.03, 0.15) * torch.sin(f * (gx * math.cos(a) + gy * math.sin(a)))
            if g.random() < 0.08 * strength:
                cx, cy, r = g.uniform(-1, 1), g.uniform(-1, 1), g.uniform(0.1, 0.6)
                x[i] += g.uniform(0.2, 0.8) * torch.exp(-((gx - cx) ** 2 + (gy - cy) ** 2) / r**2)
        return x

    def blur(self, x, chance):
        g = self.g
        if g.random() > 0.8:
            return x
        pick = torch.from_numpy(g.random(x.shape[0]) < chance)
        if pick.any():
            s = x.shape[2]
            k = max(16, int(s * g.uniform(0.15 if g.random() < 0.25 else 0.3, 0.8)))
            y = F.interpolate(F.interpolate(x[pick], size=(k, k), mode="area"), size=(s, s), mode="bilinear", align_corners=False)
            x = x.clone()
            x[pick] = y
        return x

    def noise(self, x, chance, amount):
        a = torch.from_numpy((self.g.random(x.shape[0]) < chance) * self.g.uniform(0, amount, x.shape[0])).float()
        return x + torch.randn_like(x) * a[:, None, None, None]


def scaled(x, y, across, down):
    return np.array([[x, 0, across], [0, y, down], [0, 0, 1]])


def rotation(degrees):
    a = math.radians(degrees)
    return np.array([[math.cos(a), -math.sin(a) / ASPECT, 0], [math.sin(a) * ASPECT, math.cos(a), 0], [0, 0, 1]])


QUARTERS = (((0, 1, 0), (-1, 0, 0), (0, 0, 1)), ((-1, 0, 0), (0, -1, 0), (0, 0, 1)), ((0, -1, 0), (1, 0, 0), (0, 0, 1)))

"""Common edits of screenshots as batched tensor operations. Each returns the edited views and what they show."""
import math

import numpy as np
import torch
import torch.nn.functional as F

from geometry import draw_any, draw_part, draw_posted, scaled, visible
from overlays import pages, stickers, words
from styles import GREY, blocks, style


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
        drawn = [draw_part(self.g) if self.g.random() < 0.3 else draw_any(self.g) for _ in range(len(x))]
        return self.edited(x, other, drawn)

    def parts(self, x, other):
        """Parts of frames, down to a sixth of the area, with fewer edits. Returns the views and the box of each part."""
        return self.edited(x, other, [draw_part(self.g) for _ in range(len(x))], strength=0.6)

    def posted(self, x, other, size):
        """Frames on a page, upright or as in a photo of a screen. Returns the images and the box of the frame in each."""
        drawn = [draw_posted(self.g) for _ in x]
        m, shown = np.stack([one[0] for one in drawn]), np.stack([one[1] for one in drawn])
        y, inside = self.warp(x, m, size, shown)
        y = self.surround(y, inside, x, other)
        y = self.noise(self.tone(y, 0.5, 0.25), 0.4, 0.04).clamp(0, 1)
        return y, visible(np.linalg.inv(m), shown)

    def edited(self, x, other, drawn, strength=1.0):
        g, n, s = self.g, len(x), self.size
        m, shown = np.stack([one[0] for one in drawn]), np.stack([one[1] for one in drawn])
        y, inside = self.warp(x, m, s, shown)
        boxes = visible(m, shown)
        lin = (torch.arange(s) + 0.5) / s * 2 - 1
        circle = (lin[:, None] ** 2 + lin[None] ** 2 <= 1).float()
        inside = torch.where(torch.tensor([one[2] for one in drawn])[:, None, None, None], inside * circle, inside)
        order = g.random()
        if order < 0.35:
            y = self.tone(y, 0.65 * strength, 0.35)
        if order < 0.6:
            y = style(y, 0.3 * strength, g)
        y = self.blend(y, other, 0.07 * strength)
        y = self.surround(y, inside, x, other)
        if order >= 0.35:
            y = self.tone(y, 0.65 * strength, 0.35)
        y = self.cover(y, 0.14 * strength)
        y = self.overlay(y, strength)
        if order >= 0.6:
            y = style(y, 0.3 * strength, g)
        y = self.light_effects(y, strength)
        y = self.blur(y, 0.4 * strength)
        y = blocks(y, 0.3 * strength, g)
        return self.noise(y, 0.5 * strength, 0.06).clamp(0, 1), boxes

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

    def surround(self, y, inside, x, other):
        """Puts frames that leave room on a page, on another frame or on themselves, blurred."""
        g, size = self.g, y.shape[2:]
        rows = torch.where((inside < 1).flatten(1).any(1))[0]
        page = self.pages[g.integers(0, len(self.pages), len(rows))].float() / 255
        behind = F.interpolate(page, size=size, mode="bilinear", align_corners=False)
        kind = torch.from_numpy(g.random(len(rows)))
        framed, blurred = torch.where(kind < 0.2)[0], torch.where(kind > 0.9)[0]
        if len(framed):
            behind[framed] = F.interpolate(other[rows[framed]], size=size, mode="area")
        if len(blurred):
            tiny = F.interpolate(x[rows[blurred]], size=(12, 12), mode="area")
            behind[blurred] = F.interpolate(tiny, size=size, mode="bilinear", align_corners=False)
        y[rows] = y[rows] * inside[rows] + behind * (1 - inside[rows])
        return y

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

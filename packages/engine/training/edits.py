"""Common edits of screenshots as batched tensor operations (one nearly clean view, one heavily edited view)."""
import math

import numpy as np
import torch
import torch.nn.functional as F

from overlays import pages, stickers


class Editor:
    def __init__(self, size, seed):
        self.size = size
        self.pages = pages(512, seed)
        self.stickers = stickers(512, seed + 1)
        self.g = np.random.default_rng(seed)

    def light(self, x):
        """Nearly clean: shrink, slight crop and shift, mild tone, light noise."""
        g, n = self.g, x.shape[0]
        theta = np.zeros((n, 3, 3), np.float32)
        z = g.uniform(0.93, 1.0, n)
        t = g.uniform(-1, 1, (n, 2)) * (1 - z)[:, None]
        theta[:, 0, 0] = z
        theta[:, 1, 1] = z
        theta[:, :2, 2] = t
        theta[:, 2, 2] = 1
        y, _ = self.warp(x, theta)
        y = self.tone(y, 0.3, 0.06)
        y = self.blur(y, 0.2)
        return self.noise(y, 0.3, 0.02).clamp(0, 1)

    def heavy(self, x):
        g, n = self.g, x.shape[0]
        M = np.zeros((n, 3, 3), np.float32)
        shown = np.zeros((n, 2, 2), np.float32)
        for i in range(n):
            M[i], shown[i] = self.geometry()
        y, inside = self.warp(x, M, shown)
        page = self.pages[g.integers(0, len(self.pages), n)].float() / 255
        page = F.interpolate(page, size=(self.size, self.size), mode="bilinear", align_corners=False)
        other = torch.from_numpy(g.permutation(n))
        use_other = torch.from_numpy(g.random(n) < 0.25)[:, None, None, None]
        backdrop = torch.where(use_other, F.interpolate(x[other], size=(self.size, self.size), mode="area"), page)
        if g.random() < 0.3:  # blurred copy of itself, as in vertical video editors
            own = F.interpolate(F.interpolate(x, size=(12, 12), mode="area"), size=(self.size, self.size), mode="bilinear", align_corners=False)
            pick = torch.from_numpy(g.random(n) < 0.3)[:, None, None, None]
            backdrop = torch.where(pick, own, backdrop)
        order = g.random() < 0.5
        if order:
            y = self.tone(y, 0.65, 0.35)
        y = y * inside + backdrop * (1 - inside)
        if not order:
            y = self.tone(y, 0.65, 0.35)
        y = self.overlay(y)
        y = self.light_effects(y)
        y = self.blur(y, 0.4)
        return self.noise(y, 0.5, 0.06).clamp(0, 1)

    def geometry(self):
        """Output-to-source homography in normalised coordinates, and the remaining part of the source: (x, y) from, (x, y) to."""
        g = self.g
        m = np.eye(3)
        shown = np.array([[-1, -1], [1, 1]])
        # Zoom in (crop) or out (image on a page)
        roll = g.random()
        if roll < 0.25:  # crop, down to half of each side
            zx, zy = g.uniform(0.5, 1), g.uniform(0.5, 1)
            if g.random() < 0.45:
                zy = zx
            m = m @ np.array([[zx, 0, g.uniform(-1, 1) * (1 - zx)], [0, zy, g.uniform(-1, 1) * (1 - zy)], [0, 0, 1]])
        elif roll < 0.5:  # one side cropped, down to less than half; stretched, or in place with a repeated border
            z, axis = g.uniform(0.4, 0.8), int(g.random() < 0.35)
            off = g.choice([-1, 1, g.uniform(-1, 1)]) * (1 - z)
            if g.random() < 0.4:
                shown[:, axis] = off - z, off + z
            else:
                m = np.eye(3)
                m[axis, axis], m[axis, 2] = z, off
        elif roll < 0.76:  # page: the frame takes 45..100 % of each side
            zx, zy = 1 / g.uniform(0.5, 1.0), 1 / g.uniform(0.45, 1.0)
            if g.random() < 0.4:
                zx = 1 / g.uniform(0.92, 1)
            elif g.random() < 0.3:
                zy = 1 / g.uniform(0.92, 1)
            m = m @ np.array([[zx, 0, g.uniform(-1, 1) * (zx - 1)], [0, zy, g.uniform(-1, 1) * (zy - 1)], [0, 0, 1]])
        if g.random() < 0.35:  # rotation in the aspect ratio of the frame
            a = math.radians(g.uniform(-12, 12))
            asp = 16 / 9
            m = m @ np.array([[math.cos(a), -math.sin(a) / asp, 0], [math.sin(a) * asp, math.cos(a), 0], [0, 0, 1]])
            if g.random() < 0.5:
                s = 1 / (1 + 0.6 * abs(math.sin(a)))
                m = m @ np.diag([s, s, 1])
        if g.random() < 0.25:  # perspective
            m = m @ np.array([[1, 0, 0], [0, 1, 0], [g.uniform(-0.18, 0.18), g.uniform(-0.18, 0.18), 1]])
        if g.random() < 0.45:
            m = m @ np.diag([-1, 1, 1])
        return m, shown

    def warp(self, x, m, shown=None):
        n, s = x.shape[0], self.size
        lin = (torch.arange(s, dtype=torch.float32) + 0.5) / s * 2 - 1
        gy, gx = torch.meshgrid(lin, lin, indexing="ij")
        grid = torch.stack([gx, gy, torch.ones_like(gx)], -1).reshape(1, -1, 3)
        p = grid @ torch.from_numpy(np.ascontiguousarray(m)).float().transpose(1, 2)
        p = p[..., :2] / p[..., 2:].clamp(min=1e-3)
        p = p.reshape(n, s, s, 2)
        inside = ((p.abs() <= 1).all(-1)).float()[:, None]
        if shown is not None:
            left = torch.from_numpy(shown)[:, :, None, None]
            p = torch.minimum(torch.maximum(p, left[:, 0]), left[:, 1])
        y = F.grid_sample(x, p, mode="bilinear", padding_mode="border", align_corners=False)
        return y, inside

    def tone(self, x, chance, amount):
        g, n = self.g, x.shape[0]

        def pick(lo, hi, p=chance, neutral=1.0):
            v = np.where(g.random(n) < p, g.uniform(lo, hi, n), neutral)
            return torch.from_numpy(v.astype(np.float32))[:, None, None, None]

        grey = (x * torch.tensor([0.299, 0.587, 0.114])[None, :, None, None]).sum(1, keepdim=True)
        sat = pick(1 - 2.2 * amount, 1 + 2.2 * amount)
        flat = torch.from_numpy((g.random(n) < 0.4 * amount).astype(np.float32))[:, None, None, None]
        sat = sat * (1 - flat)
        x = grey + (x - grey) * sat
        x = (x - 0.5) * pick(1 - 1.4 * amount, 1 + 1.4 * amount) + 0.5 + pick(-0.6 * amount, 0.6 * amount, neutral=0.0)
        x = x.clamp(1e-4, 1) ** pick(1 - amount, 1 + 2.2 * amount)
        tint = 1 + (g.random((n, 3)) - 0.5) * 2 * amount * (g.random(n) < chance * 0.6)[:, None]
        warm = np.where((g.random(n) < 0.3 * amount)[:, None], np.array([[1.0, 0.72, 0.4]]), 1.0)  # night filter
        return (x * torch.from_numpy((tint * warm).astype(np.float32))[:, :, None, None]).clamp(0, 1)

    def overlay(self, x):
        g, n, s = self.g, x.shape[0], self.size
        for i in range(n):
            k = int(g.choice([0, 0, 1, 1, 2, 4]))
            for _ in range(k):
                st = self.stickers[g.integers(0, len(self.stickers))][None].float() / 255
                w, h = int(s * g.uniform(0.1, 0.8)), int(s * g.uniform(0.08, 0.3))
                if g.random() < 0.4:
                    w = h = int(s * g.uniform(0.08, 0.35))
                st = F.interpolate(st, size=(h, w), mode="bilinear", align_corners=False)[0]
                a, b = int(g.integers(0, max(1, s - w))), int(g.integers(0, max(1, s - h)))
                if g.random() < 0.45:
                    b = int(s * 0.98 - h)
                al = st[3:]
                x[i, :, b : b + h, a : a + w] = st[:3] * al + x[i, :, b : b + h, a : a + w] * (1 - al)
            if g.random() < 0.12:  # meme bars
                t, c = int(s * g.uniform(0.08, 0.25)), float(g.choice([0, 1]))
                if g.random() < 0.7:
                    x[i, :, :t] = c
                if g.random() < 0.7:
                    x[i, :, s - t :] = c
        return x

    def light_effects(self, x):
        g, n, s = self.g, x.shape[0], self.size
        lin = torch.linspace(-1, 1, s)
        gy, gx = torch.meshgrid(lin, lin, indexing="ij")
        for i in range(n):
            roll = g.random()
            if roll < 0.12:
                x[i] *= 1 - g.uniform(0.2, 0.7) * (gx**2 + gy**2).clamp(max=2) / 2
            elif roll < 0.22:
                a, f = g.uniform(0, 6.3), g.uniform(15, 60)
                x[i] *= 1 + g.uniform(0.03, 0.15) * torch.sin(f * (gx * math.cos(a) + gy * math.sin(a)))
            if g.random() < 0.08:
                cx, cy, r = g.uniform(-1, 1), g.uniform(-1, 1), g.uniform(0.1, 0.6)
                x[i] += g.uniform(0.2, 0.8) * torch.exp(-((gx - cx) ** 2 + (gy - cy) ** 2) / r**2)
        return x

    def blur(self, x, chance):
        if self.g.random() > 0.8:
            return x
        pick = torch.from_numpy(self.g.random(x.shape[0]) < chance)
        if pick.any():
            f = self.g.uniform(0.3, 0.8)
            k = max(16, int(self.size * f))
            y = F.interpolate(F.interpolate(x[pick], size=(k, k), mode="area"), size=(self.size, self.size), mode="bilinear", align_corners=False)
            x = x.clone()
            x[pick] = y
        return x

    def noise(self, x, chance, amount):
        a = torch.from_numpy((self.g.random(x.shape[0]) < chance) * self.g.uniform(0, amount, x.shape[0])).float()
        return x + torch.randn_like(x) * a[:, None, None, None]

"""Edits that change how an image is drawn: one bit, few levels, lines, inverted colours, coarse compression."""
import math

import numpy as np
import torch
import torch.nn.functional as F

GREY = torch.tensor([0.299, 0.587, 0.114])[None, :, None, None]
_K = torch.arange(8, dtype=torch.float32)
COSINES = torch.cos((2 * _K[None] + 1) * _K[:, None] * math.pi / 16) * torch.where(_K == 0, 0.125**0.5, 0.5)[:, None]
WAVE = (_K[:, None] + _K[None]) / 3


def style(x, chance, g):
    """One bit, few levels, edges or inverted colours."""
    for i in np.where(g.random(len(x)) < chance)[0]:
        x[i] = STYLES[g.integers(0, len(STYLES))](x[i], g)
    return x


def one_bit(x, g):
    grey = (x * GREY[0]).sum(0)
    low, high = grey.quantile(0.08).item(), grey.quantile(0.92).item()
    at = min(max({0: 0.5, 1: grey.mean().item(), 2: grey.quantile(g.uniform(0.25, 0.75)).item()}[int(g.integers(0, 3))], low), high)
    bit = ((grey - at) * g.choice([20, 100]) + 0.5).clamp(0, 1)
    return painted(bit, g)


def levels(x, g):
    """Two to five levels of each channel, or of the brightness in the colours of a palette."""
    k = int(g.integers(2, 6)) - 1
    if g.random() < 0.5:
        return (x * k).round() / k
    grey = (x * GREY[0]).sum(0)
    low, high = grey.min(), grey.max()
    return painted((((grey - low) / (high - low + 1e-3)) * k).round() / k, g)


def painted(grey, g):
    """A grey image between black and white, or between two colours."""
    if g.random() < 0.6:
        return grey[None].expand(3, -1, -1)
    dark, bright = g.uniform(0, 0.35, 3), g.uniform(0.65, 1, 3)
    if g.random() < 0.5:
        dark, bright = np.array([0.2, 0.13, 0.06]), np.array([0.95, 0.87, 0.7])
    dark, bright = (torch.from_numpy(c).float()[:, None, None] for c in (dark, bright))
    return dark + (bright - dark) * grey[None]


def edges(x, g):
    grey = (x * GREY[0]).sum(0)[None, None]
    if g.random() < 0.5:
        grey = F.avg_pool2d(grey, 3, 1, 1)
    p = F.pad(grey, (1, 1, 1, 1), mode="replicate")[0, 0]
    slope = torch.hypot(p[1:-1, 2:] - p[1:-1, :-2], p[2:, 1:-1] - p[:-2, 1:-1])
    top = slope.quantile(g.uniform(0.85, 0.98)) + 1e-3
    line = (slope > top).float() if g.random() < 0.5 else (slope / top).clamp(0, 1)
    return (1 - line if g.random() < 0.7 else line)[None].expand(3, -1, -1)


def inverted(x, _):
    return 1 - x


STYLES = (one_bit, one_bit, one_bit, levels, levels, edges, edges, edges, inverted)


def blocks(x, chance, g):
    """Compression: blocks of 8 x 8 with coarse steps of their cosine transform, coarser for fine waves."""
    for i in np.where(g.random(len(x)) < chance)[0]:
        s = x.shape[2] // 8
        parts = x[i].reshape(3, s, 8, s, 8).transpose(2, 3)
        waves = COSINES @ parts @ COSINES.T
        step = g.uniform(0.05, 0.35) * (1 + WAVE)
        waves = (waves / step).round() * step
        x[i] = (COSINES.T @ waves @ COSINES).transpose(2, 3).reshape(x[i].shape)
    return x

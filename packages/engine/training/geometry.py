"""Random geometry of edits: which part of a frame an image shows, and where. Coordinates of a frame are -1..1.

The two generators return a homography from the output to the frame, the corners of the rest of the frame: [[left, top], [right,
bottom]], and whether a circle cuts the output.
"""
import math

import numpy as np
import torch

ASPECT = 16 / 9
# Sides of the smallest part: a sixth of the area.
LEAST_SIDE = 0.41
QUARTERS = (((0, 1, 0), (-1, 0, 0), (0, 0, 1)), ((-1, 0, 0), (0, -1, 0), (0, 0, 1)), ((0, -1, 0), (1, 0, 0), (0, 0, 1)))


def draw_part(g):
    """A part of any shape, or a square avatar."""
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


def draw_any(g):
    """A crop, a side, a page or the whole; rotated, slanted, turned by quarters, mirrored."""
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


def draw_posted(g):
    """A frame that takes 40 to 95 % of each side of its page, in a third of the cases slanted."""
    zx = 1 / g.uniform(0.4, 0.95)
    zy = 1 / g.uniform(0.35, 0.95) if g.random() < 0.6 else zx
    m = scaled(zx, zy, g.uniform(-1, 1) * (zx - 1), g.uniform(-1, 1) * (zy - 1))
    if g.random() < 0.33:
        slant = np.array([[1, 0, 0], [0, 1, 0], [g.uniform(-0.15, 0.15), g.uniform(-0.15, 0.15), 1]])
        m = m @ rotation(g.uniform(-8, 8)) @ slant
    return m, np.array([[-1.0, -1], [1, 1]]), False


def shifted(boxes, most, g):
    """Moves each side of boxes [n, 4] in 0..1 by at most this share of their width or height."""
    size = (boxes[:, 2:] - boxes[:, :2]).repeat(1, 2)
    return (boxes + torch.from_numpy(g.uniform(-most, most, boxes.shape)).float() * size).clamp(0, 1)


def visible(m, shown):
    """The box of the source that the output shows: of its corners, within what remains of the source."""
    corners = np.array([[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1.0]])
    p = corners @ m.transpose(0, 2, 1)
    p = p[..., :2] / np.clip(p[..., 2:], 1e-3, None)
    low, high = np.maximum(p.min(1), shown[:, 0]), np.minimum(p.max(1), shown[:, 1])
    high = np.maximum(high, low + 0.1)
    return torch.from_numpy((np.concatenate([low, high], 1) + 1) / 2).float().clamp(0, 1)


def scaled(x, y, across, down):
    return np.array([[x, 0, across], [0, y, down], [0, 0, 1]])


def rotation(degrees):
    a = math.radians(degrees)
    return np.array([[math.cos(a), -math.sin(a) / ASPECT, 0], [math.sin(a) * ASPECT, math.cos(a), 0], [0, 0, 1]])

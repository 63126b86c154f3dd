"""Inverted-residual network (Sandler et al. 2018) with generalised-mean pooling (Radenovic et al. 2018)."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def conv(i, o, k, s=1, g=1, act=True):
    layers = [nn.Conv2d(i, o, k, s, k // 2, groups=g, bias=False), nn.BatchNorm2d(o)]
    return nn.Sequential(*layers, *([nn.Hardswish()] if act else []))


class Block(nn.Module):
    def __init__(self, i, o, s, e):
        super().__init__()
        self.body = nn.Sequential(conv(i, i * e, 1), conv(i * e, i * e, 3, s, i * e), conv(i * e, o, 1, act=False))
        self.skip = s == 1 and i == o

    def forward(self, x):
        return x + self.body(x) if self.skip else self.body(x)


class Net(nn.Module):
    """RGB 0..1 [n, 3, s, s] -> descriptors of length 1 [n, dims]."""

    def __init__(self, dims=128):
        super().__init__()
        self.features = nn.Sequential(
            conv(3, 16, 3, 2), conv(16, 24, 3, 2),
            Block(24, 24, 1, 3), Block(24, 40, 2, 4), Block(40, 40, 1, 4), Block(40, 40, 1, 4),
            Block(40, 96, 2, 4), Block(96, 96, 1, 4), Block(96, 96, 1, 4), Block(96, 128, 1, 4), conv(128, 448, 1),
        )
        self.power = nn.Parameter(torch.tensor(3.0))
        self.head = nn.Linear(448, dims)

    def forward(self, x):
        x = self.features(level(x)).float()
        # onnxruntime has vector instructions for the exponential function, and none for powers.
        x = torch.exp(self.power * torch.log(x.clamp(min=1e-4))).mean((2, 3)) ** (1 / self.power)
        return F.normalize(self.head(x).float())


def level(x):
    """Removes brightness, tint and contrast of the whole image: mean 0 in each channel, spread about 1 over all."""
    x = x - x.mean((2, 3), keepdim=True)
    spread = (x * x).mean((1, 2, 3), keepdim=True).sqrt()
    return x / (spread + 0.08)

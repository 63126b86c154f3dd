"""Inverted-residual network (Sandler et al. 2018) with generalised-mean pooling (Radenovic et al. 2018)."""
import torch
import torch.nn as nn
import torch.nn.functional as F

# Pixels of a side of the input per value of a side of the feature map.
STRIDE = 16


def conv(i, o, k, s=1, g=1, act=True):
    layers = [nn.Conv2d(i, o, k, s, k // 2, groups=g)]
    return nn.Sequential(*layers, *([nn.Hardswish()] if act else []))


class Block(nn.Module):
    def __init__(self, i, o, s, e):
        super().__init__()
        self.body = nn.Sequential(conv(i, i * e, 1), conv(i * e, i * e, 3, s, i * e), conv(i * e, o, 1, act=False))
        self.skip = s == 1 and i == o

    def forward(self, x):
        return x + self.body(x) if self.skip else self.body(x)


class Net(nn.Module):
    """RGB 0..1 [n, 3, s, s] -> descriptors of length 1 [n, dims].

    It has no normalisation layers: it starts from the weights of koma-1, whose normalisation is part of its convolutions.
    """

    def __init__(self, dims=128, channels=448):
        super().__init__()
        self.trunk = nn.Sequential(
            conv(3, 16, 3, 2), conv(16, 24, 3, 2),
            Block(24, 24, 1, 3), Block(24, 40, 2, 4), Block(40, 40, 1, 4), Block(40, 40, 1, 4),
            Block(40, 96, 2, 4), Block(96, 96, 1, 4), Block(96, 96, 1, 4), Block(96, 128, 1, 4),
        )
        self.deep = nn.Sequential(Block(128, 128, 1, 3), Block(128, 128, 1, 3))
        self.wide = conv(128, channels, 1)
        self.power = nn.Parameter(torch.tensor(3.0))
        self.head = nn.Linear(channels, dims)
        for block in self.deep:  # The added blocks change nothing at the start.
            nn.init.zeros_(block.body[2][0].weight)
            nn.init.zeros_(block.body[2][0].bias)

    def forward(self, x):
        return self.describe(self.powers(x).mean((2, 3)))

    def windows(self, x, boxes, of):
        """Descriptors of parts of images from one pass.

        boxes: [m, 4], left, top, right, bottom in 0..1; of [m]: the image of each. Feature values at the border of a part
        count by the share of their area that is inside.
        """
        powers = self.powers(x)
        count, _, rows, columns = powers.shape
        across, down = cover(boxes[:, 0], boxes[:, 2], columns), cover(boxes[:, 1], boxes[:, 3], rows)
        inside = (down[:, :, None] * across[:, None]).flatten(1)
        own = (of[:, None] == torch.arange(count)).float()
        weights = (own[:, :, None] * inside[:, None]).flatten(1)
        return self.describe(weights @ powers.flatten(2).transpose(1, 2).reshape(count * rows * columns, -1))

    def powers(self, x):
        x = self.wide(self.deep(self.trunk(level(x)))).float()
        # onnxruntime has vector instructions for the exponential function, and none for powers.
        return torch.exp(self.power * torch.log(x.clamp(min=1e-4)))

    def describe(self, means):
        return F.normalize(self.head(means ** (1 / self.power)).float())


def cover(start, end, count):
    """Weights [m, count] with sum 1: the shares of `count` equal cells of 0..1 between start and end."""
    left = torch.arange(count, device=start.device) / count
    shares = (torch.minimum(end[:, None], left + 1 / count) - torch.maximum(start[:, None], left)).clamp(min=0)
    return shares / shares.sum(1, keepdim=True).clamp(min=1e-6)


def level(x):
    """Removes brightness, tint and contrast of the whole image: mean 0 in each channel, spread about 1 over all."""
    x = x - x.mean((2, 3), keepdim=True)
    spread = (x * x).mean((1, 2, 3), keepdim=True).sqrt()
    return x / (spread + 0.08)


def start_from(net, file):
    """Copies the weights of an exported model of the same trunk (koma-1) into a network, which may have added blocks."""
    import onnx
    from onnx import numpy_helper

    weights = {one.name: torch.from_numpy(numpy_helper.to_array(one).copy()) for one in onnx.load(file).graph.initializer}
    convolutions = [value for name, value in weights.items() if "Conv" in name]
    targets = [layer for part in (net.trunk, net.wide) for layer in part.modules() if isinstance(layer, nn.Conv2d)]
    assert len(convolutions) == 2 * len(targets)
    with torch.no_grad():
        for layer, weight, bias in zip(targets, convolutions[::2], convolutions[1::2]):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        net.head.weight.copy_(weights["net.head.weight"])
        net.head.bias.copy_(weights["net.head.bias"])
        net.power.copy_(weights["net.power"])

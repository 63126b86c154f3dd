"""Writes a checkpoint as ONNX: `python3 export.py runs/first/last.pt model.onnx [windows.onnx]`.

model.onnx: uint8 RGB [n, 112, 112, 3] in, unit vectors [n, 128] out. windows.onnx: uint8 RGB [n, 224, 224, 3], boxes [m, 4] (left,
top, right, bottom in 0..1) and the image of each [m] in, unit vectors [m, 128] out.
"""
import sys

import torch

from net import Net


class ImageNet(torch.nn.Module):
    """Accepts images in the format of decoders."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, pixels):
        return self.net(pixels.permute(0, 3, 1, 2).float() / 255)


class WindowNet(ImageNet):
    """Describes parts of images."""

    def forward(self, pixels, boxes, of):
        return self.net.windows(pixels.permute(0, 3, 1, 2).float() / 255, boxes, of)


def main(checkpoint, file, windows_file=None, size=112):
    net = Net()
    net.load_state_dict(torch.load(checkpoint)["mean"])
    net.eval()
    pixels = torch.zeros(2, size, size, 3, dtype=torch.uint8)
    write(ImageNet(net), (pixels,), file, {"pixels": "n", "descriptor": "n"})
    if windows_file:
        large = torch.zeros(2, 2 * size, 2 * size, 3, dtype=torch.uint8)
        boxes, of = torch.tensor([[0.0, 0, 1, 1], [0, 0, 0.5, 0.5], [0.25, 0.5, 1, 1]]), torch.tensor([0, 1, 1])
        write(WindowNet(net), (large, boxes, of), windows_file, {"pixels": "n", "boxes": "m", "of": "m", "descriptor": "m"})


def write(net, example, file, counts):
    torch.onnx.export(
        net,
        example,
        file,
        opset_version=14,
        input_names=[name for name in counts if name != "descriptor"],
        output_names=["descriptor"],
        dynamic_axes={name: {0: count} for name, count in counts.items()},
        dynamo=False,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])

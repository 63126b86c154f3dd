"""Writes a checkpoint as ONNX: `python3 export.py runs/first/last.pt model.onnx`. Input: uint8 RGB [n, size, size, 3]."""
import sys

import torch

from net import Net


class PictureNet(torch.nn.Module):
    """Accepts images in the format of decoders."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, pixels):
        return self.net(pixels.permute(0, 3, 1, 2).float() / 255)


def main(checkpoint, file, size=112):
    net = Net()
    net.load_state_dict(torch.load(checkpoint)["mean"])
    net.eval()
    torch.onnx.export(
        PictureNet(net),
        torch.zeros(2, size, size, 3, dtype=torch.uint8),
        file,
        opset_version=14,
        input_names=["pixels"],
        output_names=["descriptor"],
        dynamic_axes={"pixels": {0: "n"}, "descriptor": {0: "n"}},
    )


if __name__ == "__main__":
    main(*sys.argv[1:3])

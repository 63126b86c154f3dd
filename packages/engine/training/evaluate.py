"""Recall of a descriptor alone: `python3 evaluate.py --work WORK --out RESULT.json [--base BASE.json] MODEL`.

MODEL is a checkpoint of train.py or an exported model of the same trunk. WORK is the output of evaluation_data.py. An image is found
when a frame of the right shot (within 2.5 s, or nearly the same) is the nearest (first number of a column) or belongs to the ten
nearest groups (second number). A group has two seconds of a video, or one frame of another work. Columns:

  plain    whole image and mirror image; whole frames
  runs     also quarter turns, the negative, extensions, six crops; also nine parts of every other frame. One run of the model each
  windows  the same, but the crops and the parts come from one pass over 224 x 224 pixels per image
"""
import argparse
import json
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from net import Net, start_from

SIZE = 112
BATCH = 32
PARTS = torch.tensor([(x, y, x + 0.5, y + 0.5) for y in (0, 0.25, 0.5) for x in (0, 0.25, 0.5)])
CROPS = torch.tensor([(0.1, 0.1, 0.9, 0.9), (0.19, 0.19, 0.81, 0.81), (0, 0, 0.62, 0.62), (0.38, 0, 1, 0.62), (0, 0.38, 0.62, 1), (0.38, 0.38, 1, 1)])
# Images narrower than this are described in a wider frame as well, as by the engine.
NARROW, FRAME_ASPECT = 1.5, 16 / 9
WITHIN_SECONDS = 2.5
ALIKE_BELOW = 0.03
MODES = ("plain", "runs", "windows")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("--work", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--base", help="an earlier result to compare with")
    parser.add_argument("--queries", type=int, help="evaluates this many of the query frames")
    parser.add_argument("--modes", nargs="+", default=MODES, choices=MODES)
    options = parser.parse_args()
    torch.set_num_threads(1)
    # It reports with every convolution where it does not support the processor.
    torch.backends.nnpack.set_flags(False)
    result = Evaluation(Path(options.work), options.queries).run(load(options.model), options.modes)
    Path(options.out).write_text(json.dumps(result))
    print(format_table(result, json.loads(Path(options.base).read_text()) if options.base else None))


def load(file):
    net = Net()
    if file.endswith(".onnx"):
        start_from(net, file)
    else:
        net.load_state_dict(torch.load(file)["mean"])
    return net.eval()


def from_rows(pixels):
    """uint8 [n, h, w, 3] to float [n, 3, h, w] in 0..1."""
    return torch.from_numpy(np.ascontiguousarray(pixels)).permute(0, 3, 1, 2).float() / 255


def cut(images, box, size=SIZE):
    side = images.shape[2]
    left, top, right, bottom = [round(value * side) for value in box.tolist()]
    cutting = images[:, :, top:bottom, left:right]
    if cutting.shape[2] > 1.5 * size:
        return F.interpolate(cutting, size=(size, size), mode="area")
    return F.interpolate(cutting, size=(size, size), mode="bilinear", align_corners=False)


def pooled(net, images, boxes):
    """Descriptors [n, boxes, dims] of the same parts of each image, from one pass per image."""
    n, m = len(images), len(boxes)
    return net.windows(images, boxes.repeat(n, 1), torch.arange(n).repeat_interleave(m)).view(n, m, -1)


class Evaluation:
    def __init__(self, work, queries=None):
        videos = np.load(work / "films.npz")
        drawn = np.load(work / "drawn.npy")
        drawn = from_rows(drawn.reshape(-1, *drawn.shape[2:]))
        drawn = torch.cat([F.interpolate(some, size=(2 * SIZE, 2 * SIZE), mode="area") for some in drawn.split(BATCH)])
        drawn = (drawn * 255).byte().permute(0, 2, 3, 1).numpy()
        self.frames = np.concatenate([videos["frames"], np.load(work / "art.npy"), drawn])
        own, others = len(videos["at"]), len(self.frames) - len(videos["at"])
        group = np.concatenate([videos["film"] * 100_000 + (videos["at"] // 2).astype(int), 10_000_000 + np.arange(others)])
        self.group = np.unique(group, return_inverse=True)[1]
        meta = np.load(work / "edited_meta.npz")
        self.names, self.images = list(meta["names"]), np.load(work / "edited.npy", mmap_mode="r")
        total = len(meta["film"])
        self.chosen = np.arange(total) if queries is None else np.linspace(0, total - 1, queries).astype(int)
        self.aspect = meta["aspect"][:, self.chosen]
        tiny = F.interpolate(from_rows(videos["frames"]), size=(9, 16), mode="area").flatten(1)
        self.right = np.zeros((len(self.chosen), len(self.frames)), bool)
        for row, query in enumerate(self.chosen):
            same = videos["film"] == meta["film"][query]
            away = np.where(same, np.abs(videos["at"] - meta["at"][query]), np.inf)
            alike = ((tiny - tiny[away.argmin()]) ** 2).mean(1).sqrt().numpy() < ALIKE_BELOW
            self.right[row, :own] = (away <= WITHIN_SECONDS) | alike

    @torch.no_grad()
    def run(self, net, modes=MODES):
        """{edit: {mode: (share found first, share among the ten nearest)}}."""
        whole, parts = self.describe_frames(net, modes)
        return {name: self.find(net, row, whole, parts, modes) for row, name in enumerate(self.names)}

    def describe_frames(self, net, modes):
        whole, runs, windows = [], [], []
        for start in range(0, len(self.frames), BATCH):
            large = from_rows(self.frames[start : start + BATCH])
            small = F.avg_pool2d(large, 2)
            whole.append(net(small))
            if "runs" in modes:
                # As the engine: parts of the input of the model, which has no more pixels.
                runs.append(torch.stack([net(cut(small[::2], box)) for box in PARTS], 1))
            if "windows" in modes:
                windows.append(pooled(net, large[::2], PARTS))
        return torch.cat(whole), {"runs": runs and torch.cat(runs), "windows": windows and torch.cat(windows)}

    def find(self, net, row, whole, parts, modes):
        large = from_rows(self.images[row][self.chosen])
        small = F.avg_pool2d(large, 2)
        views = [net(small), net(small.flip(3))]
        result = {"plain": self.rank(views, whole, None)} if "plain" in modes else {}
        if "runs" in modes or "windows" in modes:
            views += [net(small.rot90(turns, (2, 3)).contiguous()) for turns in (1, 2, 3)] + [net(1 - small)]
            views += self.extensions(net, small, self.aspect[row])
        if "runs" in modes:
            result["runs"] = self.rank(views + [net(cut(large, box)) for box in CROPS], whole, parts["runs"])
        if "windows" in modes:
            crops = torch.cat([pooled(net, some, CROPS) for some in large.split(BATCH)])
            result["windows"] = self.rank(views + list(crops.unbind(1)), whole, parts["windows"])
        return result

    def extensions(self, net, small, aspect):
        """Narrow images at the left, in the middle and at the right of a frame; zeros for others."""
        narrow = np.where(aspect < NARROW)[0]
        views = []
        for offset in (0, 0.5, 1) if len(narrow) else ():
            view = torch.zeros(len(small), net.head.out_features)
            for at in narrow:
                width = max(8, int(SIZE * aspect[at] / FRAME_ASPECT))
                left = int((SIZE - width) * offset)
                image = F.interpolate(small[at : at + 1], size=(SIZE, width), mode="area")
                view[at] = net(F.pad(image, (left, SIZE - width - left, 0, 0), mode="replicate"))[0]
            views.append(view)
        return views

    def rank(self, views, whole, parts):
        best = None
        for view in views:
            cosines = view @ whole.T
            if parts is not None:
                cosines[:, ::2] = torch.maximum(cosines[:, ::2], torch.einsum("nd,mkd->nmk", view, parts).amax(2))
            best = cosines if best is None else torch.maximum(best, cosines)
        first = ten = 0
        for cosines, right in zip(best.numpy(), self.right):
            groups = np.full(self.group.max() + 1, -1.0)
            np.maximum.at(groups, self.group, cosines)
            groups[np.unique(self.group[right])] = -1
            above = (groups > cosines[right].max()).sum()
            first, ten = first + (above < 1), ten + (above < 10)
        return round(first / len(best), 3), round(ten / len(best), 3)


def format_table(result, base):
    """Shares per edit and their difference to the base; of windows also to the runs of the base."""
    modes = list(next(iter(result.values())))
    lines = ["edit".ljust(16) + "".join(mode.ljust(30) for mode in modes)]
    rows = {**result, "mean": mean_of(result)}
    known = {**base, "mean": mean_of(base)} if base else {}
    for name, row in rows.items():
        cells = []
        for mode in modes:
            others = [mode, "runs"] if mode == "windows" else [mode]
            changes = [f"{other} {row[mode][0] - known[name][other][0]:+.2f}" for other in others if other in known.get(name, {})]
            cells.append(f"{row[mode][0]:.2f} {row[mode][1]:.2f} {', '.join(changes)}")
        lines.append(name.ljust(16) + "".join(cell.ljust(30) for cell in cells))
    return "\n".join(lines)


def mean_of(result):
    modes = next(iter(result.values()))
    return {mode: [float(np.mean([row[mode][at] for row in result.values()])) for at in (0, 1)] for mode in modes}


if __name__ == "__main__":
    main()

import { Instance, Memory, Module, type OwnMemory } from "../web-assembly.ts";
import { kernelBytes } from "./kernel-bytes.ts";
import type { Raster } from "./raster.ts";

// The addresses of kernels/pixels/index.ts.
const HOMOGRAPHY = 1024;
const COLUMNS = { first: 4096, start: 8192, weights: 16_384 };
const ROWS = { first: 49_152, start: 53_248, weights: 61_440 };
const FREE = 262_144;
const MOST_LINES = 1024;
const MOST_WEIGHTS = 8192;

const PAGE_BYTES = 65_536;
const MOST_PAGES = 16_384;

/** The lines that each new line covers: the first one, and from `start` on the weights of all of them. */
export type Coverage = { first: Int32Array; start: Int32Array; weights: Float32Array };

/**
 * Maps (u, v) of the unit square to ((au + bv + c) / w, (du + ev + f) / w), w = gu + hv + 1: a, b, c, d, e,
 * f, g, h.
 */
export type Homography = readonly [number, number, number, number, number, number, number, number];

type Kernel = {
  stretch(pixels: number, imageWidth: number, width: number, height: number, out: number): void;
  sampleQuad(
    pixels: number,
    imageWidth: number,
    imageHeight: number,
    width: number,
    height: number,
    out: number,
  ): void;
  halve(pixels: number, width: number, height: number, out: number): void;
};

/** An image in the memory of the kernel, and the first byte after it. */
type Level = { at: number; width: number; height: number; end: number };

export type ImageKernel = ReturnType<typeof createImageKernel>;

let opened: ImageKernel | undefined;

/** Returns the kernel of this thread. It holds the last image. */
export function openImageKernel(): ImageKernel {
  opened ??= createImageKernel();
  return opened;
}

/** Opens the functions of kernels/pixels, WebAssembly with SIMD. Images are packed RGB24. */
function createImageKernel() {
  const memory: OwnMemory = new Memory({ initial: FREE / PAGE_BYTES, maximum: MOST_PAGES });
  const module = new Module(kernelBytes);
  const kernel = new Instance(module, { env: { memory } }).exports as Kernel;
  let loaded: Uint8Array | undefined;
  let levels: Level[] = [];

  /** Makes room for the bytes below an address, and for the byte after a pixel. */
  function reserve(end: number): void {
    const missing = Math.ceil((end + 1 - memory.buffer.byteLength) / PAGE_BYTES);
    if (missing > 0) memory.grow(missing);
  }

  function levelAfter(at: number, width: number, height: number): Level {
    const level = { at, width, height, end: at + width * height * 3 };
    reserve(level.end);
    return level;
  }

  /** Returns the image, halved as often as `number` says. */
  function levelOf({ pixels, width, height }: Raster, number: number): Level {
    let last = levels.at(-1);
    if (loaded !== pixels || last === undefined) {
      last = levelAfter(FREE, width, height);
      new Uint8Array(memory.buffer).set(pixels, last.at);
      [levels, loaded] = [[last], pixels];
    }
    while (levels.length <= number) {
      const half = levelAfter(last.end, Math.max(1, last.width >> 1), Math.max(1, last.height >> 1));
      kernel.halve(last.at, last.width, last.height, half.at);
      levels.push(half);
      last = half;
    }
    return levels[number] ?? last;
  }

  function setCoverage({ first, start, weights }: Coverage, addresses: typeof COLUMNS): void {
    if (first.length > MOST_LINES || weights.length > MOST_WEIGHTS)
      throw new RangeError("The image is too large.");
    new Int32Array(memory.buffer, addresses.first).set(first);
    new Int32Array(memory.buffer, addresses.start).set(start);
    new Float32Array(memory.buffer, addresses.weights).set(weights);
  }

  /** Returns the pixels that `work` writes to an address behind all images. */
  function write(width: number, height: number, work: (out: number) => void): Uint8Array {
    const { at, end } = levelAfter(levels.at(-1)?.end ?? FREE, width, height);
    work(at);
    return new Uint8Array(memory.buffer, at, end - at).slice();
  }

  return {
    /** Returns an image of the area-weighted means of the pixels that each new column and row covers. */
    stretch(raster: Raster, columns: Coverage, rows: Coverage): Uint8Array {
      const { at, width } = levelOf(raster, 0);
      setCoverage(columns, COLUMNS);
      setCoverage(rows, ROWS);
      const [across, down] = [columns.first.length, rows.first.length];
      return write(across, down, (out) => kernel.stretch(at, width, across, down, out));
    },
    /**
     * Returns the part of an image to which a homography of its pixels maps the unit square. The image is
     * first halved as often as `level` says. Each new pixel is the mean of two by two bilinear samples, which
     * equals the area mean well where a new pixel covers at most two by two old ones. The border is repeated
     * outside of the image.
     */
    sampleQuad(
      raster: Raster,
      level: number,
      toHomography: (halved: { width: number; height: number }) => Homography,
      width: number,
      height: number,
    ): Uint8Array {
      if (width > MOST_LINES) throw new RangeError("The view is too large.");
      const image = levelOf(raster, level);
      new Float64Array(memory.buffer, HOMOGRAPHY).set(toHomography(image));
      return write(width, height, (out) =>
        kernel.sampleQuad(image.at, image.width, image.height, width, height, out),
      );
    },
  };
}

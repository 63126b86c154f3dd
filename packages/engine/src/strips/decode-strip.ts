import { Instance, Memory, Module, type OwnMemory } from "../web-assembly.ts";
import { BLOCK_PIXELS, MATRIX, ZIGZAG } from "./block-transform.ts";
import { createByteReader } from "./byte-writer.ts";
import { kernelBytes } from "./kernel-bytes.ts";
import { BLOCK_COUNT, FRAMES_PER_STRIP } from "./strip-frame.ts";
import { expectTime } from "./strip-times.ts";

const LARGEST_STEP = 255;

// The addresses of kernels/strips/index.ts.
const ADDRESSES = { matrix: 1024, zigzag: 1280, timeErrors: 1536, changes: 2048, blocks: 16_384 };
const BODY = ADDRESSES.blocks + FRAMES_PER_STRIP * BLOCK_COUNT * BLOCK_PIXELS;
/** No strip has more: 64 frames of 60 blocks of 63 levels. A pack can contain longer ones. */
const MOST_BODY_BYTES = 4 * 1024 * 1024;
const PAGE_BYTES = 65_536;
const MOST_PAGES = Math.ceil((BODY + MOST_BODY_BYTES) / PAGE_BYTES) + 1;

type Kernel = { decode(length: number, count: number, step: number): number };

/** The frames of a strip. The next call overwrites `changes` and `blocks`. */
export type DecodedStrip = {
  atSeconds: number[];
  /** 60 values per frame: 1 for each block that changed. All blocks of the first frame have. */
  changes: Uint8Array;
  /** The 64 grey values of each block that changed, in the same order. */
  blocks: Uint8Array;
};

/**
 * Reads the head of a strip; times are in milliseconds. Throws RangeError where it is none of a strip: a pack can
 * contain any bytes, and what they cost must be bounded.
 */
export function readStripHead(bytes: Uint8Array) {
  const reader = createByteReader(bytes);
  const head = {
    step: reader.whole(),
    count: reader.whole(),
    first: reader.whole(),
    duration: reader.whole(),
  };
  const { step, count } = head;
  if (count < 1 || count > FRAMES_PER_STRIP || step < 1 || step > LARGEST_STEP)
    throw new RangeError("This is no strip.");
  return { ...head, body: reader.rest() };
}

let opened: ReturnType<typeof openKernel> | undefined;

/** Decodes a strip. Corrupt bytes after the head give other values. Throws RangeError as `readStripHead`. */
export function decodeStrip(bytes: Uint8Array): DecodedStrip {
  const { step, count, first, duration, body: rest } = readStripHead(bytes);
  const body = rest.subarray(0, MOST_BODY_BYTES);
  opened ??= openKernel();
  const { memory, kernel } = opened;
  const missing = Math.ceil((BODY + body.length - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) memory.grow(missing);
  new Uint8Array(memory.buffer, BODY).set(body);
  const blockCount = kernel.decode(body.length, count, step);
  const errors = new Int32Array(memory.buffer, ADDRESSES.timeErrors, count);
  return {
    atSeconds: Array.from(errors, (error, number) => {
      return Math.max(0, expectTime(number, count, first, first + duration) + error) / 1000;
    }),
    changes: new Uint8Array(memory.buffer, ADDRESSES.changes, count * BLOCK_COUNT),
    blocks: new Uint8Array(memory.buffer, ADDRESSES.blocks, blockCount * BLOCK_PIXELS),
  };
}

/** Opens kernels/strips, WebAssembly with SIMD, with the tables that the encoder uses as well. */
function openKernel() {
  const memory: OwnMemory = new Memory({ initial: Math.ceil(BODY / PAGE_BYTES) + 1, maximum: MOST_PAGES });
  const module = new Module(kernelBytes);
  const kernel = new Instance(module, { env: { memory } }).exports as Kernel;
  new Int32Array(memory.buffer, ADDRESSES.matrix).set(MATRIX);
  new Uint8Array(memory.buffer, ADDRESSES.zigzag).set(ZIGZAG);
  return { memory, kernel };
}

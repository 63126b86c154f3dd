import { createHash } from "node:crypto";
import { Instance, Memory, Module, type SharedMemory } from "../web-assembly.ts";
import { kernelBytes } from "./kernel-bytes.ts";

const PAGE_BYTES = 65_536;
const MOST_PAGES = 65_536;

export type { SharedMemory } from "../web-assembly.ts";

/** Identifies the kernel: a snapshot is an image of its memory. */
export const kernelId = createHash("sha256").update(kernelBytes).digest("hex");

/** Creates memory that threads share: at most 4 GiB, allocated on demand. */
export function createSharedMemory(pages = 2): SharedMemory {
  return new Memory({ initial: pages, maximum: MOST_PAGES, shared: true });
}

/** Returns the pages that `byteLength` bytes occupy. */
export function pagesOf(byteLength: number): number {
  return Math.ceil(byteLength / PAGE_BYTES);
}

/**
 * Opens the functions of kernels/nearest-neighbours on a memory, for one thread. Addresses are unsigned: use `>>>
 * 0` on results.
 */
export function openKernel(memory: SharedMemory): Kernel {
  module ??= new Module(kernelBytes);
  return new Instance(module, { env: { memory } }).exports as Kernel;
}

let module: object | undefined;

/** See kernels/nearest-neighbours/index.ts. */
export type Kernel = {
  create(dimensions: number, hasAxes: number): number;
  axes(): number;
  format(): number;
  dimensions(): number;
  recordCount(): number;
  leafCount(): number;
  blockCount(): number;
  writerInput(): number;
  reserve(): number;
  reserveLabels(end: number): number;
  insertAll(codes: number, label: number, count: number): number;
  show(first: number, end: number): void;
  hide(first: number, end: number, leaves: number): void;
  purge(leaf: number): void;
  refine(frames: number): number;
  copyVector(reader: number, label: number, between: number, to: number): number;
  readerArea(reader: number, area: number, bytes: number): number;
  release(reader: number): void;
  releaseAll(): void;
  searchBytes(views: number, count: number, leaves: number): number;
  prepare(scratch: number, views: number, count: number, leaves: number): number;
  search(
    reader: number,
    views: number,
    leaves: number,
    budget: number,
    spread: number,
    bits: number,
    end: number,
  ): void;
  begin(views: number): void;
  compareRange(reader: number, views: number, first: number, end: number): void;
  finish(views: number): void;
  resultsOf(view: number): number;
  scannedRecords(): number;
};

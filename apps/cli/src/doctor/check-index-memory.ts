import type { DatabaseInspection } from "@koma/database";
import { type Finding, warning } from "./finding.ts";

type Connected = Extract<DatabaseInspection, { status: "connected" }>;

/** Measured: both HNSW indexes and their rows, per frame. */
const bytesPerFrame = 602;
/** The PostgreSQL documentation recommends a quarter of the memory as `shared_buffers`. */
const memoryPerSharedByte = 4;

/**
 * Warns when PostgreSQL is set up for less memory than the index of these frames needs: a search then reads from
 * the disk at random. The memory itself is not visible by a connection.
 */
export function checkIndexMemory(
  { sharedBytes, cacheBytes }: Connected["server"]["memory"],
  frames: number,
): Finding[] {
  const indexBytes = frames * bytesPerFrame;
  const memoryBytes = Math.max(sharedBytes, cacheBytes ?? sharedBytes * memoryPerSharedByte);
  if (indexBytes <= memoryBytes) return [];
  const known =
    cacheBytes === undefined
      ? `shared_buffers is ${formatSize(sharedBytes)}, which is right for a memory of ${formatSize(memoryBytes)}`
      : `effective_cache_size is ${formatSize(cacheBytes)} and shared_buffers ${formatSize(sharedBytes)}`;
  return [
    warning(
      `The index of ${frames.toLocaleString("en")} frames in PostgreSQL takes about ${formatSize(indexBytes)}, and ${known}: searches read from the disk. Give PostgreSQL more memory and a quarter of it as shared_buffers, or set effective_cache_size to the memory that it has.`,
    ),
  ];
}

/** `1.2 GiB`, `31 MiB`: the settings of PostgreSQL have binary units. */
function formatSize(bytes: number): string {
  const gibibytes = bytes / 1024 ** 3;
  return gibibytes >= 1 ? `${gibibytes.toFixed(1)} GiB` : `${Math.ceil(bytes / 1024 ** 2)} MiB`;
}

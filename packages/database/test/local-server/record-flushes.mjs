// Preloaded into the embedded server. Copies to the folder KOMA_TEST_DISK the data that a disk without a
// write cache would contain after a power failure: file contents once their file is flushed, and names once
// their folder is flushed. With KOMA_TEST_IGNORE_FLUSHES nothing is copied, as when fsync has no effect.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import path from "node:path";

const source = process.env.KOMA_TEST_SOURCE;
const disk = process.env.KOMA_TEST_DISK;
const original = { ...fs };
/** Paths by descriptor, unflushed writes by path, and changed names by folder. */
const openPaths = new Map();
const pendingWrites = new Map();
const pendingNames = new Map();

const isRecorded = (file) => typeof file === "string" && file.startsWith(`${source}/`);
const toDisk = (file) => path.join(disk, path.relative(source, file));

function addTo(map, key, item) {
  const items = map.get(key) ?? [];
  items.push(item);
  map.set(key, items);
}

fs.openSync = (file, ...rest) => {
  const descriptor = original.openSync(file, ...rest);
  if (isRecorded(file) || file === source) openPaths.set(descriptor, file);
  return descriptor;
};

fs.writeSync = (descriptor, buffer, offset, length, position) => {
  const file = openPaths.get(descriptor);
  const written = original.writeSync(descriptor, buffer, offset, length, position);
  if (file !== undefined) {
    const bytes = Buffer.from(buffer.buffer, buffer.byteOffset + offset, written);
    addTo(pendingWrites, file, { bytes: Buffer.from(bytes), position });
  }
  return written;
};

fs.ftruncateSync = (descriptor, length) => {
  original.ftruncateSync(descriptor, length);
  const file = openPaths.get(descriptor);
  if (file !== undefined) addTo(pendingWrites, file, { length });
};

fs.truncateSync = (file, length) => {
  original.truncateSync(file, length);
  if (isRecorded(file)) addTo(pendingWrites, file, { length });
};

fs.closeSync = (descriptor) => {
  openPaths.delete(descriptor);
  original.closeSync(descriptor);
};

fs.writeFileSync = (file, data, options) => {
  original.writeFileSync(file, data, options);
  if (!isRecorded(file)) return;
  addTo(pendingNames, path.dirname(file), () => original.closeSync(original.openSync(toDisk(file), "a")));
  addTo(pendingWrites, file, { length: 0 });
  if (data.length > 0) addTo(pendingWrites, file, { bytes: Buffer.from(data), position: 0 });
};

fs.mkdirSync = (folder, options) => {
  const result = original.mkdirSync(folder, options);
  if (isRecorded(folder))
    addTo(pendingNames, path.dirname(folder), () => original.mkdirSync(toDisk(folder), { recursive: true }));
  return result;
};

fs.renameSync = (from, to) => {
  original.renameSync(from, to);
  if (!isRecorded(from)) return;
  const writes = pendingWrites.get(from);
  pendingWrites.delete(from);
  if (writes === undefined) pendingWrites.delete(to);
  else pendingWrites.set(to, writes);
  addTo(pendingNames, path.dirname(to), () => {
    if (original.existsSync(toDisk(from))) original.renameSync(toDisk(from), toDisk(to));
  });
};

fs.unlinkSync = (file) => {
  original.unlinkSync(file);
  if (!isRecorded(file)) return;
  pendingWrites.delete(file);
  addTo(pendingNames, path.dirname(file), () => original.rmSync(toDisk(file), { force: true }));
};

fs.fsyncSync = (descriptor) => {
  original.fsyncSync(descriptor);
  const file = openPaths.get(descriptor);
  if (file === undefined || process.env.KOMA_TEST_IGNORE_FLUSHES) return;
  for (const change of takeAll(pendingNames, file)) change();
  if (original.statSync(file).isDirectory()) return;
  // ext4, XFS and APFS flush the name of a new file with its content.
  original.mkdirSync(path.dirname(toDisk(file)), { recursive: true });
  const target = original.openSync(toDisk(file), original.existsSync(toDisk(file)) ? "r+" : "w+");
  for (const { bytes, position, length } of takeAll(pendingWrites, file)) {
    if (bytes === undefined) original.ftruncateSync(target, length);
    else original.writeSync(target, bytes, 0, bytes.length, position);
  }
  original.closeSync(target);
};

function takeAll(map, key) {
  const items = map.get(key) ?? [];
  map.delete(key);
  return items;
}

syncBuiltinESMExports();

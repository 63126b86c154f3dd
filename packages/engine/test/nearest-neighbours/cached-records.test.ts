import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cacheRecords } from "../../src/nearest-neighbours/cached-records.ts";

/** Records of one byte: more blocks than the cache holds. */
const RECORDS = 16 * 10_000 + 5;
const expectedOf = (record: number) => (record * 7) % 127;

let folder: string;
let file: number;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "koma-records-"));
  const name = path.join(folder, "records");
  writeFileSync(
    name,
    Uint8Array.from({ length: RECORDS }, (_, record) => expectedOf(record)),
  );
  file = openSync(name, "r+");
});

afterAll(() => {
  closeSync(file);
  rmSync(folder, { recursive: true });
});

it("returns each record, also after its block was replaced", () => {
  const records = cacheRecords(file, 1);
  const read = (record: number) => {
    const at = records.find(record);
    return records.bytes()[at];
  };
  const wrong: number[] = [];
  for (const round of [1, 2, 3])
    for (let record = 0; record < RECORDS; record += round * 5)
      if (read(record) !== expectedOf(record)) wrong.push(record);
  expect(wrong).toEqual([]);
  expect(read(RECORDS)).toBe(0);
  expect(records.bytes().length).toBe(16 * 8192);
});

it("reads a record again after it was written", () => {
  const records = cacheRecords(file, 1);
  const read = (record: number) => {
    const at = records.find(record);
    return records.bytes()[at];
  };
  expect([read(40), read(50)]).toEqual([expectedOf(40), expectedOf(50)]);
  writeSync(file, Int8Array.of(-1, -2), 0, 2, 47);
  records.forget(47, 2);
  expect([read(47), read(48), read(40), read(50)]).toEqual([-1, -2, expectedOf(40), expectedOf(50)]);
});

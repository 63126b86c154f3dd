import { chooseWorkerCount } from "@koma/library";
import { expect, test } from "vitest";
import { chooseUploadBytes } from "../../src/search/upload-bytes.ts";

const MIB = 1024 ** 2;
const none = {
  KOMA_UPLOAD_POOL_MIB: undefined,
  KOMA_UPLOAD_NETWORK_MIB: undefined,
  KOMA_UPLOAD_CALLER_MIB: undefined,
};

test.each([
  [64 * 1024, [256, 128, 96], 4],
  [1536, [192, 96, 96], 4],
  [1024, [128, 64, 64], 2],
  [256, [32, 32, 32], 1],
])("a memory limit of %i MiB gives these pools and workers", (limitMiB, pools, workers) => {
  const { poolBytes, networkBytes, callerBytes } = chooseUploadBytes(none, limitMiB * MIB);
  expect([poolBytes, networkBytes, callerBytes].map((bytes) => bytes / MIB)).toEqual(pools);
  expect(chooseWorkerCount(limitMiB * MIB, 16)).toBe(workers);
  expect(chooseWorkerCount(limitMiB * MIB, 1)).toBe(1);
});

test("configured pools apply whatever the memory limit is", () => {
  const configured = { KOMA_UPLOAD_POOL_MIB: 500, KOMA_UPLOAD_NETWORK_MIB: 400, KOMA_UPLOAD_CALLER_MIB: 300 };
  const { poolBytes, networkBytes, callerBytes } = chooseUploadBytes(configured, 256 * MIB);
  expect([poolBytes, networkBytes, callerBytes].map((bytes) => bytes / MIB)).toEqual([500, 400, 300]);
});

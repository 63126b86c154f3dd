import { expect, test } from "vitest";
import { createId } from "../src/create-id.ts";

test("ids are unique, and are no options of a command line", () => {
  const ids = Array.from({ length: 5000 }, createId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => !/^[A-Za-z0-9_][A-Za-z0-9_-]{21}$/.test(id))).toEqual([]);
});

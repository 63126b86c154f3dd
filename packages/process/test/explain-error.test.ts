import { expect, test } from "vitest";
import { explainError, readStack } from "../src/index.ts";

class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
}
class UnavailableError extends Error {}
const expected = [ConfigurationError, UnavailableError];

test.each([
  [new ConfigurationError("Set PORT."), { text: "Set PORT.", exitCode: 78, isExpected: true }],
  [new UnavailableError("No database."), { text: "No database.", exitCode: 1, isExpected: true }],
  [
    Object.assign(new Error("Not thrown here."), { name: "MigrationError" }),
    { exitCode: 1, isExpected: false },
  ],
  ["no error object", { text: "no error object", exitCode: 1, isExpected: false }],
])("explains %s", (error, explained) => {
  expect(explainError(error, expected)).toMatchObject(explained);
});

test("explains an unexpected error with its stack", () => {
  const { text, exitCode } = explainError(new TypeError("x is undefined"), expected);
  expect([exitCode, text]).toEqual([1, expect.stringMatching(/^TypeError: x is undefined\n {4}at /)]);
});

test.each(["EACCES", "EPERM", "EROFS"])("explains a file without access (%s)", (code) => {
  const error = Object.assign(new Error(`${code}: denied, open '/x'`), { code, path: "/x" });
  const text = `${code}: denied, open '/x'. Make the user of Koma its owner, or choose another file or folder.`;
  expect(explainError(error, expected)).toEqual({ text, exitCode: 1, isExpected: true });
});

test.each([
  ["ENOTDIR", "open"],
  ["ENOENT", "mkdir"],
])("explains a folder in whose place something else is (%s)", (code, syscall) => {
  const error = Object.assign(new Error(`${code}: ${syscall} '/x'`), { code, syscall, path: "/x" });
  expect(explainError(error, expected)).toMatchObject({
    text: expect.stringContaining("choose another folder"),
    isExpected: true,
  });
});

test("does not expect a missing file", () => {
  const error = Object.assign(new Error("open"), { code: "ENOENT", syscall: "open", path: "/x" });
  expect(explainError(error, expected).isExpected).toBe(false);
});

test("a stack contains no secrets, and an empty secret replaces nothing", () => {
  expect(readStack("token abc of abc", ["abc", ""])).toBe("token … of …");
});

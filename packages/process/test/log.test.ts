import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createLog } from "../src/log.ts";

function writeLine(isTerminal: boolean): string {
  const lines: string[] = [];
  const output = { write: (line: string) => void lines.push(line) };
  createLog("discord", "info", { isTerminal, output }).info("ready", { servers: 3 });
  return lines.join("");
}

test("logs a readable line with time and level on a terminal", () => {
  const text = stripVTControlCharacters(writeLine(true));
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] INFO \(discord\): ready\n +servers: 3\n$/);
});

test("logs a JSON line elsewhere", () => {
  expect(JSON.parse(writeLine(false))).toMatchObject({
    level: 30,
    name: "discord",
    msg: "ready",
    servers: 3,
  });
});

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { createLog } from "../src/log.ts";

async function writeLine(isTerminal: boolean): Promise<string> {
  const lines: string[] = [];
  const output = { write: (line: string) => void lines.push(line) };
  const log = await createLog("discord", "info", { isTerminal, output });
  log.info("ready", { servers: 3 });
  return lines.join("");
}

test("logs a readable line with time and level on a terminal", async () => {
  const text = stripVTControlCharacters(await writeLine(true));
  expect(text).toMatch(/^\[\d\d:\d\d:\d\d\] INFO \(discord\): ready\n +servers: 3\n$/);
});

test("logs a JSON line elsewhere", async () => {
  expect(JSON.parse(await writeLine(false))).toMatchObject({
    level: 30,
    name: "discord",
    msg: "ready",
    servers: 3,
  });
});

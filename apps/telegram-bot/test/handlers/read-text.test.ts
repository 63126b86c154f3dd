import type { MessageEntity } from "grammy/types";
import { describe, expect, test } from "vitest";
import { readOptions, readText } from "../../src/handlers/read-text.ts";

const bot = { id: 7, username: "koma_bot" };

function read(text: string, ...entities: readonly [MessageEntity["type"], string][]) {
  const found = entities.map(([type, part]) => ({ type, offset: text.indexOf(part), length: part.length }));
  return readText({ text, entities: found as MessageEntity[] }, bot);
}

describe("commands", () => {
  test.each([
    ["/find mute", "/find", "find", "mute"],
    ["/FIND@Koma_Bot", "/FIND@Koma_Bot", "find", ""],
  ])("%s", (text, part, command, rest) => {
    expect(read(text, ["bot_command", part])).toMatchObject({ command, rest, isForOther: false });
  });

  test("ignores commands of another bot and inside of a text", () => {
    expect(read("/find@other_bot", ["bot_command", "/find@other_bot"])).toMatchObject({
      command: undefined,
      isForOther: true,
    });
    expect(read("try /find", ["bot_command", "/find"]).command).toBeUndefined();
  });
});

test("matches the bot's name in any case, and ignores other names", () => {
  expect(read("hey @KOMA_bot", ["mention", "@KOMA_bot"]).isMention).toBe(true);
  expect(read("hey @koma_bots", ["mention", "@koma_bots"]).isMention).toBe(false);
});

test("reads options where the text is nothing else", () => {
  expect(readOptions("Mute, NOCROP text.")).toEqual({ mute: true, crop: false, preview: "none" });
  expect(readOptions("muted texture nocrops context commute")).toEqual({});
  expect(readOptions("what is the text on the sign? mute")).toEqual({});
  expect(readOptions("constructor")).toEqual({});
  const url = "https://x.example/a.jpg";
  expect(read(`/find mute ${url}`, ["bot_command", "/find"], ["url", url]).options).toEqual({ mute: true });
  expect(read("/find@koma_bot", ["bot_command", "/find@koma_bot"]).options).toEqual({});
});

test("finds addresses with or without a scheme or a spoiler, and ignores other schemes", () => {
  const url = "https://x.example/a.jpg";
  expect(read(`see ${url}`, ["url", url]).address).toEqual({ url, hasSpoiler: false });
  expect(read("x.example/a.jpg", ["url", "x.example/a.jpg"]).address?.url).toBe(url);
  expect(read(url, ["spoiler", url], ["url", url]).address?.hasSpoiler).toBe(true);
  expect(read("ftp://x.example/a", ["url", "ftp://x.example/a"]).address).toBeUndefined();
});

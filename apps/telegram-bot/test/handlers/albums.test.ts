import type { Message } from "grammy/types";
import { expect, test } from "vitest";
import { createAlbums } from "../../src/handlers/albums.ts";

const item = (id: number) => ({ message_id: id, media_group_id: "g", chat: { id: 7 } }) as Message;
const ids = (messages: readonly Message[] = []) => messages.map(({ message_id: id }) => id);

test("groups consecutive messages into one album, for the first caller", async () => {
  const albums = createAlbums();
  for (const id of [2, 1, 2]) albums.add(item(id));
  const [first, second] = await Promise.all([albums.take(item(2)), albums.take(item(1))]);
  expect(ids(first?.messages)).toEqual([1, 2]);
  expect(first?.earlier).toEqual([]);
  expect(second).toBeUndefined();
});

test("groups later messages into another album with its own name, and loses none", async () => {
  const albums = createAlbums();
  albums.add(item(1));
  const first = await albums.take(item(1));
  expect(ids(first?.messages)).toEqual([1]);
  albums.add(item(2));
  albums.add(item(3));
  albums.add(item(1));
  const later = await albums.take(item(2));
  expect(ids(later?.messages)).toEqual([2, 3]);
  expect(ids(later?.earlier)).toEqual([1]);
  expect(later?.id).not.toBe(first?.id);
  expect(await albums.take(item(3))).toBeUndefined();
  expect(await albums.take(item(1))).toBeUndefined();
});

import { afterAll, beforeAll, expect, test } from "vitest";
import { guestQuota, signUp } from "../fixtures/account.ts";
import { openWorld, readFrame, type World } from "../fixtures/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  expect(world.standIn.violations).toEqual([]);
  await world.close();
});

test("/find: the scene with a clip; paging costs nothing, and right is confirmed", async () => {
  const { standIn } = world;
  const person = standIn.createUser({ name: "Ann" });
  const channel = standIn.createGuild({ members: [person] }).channel("general");
  const image = { name: "a.jpg", bytes: await readFrame("alpha", 3) };
  const message = await person.slash("find", { image }, { channel }).reply();
  console.log(message.text, message.buttons.map((b) => b.label), message.files.map((f) => [f.name, f.bytes.length]));
  expect(message.text).toContain("Alpha Show");
  const quota = await guestQuota(world.apiUrl(), { botKey: await world.botKey(), userId: person.id });
  expect(quota.remaining).toBe(quota.limit - 1);
});

import { endpoints } from "@koma/contract";
import { afterAll, beforeAll, expect, expectTypeOf, test } from "vitest";
import { ApiProblem, type Client, createClient } from "../src/index.ts";
import { respond, startScriptedApi } from "./fixtures/scripted-api.ts";

let api: Awaited<ReturnType<typeof startScriptedApi>>;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterAll(() => api.close());

const found = endpoints[0].replies[200].body.meta()?.examples as object[];
const quota = { kind: "guest", limit: 5, remaining: 4, resetsAt: "2026-11-21T00:00:00.000Z" };
const keys = { page: 1, pageSize: 20, total: 0, items: [] };

test("inputs and results have the types of the contract", () => {
  type InputOf<Id extends keyof Client> = Parameters<Client[Id]>[0];
  expectTypeOf<{ id: string; rank: number }>().toExtend<InputOf<"confirmSearch">>();
  expectTypeOf<{ id: string }>().not.toExtend<InputOf<"confirmSearch">>();
  expectTypeOf<{ period: "daily"; limit: number; includeAdult: boolean }>().toExtend<
    InputOf<"getRankings">
  >();
  expectTypeOf<{ period: "hourly" }>().not.toExtend<InputOf<"getRankings">>();
  expectTypeOf<undefined>().toExtend<InputOf<"getRankings">>();
  expectTypeOf<undefined>().not.toExtend<InputOf<"getSearch">>();
  expectTypeOf<{ image: Blob; isPublic: false }>().toExtend<InputOf<"searchAnime">>();
  expectTypeOf<Awaited<ReturnType<Client["deleteApiKey"]>>>().toEqualTypeOf<undefined>();
  expectTypeOf<Awaited<ReturnType<Client["getClip"]>>>().toEqualTypeOf<Blob>();
  expectTypeOf<Awaited<ReturnType<Client["createApiKey"]>>["key"]>().toEqualTypeOf<string>();
  expectTypeOf<"receiveStripeEvent">().not.toExtend<keyof Client>();
});

test("loads a preview by the path in a match, below the path prefix", async () => {
  const client = createClient({ baseUrl: `${api.url}/find/`, apiKey: "a key" });
  api.script(respond(200, Buffer.from("clip")));
  const path = "/previews/clip/e/1/s/0-1.mp4?size=s&mute=true";
  expect(await (await client.getPreview(path)).text()).toBe("clip");
  expect(api.requests[0]?.path).toBe(`/find${path}`);
  expect(api.requests[0]?.headers.authorization).toBe("Bearer a key");
  await expect(client.getPreview("/api/user/anime-credits")).rejects.toThrow(TypeError);
});

test("sends numbers and booleans as text, and omits undefined values", async () => {
  const client = createClient({ baseUrl: `${api.url}/find/` });
  api.script(respond(200, { period: "all", from: null, to: "2026-11-21T00:00:00.000Z", entries: [] }));
  await client.getRankings({ limit: 5, includeAdult: true, period: undefined });
  expect(api.requests[0]?.path).toBe("/find/api/anime/rankings?limit=5&includeAdult=true");
});

test("sends a search as a form", async () => {
  const client = createClient({ baseUrl: api.url });
  api.script(respond(200, found[0]));
  const image = new Blob([new Uint8Array([0xff, 0xd8, 1, 2])]);
  const result = await client.searchAnime({ image, animeId: "a1", isPublic: false });
  expect(result.matches[0]?.anime.title.romaji).toBe("Cowboy Bebop");
  const [request] = api.requests;
  const form = await new Response(request?.body, {
    headers: { "content-type": request?.headers["content-type"] ?? "" },
  }).formData();
  expect([form.get("animeId"), form.get("isPublic"), form.get("url")]).toEqual(["a1", "false", null]);
  const file = form.get("image");
  if (!(file instanceof Blob)) throw new Error("The picture did not arrive as a file.");
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(new Uint8Array([0xff, 0xd8, 1, 2]));
});

test("sends a key only to endpoints that use credentials", async () => {
  const client = createClient({ baseUrl: api.url, apiKey: "koma_x" });
  api.script(respond(200, quota), respond(200, { items: [] }));
  const chat = { "x-koma-chat-user": "discord:1", "x-koma-chat-server": "discord:2" };
  await client.getQuota({}, { headers: chat });
  await client.findAnime();
  const [received, open] = api.requests;
  expect(received?.headers).toMatchObject({ authorization: "Bearer koma_x", ...chat });
  expect(received?.headers.origin).toBeUndefined();
  expect(open?.headers.authorization).toBeUndefined();
});

test("sends a session's cookie with the origin of the API's own site, or with another", async () => {
  const cookie = "better-auth.session_token=x.y";
  api.script(respond(200, keys), respond(200, keys));
  await createClient({ baseUrl: `${api.url}/find`, cookie }).listApiKeys();
  await createClient({ baseUrl: api.url, cookie, origin: "https://site.example" }).listApiKeys({ page: 2 });
  expect(api.requests.map(({ headers }) => [headers.cookie, headers.origin])).toEqual([
    [cookie, api.url],
    [cookie, "https://site.example"],
  ]);
});

test("uses the passed fetch and credentials", async () => {
  const seen: RequestInit[] = [];
  const client = createClient({
    baseUrl: "",
    credentials: "include",
    fetch: async (url, init) => {
      seen.push({ ...init });
      return Response.json(url === "/api/anime/quota" ? quota : null);
    },
  });
  expect(await client.getQuota()).toEqual(quota);
  expect(seen[0]).toMatchObject({ method: "GET", credentials: "include" });
});

test.each(["..", ".", "", "a/b", "../../user/searches/1"])(
  "%j as an id addresses no other endpoint",
  async (id) => {
    api.script();
    const error = await createClient({ baseUrl: api.url })
      .getSearch({ id })
      .catch((thrown) => thrown);
    expect(error).toBeInstanceOf(ApiProblem);
    expect(error).toMatchObject({ code: "invalid_request", status: 400, errors: [{ path: "id" }] });
    expect(api.requests).toEqual([]);
  },
);

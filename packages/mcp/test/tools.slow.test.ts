import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { AnimeList, Match, Rankings } from "@koma/contract";
import { komaFile } from "@koma/testing/start-koma";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { afterEach, describe, expect, inject, test } from "vitest";

const clients: Client[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: "test", version: "0" });
  await client.connect(transport);
  clients.push(client);
  return client;
}
/** The real `koma mcp`, as an assistant starts it. */
function overStdio(environment: Record<string, string> = {}, ...args: string[]): Promise<Client> {
  const env = { PATH: process.env.PATH ?? "", KOMA_API_URL: inject("api"), ...environment };
  return connect(
    new StdioClientTransport({ command: process.execPath, args: [komaFile, "mcp", ...args], env }),
  );
}
/** The `/mcp` of the API. */
function overHttp(key: string | undefined): Promise<Client> {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's class does not fit its own interface with exact optional properties.
  const transport: any = new StreamableHTTPClientTransport(new URL(`${inject("api")}/mcp`), {
    requestInit: { headers },
  });
  return connect(transport);
}
/** The structured content of any of the tools. */
type Data = { outcome: string; matches: Match[] } & AnimeList & Rankings;

async function call(client: Client, name: string, input: Record<string, unknown>) {
  const result = await client.callTool({ name, arguments: input });
  const [content] = result.content as { type: string; text: string }[];
  return {
    isError: result.isError === true,
    text: content?.text ?? "",
    data: result.structuredContent as unknown as Data,
  };
}
const readImage = () => readFile(inject("image"), "base64");

describe.each([
  ["stdio, as a guest", () => overStdio()],
  ["HTTP, with a key", () => overHttp(inject("apiKey"))],
])("over %s", (_name, open) => {
  test("finds a scene, lists rankings, and looks up an anime", async () => {
    const client = await open();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["find_scene", "list_rankings", "find_anime"]);
    expect(Object.keys(tools[0]?.inputSchema.properties ?? {})).toEqual([
      "imageBase64",
      "imageUrl",
      "animeId",
    ]);

    const found = await call(client, "find_scene", {
      imageBase64: `data:image/jpeg;base64,${await readImage()}`,
    });
    expect(found.data.outcome).toBe("found");
    const [match] = found.data.matches;
    expect(match?.anime.title.romaji).toBe("Iron Comet");
    expect(JSON.parse(found.text)).toEqual(found.data);

    const listed = await call(client, "find_anime", { query: "comet" });
    expect(listed.data.items).toMatchObject([{ id: match?.anime.id }]);
    const rankings = await call(client, "list_rankings", { period: "daily", limit: 3 });
    expect(rankings.data.entries.map(({ anime }) => anime.id)).toContain(match?.anime.id);
  });

  test("describes the problem of an input", async () => {
    const client = await open();
    const cases: [input: Record<string, unknown>, text: RegExp][] = [
      [{}, /^Give exactly one of imageBase64 or imageUrl\.$/],
      [{ imageBase64: "eA==", imageUrl: "https://koma.example/x.jpg" }, /^Give exactly one of/],
      [{ imageBase64: "?" }, /^imageBase64 is not base64\.$/],
      [{ imageBase64: "eA==" }, /\(unsupported_image_type\)/],
      [{ imageUrl: "http://127.0.0.1/x.jpg" }, /\(url_not_allowed\) Send the image itself/],
      [{ imagePath: "/etc/hostname" }, /^Give exactly one of imageBase64 or imageUrl\.$/],
    ];
    for (const [input, text] of cases) {
      expect(await call(client, "find_scene", input)).toMatchObject({
        isError: true,
        text: expect.stringMatching(text),
      });
    }
    expect((await call(client, "list_rankings", { period: "hourly" })).isError).toBe(true);
  });
});

test("reads local images in the allowed directory only, without links out of it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "koma-mcp-files-"));
  try {
    await writeFile(join(folder, "frame.jpg"), await readFile(inject("image")));
    await symlink(inject("image"), join(folder, "link.jpg"));
    const client = await overStdio({}, "--allow-files", folder);
    const found = await call(client, "find_scene", { imagePath: "frame.jpg" });
    expect(found.data).toMatchObject({ outcome: "found" });
    for (const imagePath of ["link.jpg", inject("image"), `../${dirname(inject("image"))}/example.jpg`]) {
      const refused = await call(client, "find_scene", { imagePath });
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringMatching(/is not in|There is no file/),
      });
    }
    expect(await call(client, "find_scene", { imagePath: "." })).toMatchObject({ isError: true });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("reports an unknown key, an unreachable server, and exhausted credits", async () => {
  const unknown = await overStdio({ KOMA_API_KEY: `koma_${"x".repeat(52)}` });
  const image = await readImage();
  expect((await call(unknown, "find_scene", { imageBase64: image })).text).toMatch(
    /\(invalid_api_key\) Create a new/,
  );
  const nowhere = await overStdio({ KOMA_API_URL: "http://127.0.0.1:9" });
  expect((await call(nowhere, "find_anime", { query: "" })).text).toBe("The API cannot be reached.");
  const owner = await overStdio({ KOMA_API_KEY: inject("apiKey") });
  let last = { isError: false, text: "" };
  for (let search = 0; search < 4 && !last.isError; search++) {
    last = await call(owner, "find_scene", { imageBase64: image });
  }
  expect(last.text).toMatch(/\(credits_exhausted\) .*(Try again in|available again at)/);
});

test("over HTTP, requests without a key, with GET, and without JSON get the API's own errors", async () => {
  await expect(overHttp(undefined)).rejects.toThrow(/unauthenticated/);
  await expect(overHttp("koma_wrong")).rejects.toThrow(/invalid_api_key/);
  const get = await fetch(`${inject("api")}/mcp`, { headers: { accept: "text/event-stream" } });
  expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
  const bad = await fetch(`${inject("api")}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${inject("apiKey")}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: "{",
  });
  expect([bad.status, await bad.json()]).toMatchObject([400, { error: { code: -32700 } }]);
});

test("over HTTP a message that is too large gets an error of the protocol", async () => {
  const image = Buffer.alloc(4 * 1024 ** 2).toString("base64");
  const response = await fetch(`${inject("api")}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${inject("apiKey")}`,
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "find_scene", arguments: { imageBase64: image } },
    }),
  });
  expect([response.status, await response.json()]).toMatchObject([
    413,
    { jsonrpc: "2.0", error: { code: -32_600, message: expect.stringMatching(/3 MB/) }, id: null },
  ]);
});

test("an assistant in a browser may send the headers of the protocol", async () => {
  const preflight = await fetch(`${inject("api")}/mcp`, {
    method: "OPTIONS",
    headers: {
      origin: "https://assistant.example",
      "access-control-request-method": "POST",
      "access-control-request-headers": "authorization,content-type,mcp-protocol-version",
    },
  });
  const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
  expect(allowed).toEqual(expect.arrayContaining(["authorization", "content-type", "mcp-protocol-version"]));
});

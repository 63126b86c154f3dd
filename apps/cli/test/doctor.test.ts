import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEmptyDatabase } from "@koma/database/testing/databases";
import { afterAll, expect, test } from "vitest";
import { checkIndexMemory } from "../src/doctor/check-index-memory.ts";
import { diagnose } from "../src/doctor/diagnose.ts";
import { createWorkplace, parseLines } from "./koma.ts";

const folder = await mkdtemp(join(tmpdir(), "koma-doctor-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The findings of one check. */
async function find(check: string, environment: Record<string, string>) {
  const findings = await diagnose(withDefaults(environment), [check]);
  return findings.filter((one) => one.check === check);
}

/** The problems that all checks find, or some of them. */
async function findProblems(environment: Record<string, string>, only?: readonly string[]) {
  const findings = await diagnose(withDefaults(environment), only);
  return findings.filter(({ status }) => status === "problem");
}

const withDefaults = (environment: Record<string, string>) => ({
  KOMA_DATA_DIR: join(folder, "none"),
  PORT: "0",
  ...environment,
});

async function makeFolder(name: string): Promise<string> {
  const path = join(folder, name);
  await mkdir(path);
  return path;
}

test("an empty place has no problem and is not created", async () => {
  expect(await findProblems({})).toEqual([]);
  expect(await find("data folder", {})).toMatchObject([
    { detail: expect.stringMatching(/does not exist yet/) },
  ]);
  await expect(stat(join(folder, "none"))).rejects.toThrow("ENOENT");
});

test("a file or a link to nothing in the place of the data folder is a problem", async () => {
  await writeFile(join(folder, "file"), "");
  await symlink(join(folder, "unmounted"), join(folder, "link"));
  for (const name of ["file", "link"]) {
    expect(await find("data folder", { KOMA_DATA_DIR: join(folder, name) })).toMatchObject([
      { status: "problem", detail: expect.stringContaining("is not a folder") },
    ]);
  }
});

test("the command reports an invalid configuration and checks the rest", async () => {
  const workplace = await createWorkplace();
  try {
    const environment = { PORT: "x", DISCORD_CLIENT_ID: "12" };
    const { code, stdout, stderr } = await workplace.run(["doctor", "--json"], environment);
    expect([code, stderr]).toEqual([1, ""]);
    const findings = parseLines(stdout);
    expect(findings[0]).toMatchObject({ check: "configuration", status: "problem" });
    expect(findings[0].detail).toMatch(/^PORT must be/);
    expect(findings).toContainEqual({
      check: "ports",
      status: "warning",
      detail: "It was not checked because PORT must be corrected first.",
    });
    expect(findings).toContainEqual(expect.objectContaining({ check: "secret", status: "ok" }));
    await expect(stat(workplace.path("data"))).rejects.toThrow("ENOENT");
  } finally {
    await workplace.remove();
  }
});

test("reports a short secret and one that cannot be read", async () => {
  const short = await makeFolder("short");
  await writeFile(join(short, "secret"), "too short\n", { mode: 0o600 });
  expect(await find("secret", { KOMA_DATA_DIR: short })).toMatchObject([
    { status: "problem", detail: expect.stringMatching(/at least 32 characters/) },
  ]);
  const unreadable = await makeFolder("unreadable");
  await mkdir(join(unreadable, "secret"));
  expect(await find("secret", { KOMA_DATA_DIR: unreadable })).toMatchObject([
    { status: "problem", detail: expect.stringMatching(/cannot be read \(EISDIR/) },
  ]);
});

test("reports a port that another program uses", async () => {
  const server = createServer((_request, response) => response.end("another program"));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    expect(await find("ports", { PORT: String(port) })).toEqual([
      {
        check: "ports",
        status: "problem",
        detail: `Port ${port} is in use by another program: stop it, or change PORT.`,
      },
    ]);
  } finally {
    server.close();
  }
});

test("reports an ffmpeg that does not run, and one without codecs", async () => {
  expect(await find("ffmpeg", { FFMPEG_PATH: "/nonexistent/ffmpeg" })).toMatchObject([
    { status: "problem", detail: expect.stringMatching(/does not run\. Correct FFMPEG_PATH/) },
  ]);
  // It lists the same names for every kind of part.
  const names = [
    ...["libx264", "mjpeg", "rawvideo", "mp4", "image2pipe", "null", "matroska,webm"],
    ...["mov,mp4,m4a,3gp,3g2,mj2", "settb", "select", "trim", "split", "crop", "showinfo", "nullsink"],
    ...["scale", "format", "setpts", "setsar", "atrim", "asetpts", "aresample"],
    ...["h264", "libdav1d", "vp9", "mpeg4", "mpeg2video"],
  ];
  const poor = join(folder, "poor-ffmpeg");
  await writeFile(
    poor,
    `#!/bin/sh\necho ffmpeg version 7.1 --enable-libx264\nprintf ' V %s \\n' ${names.join(" ")}\n`,
  );
  await chmod(poor, 0o755);
  expect(await find("ffmpeg", { FFMPEG_PATH: poor, FFPROBE_PATH: poor })).toMatchObject([
    { status: "problem", detail: expect.stringMatching(/lacks encoder aac/) },
    { status: "problem", detail: expect.stringMatching(/cannot decode hevc/) },
    { status: "warning", detail: expect.stringMatching(/cannot decode vp8/) },
  ]);
});

test("a missing ffmpeg is a warning that says how to install it", async () => {
  const path = process.env.PATH;
  process.env.PATH = "/nonexistent";
  try {
    expect(await find("ffmpeg", {})).toMatchObject([
      { status: "warning", detail: expect.stringMatching(/^There is no ffmpeg\..* apt install ffmpeg/) },
    ]);
  } finally {
    process.env.PATH = path;
  }
});

test("reports a PostgreSQL that does not respond", async () => {
  const problems = await findProblems({ DATABASE_URL: "postgresql://koma:secret-word@127.0.0.1:9/koma" }, [
    "disk",
    "database",
    "replicas",
    "clock",
    "index",
  ]);
  expect(problems).toMatchObject([
    { check: "database", detail: expect.stringMatching(/ECONNREFUSED.*correct DATABASE_URL/) },
  ]);
  expect(JSON.stringify(problems)).not.toContain("secret-word");
});

test("reports the schema, settings and clock of PostgreSQL", async () => {
  const { url, remove } = await createEmptyDatabase();
  try {
    const [schema, ...settings] = await find("database", { DATABASE_URL: url });
    expect(schema).toMatchObject({
      status: "ok",
      detail: expect.stringMatching(/^PostgreSQL \d+.*; the first start creates the tables\.$/),
    });
    // The PostgreSQL of the tests does not flush.
    expect(settings.map(({ detail }) => detail)).toContainEqual(
      expect.stringMatching(/^fsync of PostgreSQL is off/),
    );
    const replicas = [url, "postgresql://koma:secret-word@127.0.0.1:9/koma"].join();
    const found = await find("replicas", { DATABASE_URL: url, DATABASE_REPLICA_URLS: replicas });
    expect(found).toMatchObject([
      { status: "ok", detail: "Replica 1 of 2 is 0 KiB behind the primary." },
      { status: "warning", detail: expect.stringMatching(/^Replica 2 of 2 is skipped: .*ECONNREFUSED/) },
    ]);
    expect(JSON.stringify(found)).not.toContain("secret-word");
    const [clock] = await find("clock", { DATABASE_URL: url });
    expect(clock?.detail).toContain("the clock of PostgreSQL differs by");
  } finally {
    await remove();
  }
});

test.each([
  [{ HOST: "0.0.0.0" }, /KOMA_BASE_URL is unset/],
  [{ KOMA_BASE_URL: "http://koma.example" }, /transfers passwords unencrypted/],
  [{ KOMA_BASE_URL: "https://koma.example" }, /KOMA_TRUSTED_PROXIES is unset/],
])("warns about the addresses %j", async (environment, pattern) => {
  expect(await find("address", environment)).toMatchObject([
    { status: "warning", detail: expect.stringMatching(pattern) },
  ]);
});

test("warns about tokens without the form of a token", async () => {
  const bad = await find("bots", { DISCORD_TOKEN: "client-secret", TELEGRAM_TOKEN: "123456:short" });
  expect(bad.map(({ status }) => status)).toEqual(["warning", "warning", "ok"]);
  const id = Buffer.from("1234567890").toString("base64url");
  const good = await find("bots", {
    DISCORD_TOKEN: `${id}.Gabcde.${"x".repeat(38)}`,
    TELEGRAM_TOKEN: `123456789:${"x".repeat(35)}`,
  });
  expect(good.map(({ status }) => status)).toEqual(["ok", "ok", "ok"]);
});

test("reports a provider that does not describe itself as the configured issuer", async () => {
  let body: string | undefined = "{}";
  const server = createServer((_request, response) => {
    response.writeHead(body === undefined ? 404 : 200).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/realm`;
  const provider = {
    KOMA_OIDC_ISSUER: issuer,
    KOMA_OIDC_CLIENT_ID: "koma",
    KOMA_OIDC_CLIENT_SECRET: "secret",
  };
  const read = async () =>
    (await find("sign-in", provider)).map(({ status, detail }) => `${status} ${detail}`);
  expect(await read()).toEqual([expect.stringContaining("problem")]);
  body = JSON.stringify({ issuer: `${issuer}/` });
  expect(await read()).toEqual([`ok ${issuer} responds.`]);
  body = undefined;
  expect(await read()).toEqual([expect.stringContaining("status 404")]);
  await new Promise((resolve) => server.close(resolve));
  expect(await read()).toEqual([expect.stringMatching(/problem .*ECONNREFUSED/)]);
  expect(await find("sign-in", {})).toMatchObject([{ status: "ok" }]);
});

test("warns when PostgreSQL is set up for less memory than its index needs", () => {
  const [MiB, GiB] = [2 ** 20, 2 ** 30];
  expect(checkIndexMemory({ sharedBytes: 128 * MiB, cacheBytes: undefined }, 800_000)).toEqual([]);
  expect(checkIndexMemory({ sharedBytes: 512 * MiB, cacheBytes: undefined }, 3_000_000)).toEqual([]);
  expect(checkIndexMemory({ sharedBytes: 128 * MiB, cacheBytes: undefined }, 3_000_000)).toEqual([
    {
      status: "warning",
      detail: expect.stringMatching(/3,000,000 frames .* 1\.7 GiB.*shared_buffers is 128 MiB/),
    },
  ]);
  expect(checkIndexMemory({ sharedBytes: 128 * MiB, cacheBytes: 4 * GiB }, 3_000_000)).toEqual([]);
  expect(checkIndexMemory({ sharedBytes: 512 * MiB, cacheBytes: 1 * GiB }, 3_000_000)).toHaveLength(1);
});

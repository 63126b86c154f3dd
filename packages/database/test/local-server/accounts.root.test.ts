// Requires root: the tests start the embedded server as root and as other users, in mount namespaces.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readPostgresPid, stopEmbedded } from "../testing/stop-embedded.ts";

const repository = fileURLToPath(new URL("../../../..", import.meta.url));
const script = fileURLToPath(new URL("write-anime.mjs", import.meta.url));
/** Numbers without an entry in the list of users, and the number that postgres.ts gives to servers of root. */
const [user, dedicated] = [54_321, 62_432];
const clients = new Set<ChildProcess>();
const dataDirs = new Set<string>();
let root: string;

beforeEach(async () => {
  // Only root has access, as to the home folder of root.
  root = await mkdtemp(path.join(tmpdir(), "koma-accounts-"));
});

afterEach(async () => {
  for (const client of clients) client.kill("SIGKILL");
  clients.clear();
  for (const dataDir of dataDirs) await stopEmbedded(dataDir, "SIGKILL");
  dataDirs.clear();
  await rm(root, { recursive: true });
});

it("root has its own files, in a user namespace", async () => {
  const dataDir = path.join(root, "data");
  await write({ dataDir });
  expect(await describeServer(dataDir)).toMatchObject({ isMapped: true, owner: 0, processOwner: 0 });
});

it("root without user namespaces uses a number of its own, below a folder that only root can open", async () => {
  const dataDir = path.join(root, "data");
  // A process in another root folder may not create one (user_namespaces(7)).
  const system = path.join(root, "system");
  await mkdir(system);
  const inOtherRoot = [
    "unshare",
    "--mount",
    "sh",
    "-c",
    `mount --rbind / '${system}' && chroot '${system}' "$@"`,
    "sh",
  ];
  await write({ dataDir, through: inOtherRoot });
  expect(await describeServer(dataDir)).toMatchObject({
    isMapped: false,
    owner: dedicated,
    processOwner: dedicated,
  });
  await stopEmbedded(dataDir);
  // User namespaces are permitted now, but the files stay those of the number.
  await write({ dataDir, name: "again" });
  expect(await describeServer(dataDir)).toMatchObject({ owner: dedicated });
});

it("root leaves the data folder of a user to that user, who can go on", async () => {
  await chown(root, user, user);
  const dataDir = path.join(root, "data");
  await mkdir(dataDir);
  await chown(dataDir, user, user);
  await write({ dataDir });
  expect(await describeServer(dataDir)).toMatchObject({ isMapped: false, owner: user, processOwner: user });
  await stopEmbedded(dataDir);
  await write({ dataDir, name: "again", as: user });
  expect(await describeServer(dataDir)).toMatchObject({ owner: user, processOwner: user });
});

it("a user without an entry in the list of users creates a database", async () => {
  await chown(root, user, user);
  const dataDir = path.join(root, "data");
  await write({ dataDir, as: user });
  expect(await describeServer(dataDir)).toMatchObject({ isMapped: false, owner: user, processOwner: user });
});

it("root uses a copy of the programs when those of the repository are not accessible", async () => {
  const dataDir = path.join(root, "data");
  await mkdir(dataDir);
  await chown(dataDir, user, user);
  // The account of the data folder has no access to the repository.
  const hidden = path.join(root, "koma");
  await mkdir(hidden);
  const inHidden = [
    "unshare",
    "--mount",
    "sh",
    "-c",
    `mount --rbind '${repository}' '${hidden}' && exec "$@"`,
    "sh",
  ];
  await write({ dataDir, through: inHidden, repository: hidden });
  const { owner, program } = await describeServer(dataDir);
  expect(owner).toBe(user);
  expect(program.startsWith("/var/lib/koma-postgresql/")).toBe(true);
});

it("a read-only repository and a path with spaces and 150 characters do", async () => {
  const dataDir = path.join(root, "a folder with spaces", "a".repeat(150));
  const readOnly = `mount --bind '${repository}' '${repository}' && mount -o remount,ro,bind '${repository}' && exec "$@"`;
  await write({ dataDir, through: ["unshare", "--mount", "sh", "-c", readOnly, "sh"] });
  expect(await describeServer(dataDir)).toMatchObject({ owner: 0 });
});

/** Runs write-anime.mjs, which stays after its last row. */
async function write(options: {
  dataDir: string;
  name?: string;
  through?: string[];
  as?: number;
  repository?: string;
}): Promise<void> {
  const { dataDir, name = "first", through = [], as, repository: copy } = options;
  dataDirs.add(dataDir);
  const file = copy === undefined ? script : path.join(copy, path.relative(repository, script));
  const [command = "", ...args] = [...through, process.execPath, file, dataDir, name, "3"];
  const client = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    ...(as !== undefined && { uid: as, gid: as }),
  });
  clients.add(client);
  let output = "";
  for (const stream of [client.stdout, client.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  await expect.poll(() => output.includes("done") || client.exitCode !== null).toBe(true);
  expect(output).toContain("done");
  const ended = once(client, "exit");
  client.kill("SIGKILL");
  await ended;
}

async function describeServer(dataDir: string) {
  const pid = await readPostgresPid(dataDir);
  const map = await readFile(`/proc/${pid}/uid_map`, "utf8");
  const [program = ""] = (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
  return {
    program,
    isMapped: !/^\s*0\s+0\s/.test(map),
    owner: (await stat(path.join(dataDir, "database", "postgresql-18", "PG_VERSION"))).uid,
    processOwner: (await stat(`/proc/${pid}`)).uid,
  };
}

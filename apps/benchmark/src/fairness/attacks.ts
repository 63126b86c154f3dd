import { randomBytes } from "node:crypto";
import { once, setMaxListeners } from "node:events";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { SearchResult } from "@koma/contract";
import { sharp } from "@koma/image";

/** What an attack uses. `count` receives the status of each response. */
type AttackTarget = {
  url: string;
  /** An image of the library, as JPEG. */
  image: Buffer;
  /** The client network that attacks; the limits of its searches are unused. */
  network: string;
  signal: AbortSignal;
  count: (status: number) => void;
};

/** Attacks a resource of the API from one client network until the signal aborts. */
export type Attack = (target: AttackTarget) => Promise<void>;

/** One attack per resource: the upload pool, the search workers, the preview jobs, the database. */
export const attacks: Record<string, Attack> = {
  "40 stalled uploads": (target) => repeat(40, target, stallUpload),
  "8 uploads in 1-byte chunks": (target) => repeat(8, target, uploadBytes),
  "16 clients with absent images": async (target) => {
    const images = await Promise.all(Array.from({ length: 8 }, drawNoise));
    await repeat(16, target, (_, turn) => search(target, images[turn % images.length] ?? target.image));
  },
  "16 clients that abort searches": (target) => repeat(16, target, abortSearch),
  "16 clients with the largest images": async (target) => {
    const pixels = { width: 7000, height: 7000, channels: 3 as const, background: "teal" };
    const largest = await sharp({ create: pixels }).jpeg().toBuffer();
    await repeat(16, target, () => search(target, largest));
  },
  "64 requests with one Idempotency-Key": (target) =>
    repeat(64, target, (_, turn) =>
      search(target, target.image, { "idempotency-key": `fairness-${Math.floor(turn / 8)}` }),
    ),
  "16 clients that load previews": attackPreviews,
};

/** Calls `work` in `clients` loops until the signal aborts. An error of a connection counts as status 0. */
async function repeat(
  clients: number,
  target: AttackTarget,
  work: (target: AttackTarget, turn: number) => Promise<void>,
): Promise<void> {
  setMaxListeners(0, target.signal);
  const client = async () => {
    for (let turn = 0; !target.signal.aborted; turn++) {
      await work(target, turn).catch(() => target.signal.aborted || target.count(0));
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function search(target: AttackTarget, image: Buffer, headers: object = {}): Promise<void> {
  await send(target, searchPath, { method: "POST", body: writeForm(image), headers: { ...headers } });
}

const searchPath = "/api/anime/search";

function writeForm(image: Buffer): FormData {
  const form = new FormData();
  form.append("image", new Blob([Uint8Array.from(image)]), "image.jpg");
  return form;
}

async function send(target: AttackTarget, path: string, init: RequestInit): Promise<void> {
  const { url, network, signal, count } = target;
  const headers = { ...init.headers, "x-forwarded-for": network };
  const response = await fetch(`${url}${path}`, { ...init, headers, signal: init.signal ?? signal });
  await response.arrayBuffer();
  count(response.status);
  // Without a pause, rejections in a closed loop measure the speed of this process.
  if (!response.ok) await wait(20, undefined, { signal });
}

async function abortSearch(target: AttackTarget): Promise<void> {
  const leaving = AbortSignal.any([target.signal, AbortSignal.timeout(60)]);
  await send(target, searchPath, { method: "POST", body: writeForm(target.image), signal: leaving });
}

/** Announces an upload of 5 MB and sends only its beginning. */
async function stallUpload(target: AttackTarget): Promise<void> {
  await upload(target, "content-length: 5000000", async () => {});
}

/** Uploads a body in chunks of one byte. */
async function uploadBytes(target: AttackTarget): Promise<void> {
  const chunks = Buffer.from("1\r\nx\r\n".repeat(10_000));
  await upload(target, "transfer-encoding: chunked", async (write) => {
    for (let sent = 0; sent < 500; sent++) await write(chunks);
  });
}

async function upload(
  { url, network, signal, count }: AttackTarget,
  length: string,
  sendRest: (write: (bytes: Buffer) => Promise<void>) => Promise<void>,
): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop, { once: true });
  let response = "";
  socket.setEncoding("latin1").on("data", (text: string) => {
    response += text;
  });
  socket.on("error", () => undefined);
  const closed = once(socket, "close");
  socket.write(
    `POST ${searchPath} HTTP/1.1\r\nhost: localhost\r\nx-forwarded-for: ${network}\r\n` +
      `content-type: multipart/form-data; boundary=b\r\n${length}\r\n\r\n`,
  );
  if (length.startsWith("content-length")) socket.write("--b\r\n");
  const write = async (bytes: Buffer) => {
    if (!socket.writable) return;
    if (!socket.write(bytes)) await Promise.race([once(socket, "drain"), closed]);
  };
  await sendRest(write);
  await closed;
  signal.removeEventListener("abort", stop);
  if (!signal.aborted) count(Number(/^HTTP\/1\.1 (\d+)/.exec(response)?.[1] ?? 0));
}

/** Loads stills and clips of a match in all sizes, each address once. */
async function attackPreviews(target: AttackTarget): Promise<void> {
  const response = await fetch(`${target.url}${searchPath}`, {
    method: "POST",
    body: writeForm(target.image),
    headers: { "x-forwarded-for": target.network },
  });
  const { matches } = (await response.json()) as SearchResult;
  const paths = matches.flatMap((match) => listPaths(match.previewPaths));
  await repeat(16, target, (_, turn) => send(target, paths[turn % paths.length] ?? "/", {}));
}

function listPaths(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listPaths) : [];
}

/** An image that is in no library: coloured noise of low frequency. */
async function drawNoise(): Promise<Buffer> {
  const raw = { width: 24, height: 14, channels: 3 as const };
  return await sharp(randomBytes(24 * 14 * 3), { raw })
    .resize(960, 540)
    .jpeg()
    .toBuffer();
}

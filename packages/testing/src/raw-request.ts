import { connect } from "node:net";

/** A response. `body` is the parsed JSON of a JSON response. */
export type RawResponse = { status: number; headers: Headers; body: unknown; bytes: Buffer };

/**
 * Sends the bytes of a request with `connection: close` and reads the response. Throws an Error if the
 * connection ends without a response, or is open for longer than `limitMs`.
 */
export async function sendRawRequest(
  url: string,
  request: Uint8Array,
  limitMs = 60_000,
): Promise<RawResponse> {
  const { hostname, port } = new URL(url);
  const received = await new Promise<Buffer>((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect(Number(port), hostname);
    const timer = setTimeout(() => {
      reject(new Error(`the connection was not closed within ${limitMs} ms`));
      socket.destroy();
    }, limitMs);
    let failure: Error | undefined;
    socket.on("data", (part) => parts.push(part));
    // A server can reset the connection after its response, if it did not read the complete request.
    socket.on("error", (error) => {
      failure = error;
    });
    socket.on("close", () => {
      clearTimeout(timer);
      if (parts.length === 0) reject(failure ?? new Error("the connection was closed without a response"));
      else resolve(Buffer.concat(parts));
    });
    socket.write(request);
  });
  return parseResponse(received, Buffer.from(request).toString("latin1", 0, 5) === "HEAD ");
}

function parseResponse(received: Buffer, isHead: boolean): RawResponse {
  const end = received.indexOf("\r\n\r\n");
  const [first = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
  if (end === -1 || Number.isNaN(status)) {
    throw new Error(`the response is no HTTP: ${received.toString("latin1", 0, 100)}`);
  }
  const rest = received.subarray(end + 4);
  if (status < 200) return parseResponse(rest, isHead);
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const isChunked = headers.get("transfer-encoding") === "chunked";
  const length = Number(headers.get("content-length") ?? rest.length);
  // A response to HEAD has the length of the body that it omits, and further responses can follow.
  const bytes = isHead ? Buffer.alloc(0) : isChunked ? joinChunks(rest) : rest.subarray(0, length);
  const isJson = /json/.test(headers.get("content-type") ?? "") && bytes.length > 0;
  return { status, headers, bytes, body: isJson ? JSON.parse(bytes.toString()) : undefined };
}

function joinChunks(bytes: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf("\r\n", at);
    const length = Number.parseInt(bytes.toString("latin1", at, end), 16);
    if (end === -1 || !(length > 0)) break;
    chunks.push(bytes.subarray(end + 2, end + 2 + length));
    at = end + 4 + length;
  }
  return Buffer.concat(chunks);
}

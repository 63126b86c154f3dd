/** An event in a client's byte stream: a complete turn, a request for encryption, or the end. */
export type WireEvent = { kind: "batch"; bytes: Buffer } | { kind: "refuse-encryption" } | { kind: "end" };

/** Splits the byte stream of one client into turns. */
export type MessageReader = ReturnType<typeof createMessageReader>;

const protocolVersion = 196608;
const sslRequest = 80877103;
const gssRequest = 80877104;
const messageLimitBytes = 256 * 1024 * 1024;

/**
 * Reads the frontend messages of the PostgreSQL protocol, version 3 (PostgreSQL documentation, chapter 54). A
 * turn consists of the messages up to a Sync or simple Query.
 */
export function createMessageReader() {
  let parts: Buffer[] = [];
  let heldBytes = 0;
  let neededBytes = 8;
  let batch: Buffer[] = [];
  let isStarted = false;

  return {
    *read(data: Buffer): Generator<WireEvent> {
      parts.push(data);
      heldBytes += data.length;
      if (heldBytes < neededBytes) return;
      let rest = parts.length === 1 ? data : Buffer.concat(parts);
      for (;;) {
        const headerBytes = isStarted ? 5 : 8;
        neededBytes = headerBytes;
        if (rest.length < headerBytes) break;
        const length = isStarted ? rest.readInt32BE(1) + 1 : rest.readInt32BE(0);
        if (length < headerBytes || length > messageLimitBytes) throw new Error("Not a PostgreSQL message.");
        neededBytes = length;
        if (rest.length < length) break;
        const message = rest.subarray(0, length);
        rest = rest.subarray(length);
        const event = isStarted ? readMessage(message) : readStartup(message);
        if (event !== undefined) yield event;
      }
      parts = rest.length === 0 ? [] : [rest];
      heldBytes = rest.length;
    },
  };

  function readStartup(message: Buffer): WireEvent {
    const code = message.readInt32BE(4);
    if (code === sslRequest || code === gssRequest) return { kind: "refuse-encryption" };
    // Another code is a cancel request, which the single session cannot serve, or another protocol.
    if (code !== protocolVersion) return { kind: "end" };
    isStarted = true;
    return { kind: "batch", bytes: message };
  }

  function readMessage(message: Buffer): WireEvent | undefined {
    const type = String.fromCharCode(message[0] ?? 0);
    if (type === "X") return { kind: "end" };
    batch.push(message);
    if (type !== "S" && type !== "Q") return undefined;
    const bytes = Buffer.concat(batch);
    batch = [];
    return { kind: "batch", bytes };
  }
}

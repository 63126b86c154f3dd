import { createServer, type Server, type Socket } from "node:net";
import { createMessageReader, type MessageReader } from "./message-reader.ts";

/** Executes PostgreSQL wire messages; implemented by PGlite. */
export type WireExecutor = {
  execProtocolRaw(message: Uint8Array): Promise<Uint8Array>;
};

/** Serves one single-session executor to many connections. */
export type WireServer = ReturnType<typeof createWireServer>;

type Connection = { socket: Socket; reader: MessageReader; batches: Buffer[]; isOpen: boolean };

/**
 * Multiplexes many clients of the PostgreSQL protocol (version 3) onto one session. A turn consists of all
 * messages up to a Sync or simple Query. While a transaction is open, only its client gets turns, until the
 * transaction ends, the client disconnects, or it is idle for `idleInTransactionMs`: a client stopped with
 * Ctrl-Z would otherwise block all others (`pglite-socket` has no such limit, and one failure inside PGlite
 * stops its queue permanently). COPY, Flush and session settings are not supported, because all clients share
 * the session.
 */
export function createWireServer(options: {
  executor: WireExecutor;
  idleInTransactionMs: number;
  onConnectionCount: (count: number) => void;
  onBroken: (error: unknown) => void;
}) {
  const connections = new Set<Connection>();
  const waiting: Connection[] = [];
  let transactionOwner: Connection | undefined;
  let ownWork: (() => Promise<void>) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isPumping = false;
  let isStopped = false;

  const server: Server = createServer((socket) => {
    const connection: Connection = { socket, reader: createMessageReader(), batches: [], isOpen: true };
    connections.add(connection);
    options.onConnectionCount(connections.size);
    socket.setNoDelay(true);
    socket.on("data", (data) => receive(connection, data));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => leave(connection));
  });

  return {
    server,
    /** Calls `work` instead of the next turn outside of a transaction. An error ends the server. */
    runBetweenTurns(work: () => Promise<void>): void {
      ownWork = work;
      void pump();
    },
    /** Closes every connection; resolves after the turn in progress. */
    async stop(): Promise<void> {
      isStopped = true;
      server.close();
      for (const { socket } of connections) socket.destroy();
      while (isPumping) await new Promise((resolve) => setImmediate(resolve));
    },
  };

  function receive(connection: Connection, data: Buffer): void {
    try {
      for (const event of connection.reader.read(data)) {
        if (event.kind === "refuse-encryption") connection.socket.write("N");
        else if (event.kind === "end") connection.socket.end();
        else {
          connection.batches.push(event.bytes);
          waiting.push(connection);
        }
      }
    } catch {
      connection.socket.destroy();
    }
    void pump();
  }

  function leave(connection: Connection): void {
    connection.isOpen = false;
    connection.batches.length = 0;
    connections.delete(connection);
    options.onConnectionCount(connections.size);
    void pump();
  }

  async function pump(): Promise<void> {
    if (isPumping) return;
    isPumping = true;
    try {
      while (!isStopped) {
        if (transactionOwner?.isOpen === false) {
          await execute(rollbackMessage);
          setOwner(undefined);
        }
        if (ownWork !== undefined && transactionOwner === undefined) {
          const work = ownWork;
          ownWork = undefined;
          await work();
          continue;
        }
        const connection = takeNext();
        const batch = connection?.batches.shift();
        if (connection === undefined || batch === undefined) break;
        const reply = await execute(batch);
        setOwner(isTransactionOpen(reply) ? connection : undefined);
        if (connection.isOpen) connection.socket.write(reply);
      }
    } catch (error) {
      isStopped = true;
      options.onBroken(error);
    } finally {
      isPumping = false;
    }
  }

  function takeNext(): Connection | undefined {
    for (let index = 0; index < waiting.length; index++) {
      const connection = waiting[index];
      if (connection?.batches.length === 0) {
        waiting.splice(index--, 1);
      } else if (transactionOwner === undefined || connection === transactionOwner) {
        return waiting.splice(index, 1)[0];
      }
    }
    return undefined;
  }

  function setOwner(owner: Connection | undefined): void {
    transactionOwner = owner;
    clearTimeout(idleTimer);
    if (owner === undefined) return;
    idleTimer = setTimeout(() => {
      if (transactionOwner === owner && owner.batches.length === 0) owner.socket.destroy();
    }, options.idleInTransactionMs);
    idleTimer.unref();
  }

  async function execute(message: Uint8Array): Promise<Buffer> {
    const reply = await options.executor.execProtocolRaw(message);
    return Buffer.from(reply.buffer, reply.byteOffset, reply.byteLength);
  }
}

const rollbackMessage = Buffer.from("Q\0\0\0\rROLLBACK\0", "latin1");

// A reply ends with ReadyForQuery: "Z", a length of 5, and I (idle), T (in a transaction) or E (in a failed
// one).
function isTransactionOpen(reply: Buffer): boolean {
  const end = reply.length - 6;
  if (end < 0 || reply[end] !== 0x5a) throw new Error("The database ended a turn without ReadyForQuery.");
  return reply[end + 5] !== 0x49;
}

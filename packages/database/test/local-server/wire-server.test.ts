import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { PGlite } from "@electric-sql/pglite";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWireServer, type WireServer } from "../../src/embedded/wire-server.ts";

describe("wire server on a real PGlite", () => {
  let folder: string;
  let db: PGlite;
  let wire: WireServer;
  const counts: number[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), "koma-wire-"));
    db = await PGlite.create();
    await db.exec("CREATE TABLE lamp (id INT PRIMARY KEY, lit BOOLEAN)");
    wire = createWireServer({
      executor: { execProtocolRaw: (message) => db.execProtocolRaw(message) },
      idleInTransactionMs: 400,
      onConnectionCount: (count) => counts.push(count),
      onBroken: (error) => {
        throw error;
      },
    });
    await new Promise<void>((resolve) => wire.server.listen(path.join(folder, ".s.PGSQL.5432"), resolve));
  });

  afterAll(async () => {
    await wire.stop();
    await db.close();
    await rm(folder, { recursive: true });
  });

  async function openClient() {
    const client = new pg.Client({ host: folder, port: 5432, user: "postgres", database: "postgres" });
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  it("returns to each of many clients the result of its own unnamed statement", async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, openClient));
    await Promise.all(
      clients.map(async (client, index) => {
        for (let round = 0; round < 40; round++) {
          const { rows } = await client.query(`SELECT $1::int * 1000 + ${index} AS n`, [round]);
          expect(rows).toEqual([{ n: round * 1000 + index }]);
          await expect(client.query(`SELECT * FROM missing_${index}`)).rejects.toThrow(`missing_${index}`);
        }
      }),
    );
    await Promise.all(clients.map((client) => client.end()));
  });

  it("transfers values of megabytes in both directions", async () => {
    const client = await openClient();
    const bytes = Buffer.alloc(3_000_000, 7);
    const { rows } = await client.query("SELECT $1::bytea AS bytes", [bytes]);
    expect(bytes.equals(rows[0].bytes)).toBe(true);
    await client.end();
  });

  it("runs no other client between the statements of a transaction", async () => {
    const [first, second] = await Promise.all([openClient(), openClient()]);
    await first.query("BEGIN");
    await first.query("INSERT INTO lamp VALUES (1, true)");
    const order: string[] = [];
    const insert = second.query("INSERT INTO lamp VALUES (2, true)").then(() => order.push("second"));
    await first.query("UPDATE lamp SET lit = false WHERE id = 1");
    order.push("first");
    await first.query("ROLLBACK");
    await insert;
    expect(order).toEqual(["first", "second"]);
    expect((await first.query("SELECT id FROM lamp")).rows).toEqual([{ id: 2 }]);
    await Promise.all([first.end(), second.end()]);
  });

  it("rolls back the open transaction of a disconnected or idle client", async () => {
    const [vanished, silent, other] = await Promise.all([openClient(), openClient(), openClient()]);
    await vanished.query("BEGIN");
    await vanished.query("INSERT INTO lamp VALUES (3, true)");
    const seen = other.query("SELECT id FROM lamp WHERE id = 3");
    await vanished.end();
    expect((await seen).rows).toEqual([]);
    await silent.query("BEGIN");
    await silent.query("INSERT INTO lamp VALUES (4, true)");
    expect((await other.query("SELECT id FROM lamp WHERE id = 4")).rows).toEqual([]);
    await expect(silent.query("COMMIT")).rejects.toThrow();
    await other.end();
  });

  it("runs work of the server after the transaction of a client", async () => {
    const [client, other] = await Promise.all([openClient(), openClient()]);
    await client.query("BEGIN");
    await client.query("INSERT INTO lamp VALUES (5, true)");
    let committed: unknown;
    const ended = new Promise<void>((resolve) => {
      wire.runBetweenTurns(async () => {
        committed = (await db.query("SELECT id FROM lamp WHERE id = 5")).rows;
        resolve();
      });
    });
    await client.query("UPDATE lamp SET lit = false WHERE id = 5");
    expect(committed).toBeUndefined();
    const read = other.query("SELECT 1 AS one");
    await client.query("COMMIT");
    await ended;
    expect(committed).toEqual([{ id: 5 }]);
    expect((await read).rows).toEqual([{ one: 1 }]);
    await Promise.all([client.end(), other.end()]);
  });

  it("continues after clients with another protocol", async () => {
    const socket = connect(path.join(folder, ".s.PGSQL.5432"));
    socket.write("GET / HTTP/1.1\r\nHost: lamp\r\n\r\n");
    await new Promise((resolve) => socket.once("close", resolve));
    const client = await openClient();
    expect((await client.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
    await client.end();
    expect(Math.max(...counts)).toBeGreaterThanOrEqual(8);
  });
});

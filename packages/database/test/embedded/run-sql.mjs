// A process of its own for the tests: runs the statements it is sent on one connection and answers each.
import pg from "pg";

const client = new pg.Client(JSON.parse(process.argv[2]));
await client.connect();
process.on("message", async (sql) => {
  if (sql === "end") {
    await client.end();
    process.disconnect();
    return;
  }
  try {
    process.send({ rows: (await client.query(sql)).rows });
  } catch (error) {
    process.send({ error: error.message });
  }
});
process.send({ rows: [] });

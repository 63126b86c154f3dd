// A child process of the tests: runs the statements that it receives on one connection and returns each
// result.
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

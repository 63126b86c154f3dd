// Restores a backup and kills itself before the third batch of rows.
import { restoreDatabase } from "@koma/database";
import pg from "pg";

const [file, dataDir, databaseUrl] = process.argv.slice(2);
const query = pg.Pool.prototype.query;
let batches = 0;
pg.Pool.prototype.query = function (text, ...rest) {
  if (String(text).includes("json_populate_recordset") && ++batches === 3)
    process.kill(process.pid, "SIGKILL");
  return query.call(this, text, ...rest);
};
await restoreDatabase({ file, dataDir, databaseUrl: databaseUrl || undefined });

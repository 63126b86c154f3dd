// Entry of a worker thread of the embedded server: creates the data of a new database.
import { workerData } from "node:worker_threads";
import { openDurably } from "./durable-node-fs.ts";

const folder: string = workerData;
const db = await openDurably(folder);
await db.close();

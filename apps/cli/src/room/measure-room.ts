import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { measureFolder } from "./measure-folder.ts";

/** What a part of an installation takes on the disk, in bytes. */
export type Room = { name: string; bytes: number };

/**
 * The parts of a data folder and the Node that Koma installed, without those that take nothing. The database of a
 * server is not among them.
 */
export async function measureRoom(dataDir: string): Promise<Room[]> {
  const parts = await Promise.all(
    Object.entries(folders).map(async ([name, folder]) => ({
      name,
      bytes: await measureFolder(folder.startsWith("/") ? folder : join(dataDir, folder)),
    })),
  );
  return parts.filter(({ bytes }) => bytes > 0);
}

const folders = {
  database: "database",
  stills: "stills",
  "index cache": "index",
  previews: "previews",
  "sample clips": "sample",
  backups: "backups",
  runtime: fileURLToPath(new URL("../../../../.koma/runtime", import.meta.url)),
};

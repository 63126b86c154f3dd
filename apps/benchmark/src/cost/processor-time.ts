import { readdir, readFile, readlink } from "node:fs/promises";

/** Milliseconds of processor time by the name of a thread. */
export type ProcessorTimes = Map<string, number>;

/**
 * Reads the processor time of the threads of a process, by their names, and of the database server in a folder, from
 * Linux. Threads that ended before the call do not count.
 */
export async function readProcessorTimes(pid: number, folder: string): Promise<ProcessorTimes> {
  const times: ProcessorTimes = new Map();
  const add = async (name: string, path: string) => {
    const [nanoseconds = "0"] = (await read(`${path}/schedstat`)).split(" ");
    times.set(name, (times.get(name) ?? 0) + Number(nanoseconds) / 1e6);
  };
  for (const thread of await readdir(`/proc/${pid}/task`)) {
    const path = `/proc/${pid}/task/${thread}`;
    await add(thread === String(pid) ? "main thread" : (await read(`${path}/comm`)).trim(), path);
  }
  for (const other of await readdir("/proc")) {
    if (!/^\d+$/.test(other)) continue;
    const directory = await readlink(`/proc/${other}/cwd`).catch(() => "");
    const isServer =
      directory.startsWith(folder) && (await read(`/proc/${other}/comm`)).startsWith("postgres");
    if (isServer) await add("database", `/proc/${other}`);
  }
  return times;
}

/** A process may end between two reads. */
function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

import { run } from "../src/main.ts";

export type Ended = { code: number; stdout: string; stderr: string };

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs `koma` in this process, in a folder and with variables of the environment, and captures its output.
 * Commands run one after the other, because they share the process.
 */
export async function runInProcess(
  args: readonly string[],
  where: { folder: string; environment: Record<string, string> },
): Promise<Ended> {
  const ended = last.then(() => runAlone(args, where));
  last = ended.catch(() => {});
  return await ended;
}

async function runAlone(
  args: readonly string[],
  { folder, environment }: { folder: string; environment: Record<string, string> },
): Promise<Ended> {
  const [stdout, stderr] = [capture(process.stdout), capture(process.stderr)];
  const [previousFolder, previousEnvironment] = [process.cwd(), { ...process.env }];
  try {
    process.chdir(folder);
    Object.assign(process.env, environment);
    const code = await run(args);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.restore();
    stderr.restore();
    process.chdir(previousFolder);
    for (const name of Object.keys(process.env)) if (!(name in previousEnvironment)) delete process.env[name];
    Object.assign(process.env, previousEnvironment);
  }
}

/** Collects what is written to a stream; `restore` also removes the listeners that were added meanwhile. */
function capture(stream: NodeJS.WriteStream) {
  const { write } = stream;
  const listeners = stream.listeners("error");
  let text = "";
  stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
    text += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    const done = rest.find((one) => typeof one === "function");
    if (done !== undefined) process.nextTick(done);
    return true;
  };
  return {
    text: () => text,
    restore() {
      stream.write = write;
      for (const listener of stream.listeners("error"))
        if (!listeners.includes(listener)) stream.off("error", listener as () => void);
    },
  };
}

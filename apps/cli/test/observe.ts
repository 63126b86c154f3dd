import type { ChildProcess } from "node:child_process";

/** The output of a child process, and promises for its lines and its end. */
export function observe(child: ChildProcess) {
  const output = { stdout: "", stderr: "" };
  const waiting = new Set<() => void>();
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      output[name] += text;
      for (const check of waiting) check();
    });
  }
  const ended = new Promise<{
    code: number | null;
    signal: NodeJS.Signals | null;
    stdout: string;
    stderr: string;
  }>((resolve) => child.once("close", (code, signal) => resolve({ code, signal, ...output })));
  return {
    child,
    ended,
    /** Resolves when the output matches the pattern; rejects when the child ends before. */
    printed(pattern: RegExp): Promise<RegExpExecArray> {
      return new Promise((resolve, reject) => {
        const check = () => {
          const found = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
          if (found === null) return;
          waiting.delete(check);
          resolve(found);
        };
        waiting.add(check);
        check();
        void ended.then(({ code, stdout, stderr }) =>
          reject(new Error(`ended with ${code} before ${pattern}\n${stdout}\n${stderr}`)),
        );
      });
    },
  };
}
